"""Members of the class that a method belongs to, as the method names them, and of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import (
    base_type_text,
    declared_name,
    fields_in,
    is_const,
)
from estimator.simplify.hostclasses import specifier_around
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.frames import Frame
    from estimator.simplify.hostcode import HostCode


def member_value(frame: Frame, name: str) -> Node | None:
    """The value of a constant or enumerator of the class around a frame's function."""
    body = _class_body(frame.draft, frame.code)
    return constant_of(body, name, frame.draft.tree) if body is not None else None


def constant_of(body: Node, name: str, tree: Tree) -> Node | None:
    """The value of a constant or enumerator in the body of a class."""
    for child in body.named_children:
        specifier = child.child_by_field_name("type")
        if specifier is not None and specifier.type == "enum_specifier":
            found = _enumerator(tree, specifier, name)
            if found is not None:
                return found
        for declarator, value in fields_in(child):
            inner = declared_name(declarator)
            if inner is not None and tree.text_of(inner) == name and is_const(tree, child):
                return value
    return None


def member_type(draft: Draft, code: HostCode, name: str) -> str:
    """The type of a member of the class around a method; empty where there is none."""
    return _field_type(_class_body(draft, code), name, draft)


def field_type(draft: Draft, record: str, name: str) -> str:
    """The type of a member of a class by the class's name; empty where it is not known."""
    defined = draft.program.find_type(record, draft.scope)
    body = defined.node.child_by_field_name("body") if defined is not None else None
    return _field_type(body, name, draft)


def _field_type(body: Node | None, name: str, draft: Draft) -> str:
    for child in body.named_children if body is not None else ():
        if child.type != "field_declaration":
            continue
        for declarator in child.children_by_field_name("declarator"):
            inner = declared_name(declarator)
            if inner is not None and draft.text_of(inner) == name:
                plain = declarator.type == "field_identifier"
                return base_type_text(draft.tree, child) if plain else ""
    return ""


def _class_body(draft: Draft, code: HostCode) -> Node | None:
    specifier = specifier_around(code.function, draft)
    return specifier.child_by_field_name("body") if specifier is not None else None


def _enumerator(tree: Tree, node: Node, name: str) -> Node | None:
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        own = child.child_by_field_name("name")
        if own is not None and tree.text_of(own) == name:
            return child.child_by_field_name("value")
    return None
