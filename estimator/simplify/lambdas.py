"""Lambdas of host code that are small functions: `[](int a, int b) { return (a + b - 1) / b; }`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.declarators import declared_name
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node


@immutable()
class CalledLambda:
    """What a call of a lambda comes to: its result, its parameters being the arguments."""

    result: Node
    arguments: dict[str, Node]


def read_lambda(tree: Tree, value: Node | None, call: Node) -> CalledLambda | None:
    """The lambda that a variable holds, as `call` uses it; None if it is more than a result."""
    listed = call.child_by_field_name("arguments")
    if value is None or value.type != "lambda_expression" or listed is None:
        return None
    body = value.child_by_field_name("body")
    statements = [one for one in body.named_children if one.type != "comment"] if body else []
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    result = statements[0].named_children
    declarator = value.child_by_field_name("declarator")
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    names = [declared_name(one) for one in parameters.named_children] if parameters else []
    given = [one for one in listed.named_children if one.type != "comment"]
    if len(result) != 1 or len(names) != len(given) or None in names:
        return None
    words = [tree.text_of(name) for name in names if name is not None]
    return CalledLambda(result[0], dict(zip(words, given, strict=True)))
