"""Statements that C does not have in C++'s form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.fold import fold

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def if_statement(node: Node, draft: Draft) -> None:
    """`if constexpr (c)` → `if (c)`, its dead branch empty; `if (init; c)` → a block."""
    condition = node.child_by_field_name("condition")
    if condition is None:
        return
    for child in node.children:
        if child.type == "constexpr":
            draft.delete_token(child)
            _drop_dead_branch(node, condition, draft)
    value = condition.child_by_field_name("value")
    if value is not None and value.type == "declaration":
        raise draft.lose(value, "a declaration as a condition")
    initialiser = condition.child_by_field_name("initializer")
    if initialiser is not None and value is not None:
        draft.replace(node.start_byte, initialiser.start_byte, "{ ")
        draft.replace(initialiser.end_byte, value.start_byte, " if (")
        draft.after(node.end_byte, " }")


def _drop_dead_branch(node: Node, condition: Node, draft: Draft) -> None:
    """What `if constexpr` discards need not even make sense, so it is left out here."""
    truth = fold(draft.rendered(condition.start_byte, condition.end_byte))
    consequence = node.child_by_field_name("consequence")
    alternative = node.child_by_field_name("alternative")
    if truth is None or consequence is None:
        return
    if not truth:
        draft.skip(consequence.start_byte, consequence.end_byte, "{ }")
    elif alternative is not None:
        draft.skip(consequence.end_byte, alternative.end_byte)


def return_statement(node: Node, draft: Draft) -> None:
    """`return {a, b};` → `return (float4){a, b};`."""
    for child in node.named_children:
        if child.type == "initializer_list":
            if not draft.return_type:
                raise draft.lose(child, "a braced list without a type")
            draft.before(child.start_byte, f"({draft.return_type})")


def assignment(node: Node, draft: Draft) -> None:
    """`v = {a, b};` → `v = (float4){a, b};`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or right.type != "initializer_list":
        return
    declared = draft.locals.get(draft.text_of(left))
    if declared is None or declared.base == "auto" or declared.depth:
        raise draft.lose(right, "a braced list without a type")
    draft.before(right.start_byte, f"({draft.resolved_type(declared.base)})")


def asm(node: Node, draft: Draft) -> None:
    """`asm volatile("")` does nothing and is left out; other assembly has no rule."""
    code = node.child_by_field_name("assembly_code")
    if code is None or draft.text_of(code).strip('" \t') or code.type != "string_literal":
        raise draft.lose(node, "inline assembly")
    draft.skip(node.start_byte, node.end_byte)


def drop(node: Node, draft: Draft) -> None:
    """A construct that means nothing to the analysis."""
    draft.skip(node.start_byte, node.end_byte)


def drop_token(node: Node, draft: Draft) -> None:
    """An attribute: it goes with the white space behind it."""
    draft.skip(node.start_byte, draft.past_space(node.end_byte))


def decltype(node: Node, draft: Draft) -> None:
    """`decltype(x)` → `typeof(x)`."""
    first = node.children[0]
    draft.replace(first.start_byte, first.end_byte, "typeof")
