"""Qualified names: `std::min`, `mine::f`, `E::A`, and names with template arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.symbols import TypeKind
from estimator.simplify.traits import trait_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def last_name(node: Node) -> Node:
    """The part behind the last `::`, the node itself where there is none."""
    while node.type == "qualified_identifier":
        inner = node.child_by_field_name("name")
        if inner is None:
            return node
        node = inner
    return node


def scopes_of(node: Node, draft: Draft) -> list[str]:
    """The names in front of `::`, from the left."""
    found: list[str] = []
    while node.type == "qualified_identifier":
        scope = node.child_by_field_name("scope")
        inner = node.child_by_field_name("name")
        if scope is not None:
            found.append(draft.text_of(scope))
        if inner is None:
            break
        node = inner
    return found


def qualified(node: Node, draft: Draft) -> None:
    """`std::min` → `min`; an enumerator or constant of a type keeps the type's name in its own."""
    scopes = scopes_of(node, draft)
    last = last_name(node)
    name = draft.text_of(last)
    value = trait_value(node, scopes, last, draft)
    if value is not None:
        draft.skip(node.start_byte, node.end_byte, value)
        return
    if any("<" in scope for scope in scopes):
        raise draft.lose(node, f"'{' '.join(draft.text_of(node).split())}'")
    if scopes:
        owner = draft.program.find_type(draft.resolved_type(scopes[-1]), draft.scope)
        if owner is not None:
            if name not in owner.constants:
                raise draft.lose(node, f"the member '{scopes[-1]}::{name}'")
            draft.program.require_type(owner, ())
            plain = owner.kind is TypeKind.ENUM
            draft.skip(node.start_byte, node.end_byte, name if plain else f"{owner.name}__{name}")
            return
        if scopes[-1] in draft.binding.names:
            raise draft.lose(node, f"the member '{scopes[-1]}::{name}'")
        if "wmma" in scopes:
            raise draft.lose(node, f"'wmma::{name}'")
    draft.delete(node.start_byte, last.start_byte)
    inner = node.child_by_field_name("name")
    while inner is not None and inner.type == "qualified_identifier":
        draft.done.add(inner.id)
        inner = inner.child_by_field_name("name")


def qualified_once(node: Node, draft: Draft) -> None:
    """Names nested in a qualified name were dealt with there."""
    if node.id not in draft.done:
        qualified(node, draft)
