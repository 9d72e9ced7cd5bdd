"""Constants of the class that a method belongs to, as the method names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import declared_name, function_declarator, is_const
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.frames import Frame

_RECORDS = frozenset({"struct_specifier", "class_specifier"})


def member_value(frame: Frame, name: str) -> Node | None:
    """The value of a constant or enumerator of the class around a frame's function."""
    body = _class_body(frame)
    tree = frame.draft.tree
    for child in body.named_children if body is not None else ():
        specifier = child.child_by_field_name("type")
        if specifier is not None and specifier.type == "enum_specifier":
            found = _enumerator(tree, specifier, name)
            if found is not None:
                return found
        declarator = declared_name(child.child_by_field_name("declarator"))
        if declarator is not None and tree.text_of(declarator) == name and is_const(tree, child):
            return child.child_by_field_name("default_value")
    return None


def _class_body(frame: Frame) -> Node | None:
    function = frame.code.function
    above = function.parent if function is not None else None
    if above is not None and above.type == "template_declaration":
        above = above.parent
    if above is not None and above.parent is not None and above.parent.type in _RECORDS:
        return above
    declarator = function_declarator(function) if function is not None else None
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if name is None or name.type != "qualified_identifier":
        return None
    scope = name.child_by_field_name("scope")  # `void S::run(…) {…}`
    draft = frame.draft
    owner = draft.program.find_type(draft.text_of(scope), draft.scope) if scope else None
    return owner.node.child_by_field_name("body") if owner is not None else None


def _enumerator(tree: Tree, node: Node, name: str) -> Node | None:
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        own = child.child_by_field_name("name")
        if own is not None and tree.text_of(own) == name:
            return child.child_by_field_name("value")
    return None
