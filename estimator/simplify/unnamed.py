"""Parameters without a name get one: C wants it in a definition, and a call counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import declared_name, inner_declarator

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_DEFINITIONS = frozenset({"function_definition", "lambda_expression"})


def name_parameter(node: Node, draft: Draft) -> None:
    """`float` in the list of a function's definition → `float unnamed__1`; `void` alone stays."""
    listed = node.parent
    specifier = node.child_by_field_name("type")
    if listed is None or specifier is None or not _is_defined(listed):
        return
    declarator = node.child_by_field_name("declarator")
    if declared_name(node) is not None:
        return
    if declarator is None and draft.text_of(specifier) == "void":
        return
    others = [one.id for one in listed.named_children if one.type != "comment"]
    number = others.index(node.id) + 1
    at = _place(declarator) if declarator is not None else type_end(node)
    last = draft.tree.text[at - 1]
    blank = " " if last.isalnum() or last in "_>" else ""
    draft.before(at, f"{blank}unnamed__{number}")


def _is_defined(listed: Node) -> bool:
    """Whether a list of parameters is that of a definition, not of a parameter or a prototype."""
    holder = listed.parent
    while holder is not None and holder.type.endswith("declarator"):
        holder = holder.parent
    return holder is not None and holder.type in _DEFINITIONS


def type_end(node: Node) -> int:
    """Where the specifiers of a parameter without a declarator end."""
    end = node.end_byte
    for child in node.children:
        if child.type == "=":
            return end
        end = child.end_byte
    return node.end_byte


def _place(declarator: Node) -> int:
    """Where a name belongs in a declarator without one."""
    inner = inner_declarator(declarator)
    if inner is not None:
        return _place(inner)
    if declarator.type == "abstract_pointer_declarator":
        return declarator.end_byte
    if declarator.type == "abstract_parenthesized_declarator":
        return declarator.end_byte - 1
    return declarator.start_byte  # arrays and functions follow the name, and `&` is taken out
