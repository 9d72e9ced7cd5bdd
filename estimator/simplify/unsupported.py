"""Constructs without a rule: the item that has one is left out, with a diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft, Rule

NAMES = {
    "new_expression": "'new'",
    "delete_expression": "'delete'",
    "throw_statement": "'throw'",
    "try_statement": "'try'",
    "user_defined_literal": "a user-defined literal",
    "raw_string_literal": "a raw string",
    "co_await_expression": "a coroutine",
    "co_return_statement": "a coroutine",
    "co_yield_statement": "a coroutine",
    "kernel_call_syntax": "a launch inside a kernel",
    "operator_name": "a call of an operator by name",
    "requires_clause": "a constraint",
}


def _rule(construct: str) -> Rule:
    def lose(node: Node, draft: Draft) -> None:
        raise draft.lose(node, construct)

    return lose


RULES: dict[str, Rule] = {kind: _rule(construct) for kind, construct in NAMES.items()}
