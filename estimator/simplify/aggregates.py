"""The members of a structure that host code fills itself: `Grid g{a, nx, ny};`, `g.nx = nx;`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.declarators import declared_name, function_declarator
from estimator.simplify.handedon import may_be_set

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.hostcode import Event, HostCode, Known
    from estimator.simplify.symbols import Type
    from estimator.simplify.tree import Tree

_MEMBER = re.compile(r"\w+\s*\.\s*(\w+)\s*=(?!=)")
# A method may change all of them.
_CALL = r"(?<![\w.>])%s\s*\.\s*(\w+)\s*\("


def member_values(name: str, draft: Draft, code: HostCode) -> dict[str, Node]:
    """What the members of a local structure are set to, where the launch stands, by name.

    Only what is certain: members that anything else may change are left out.
    """
    known = code.variables.get(name)
    if known is None or known.is_parameter or known.is_changed or known.type.depth:
        return {}
    defined = draft.program.find_type(known.type.base, draft.scope)
    function = code.function
    if defined is None or function is None or not _is_plain(defined):
        return {}
    tree = draft.tree
    called = re.findall(_CALL % name, tree.text_of(function))
    if may_be_set(name, tree, code) or not all(_keeps(one, defined, tree) for one in called):
        return {}
    fields = list(_fields(defined.node, tree))
    found = _set_by(known, fields, tree)
    return {field: node for field, node in found.items() if field not in known.changed_members}


def _is_plain(defined: Type) -> bool:
    """Whether the values in braces are those of the members, in their order."""
    is_derived = any(child.type == "base_class_clause" for child in defined.node.named_children)
    return defined.template is None and not defined.constructors and not is_derived


def _keeps(name: str, defined: Type, tree: Tree) -> bool:
    """Whether a method changes no member."""
    methods = methods_of(defined.node, name, tree)
    return bool(methods) and all(is_constant_method(one, tree) for one in methods)


def methods_of(specifier: Node, name: str, tree: Tree) -> list[Node]:
    """The methods of a name that are defined in a class."""
    body = specifier.child_by_field_name("body")
    found: list[Node] = []
    for child in body.named_children if body is not None else ():
        declarator = function_declarator(child) if child.type == "function_definition" else None
        own = declarator.child_by_field_name("declarator") if declarator is not None else None
        if own is not None and tree.text_of(own) == name:
            found.append(child)
    return found


def is_static(node: Node) -> bool:
    """Whether a member of a class is none of its objects'."""
    storage = [one for one in node.named_children if one.type == "storage_class_specifier"]
    return any(one.text == b"static" for one in storage)


def is_constant_method(node: Node, tree: Tree) -> bool:
    """Whether a method is `static` or `const`."""
    declarator = function_declarator(node)
    words = declarator.named_children if declarator is not None else []
    is_const = any(one.type == "type_qualifier" and tree.text_of(one) == "const" for one in words)
    return is_const or is_static(node)


def _fields(specifier: Node, tree: Tree) -> list[str]:
    body = specifier.child_by_field_name("body")
    found: list[str] = []
    for child in body.named_children if body is not None else ():
        if child.type != "field_declaration" or is_static(child):
            continue
        for declarator in child.children_by_field_name("declarator"):
            inner = declared_name(declarator)
            if inner is not None and declarator.type != "function_declarator":
                found.append(tree.text_of(inner))
    return found


def _set_by(known: Known, fields: list[str], tree: Tree) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for event in known.events:
        if event.declarator is not None:
            found = _initial(event, fields, tree)
            continue
        member = _MEMBER.match(tree.text_of(event.node))
        if member is None:
            return {}  # `g = other;`, or an `if` that sets it
        if event.value is None or event.is_conditional:
            found.pop(member[1], None)
        else:
            found[member[1]] = event.value
    return found


def _initial(event: Event, fields: list[str], tree: Tree) -> dict[str, Node]:
    value = event.value
    if value is not None and value.type == "compound_literal_expression":
        value = value.child_by_field_name("value")
    if value is None or value.type != "initializer_list":
        return {}
    items = [one for one in value.named_children if one.type != "comment"]
    if any(one.type == "initializer_list" for one in items):
        return {}  # braces within may be left out, or not
    pairs = [one for one in items if one.type == "initializer_pair"]
    if not pairs:
        return dict(zip(fields, items, strict=False))
    found: dict[str, Node] = {}
    for one in pairs:
        designator, inner = one.child_by_field_name("designator"), one.child_by_field_name("value")
        if designator is not None and inner is not None:
            found[tree.text_of(designator).lstrip(".").strip()] = inner
    return found
