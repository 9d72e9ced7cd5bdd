"""Variables that more than a plain declaration says something of.

A branch says their value: `case 512:`, `if (threads == 512)`; `auto [a, b]` binds them to parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.tree import Tree

_LEAVING = frozenset(
    {
        "break_statement",
        "return_statement",
        "continue_statement",
        "goto_statement",
        "throw_statement",
    }
)


def values_in(tree: Tree, node: Node, below: Node) -> Iterator[tuple[str, Node]]:
    """The variables, with their values, that a statement says for what `below` in it executes."""
    if node.type == "case_statement":
        yield from _of_case(tree, node)
    consequence = node.child_by_field_name("consequence")
    if node.type == "if_statement" and consequence is not None and consequence.id == below.id:
        condition = node.child_by_field_name("condition")
        value = condition.child_by_field_name("value") if condition is not None else None
        if value is not None:
            yield from _of_condition(tree, value)


def _of_case(tree: Tree, node: Node) -> Iterator[tuple[str, Node]]:
    value, holder = node.child_by_field_name("value"), node.parent
    switch = holder.parent if holder is not None else None
    if value is None or switch is None or switch.type != "switch_statement":
        return
    before = node.prev_named_sibling
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    if before is not None and not _leaves(before):
        return  # what comes from the case above has another value
    condition = switch.child_by_field_name("condition")
    subject = condition.child_by_field_name("value") if condition is not None else None
    while subject is not None and subject.type == "parenthesized_expression":
        subject = subject.named_children[0] if subject.named_children else None
    if subject is not None and subject.type == "identifier":
        yield tree.text_of(subject), value


def _leaves(node: Node) -> bool:
    """Whether nothing behind a statement is reached through its end."""
    if node.type in _LEAVING:
        return True
    inside = [one for one in node.named_children if one.type != "comment"]
    if node.type in {"compound_statement", "case_statement"} and inside:
        return _leaves(inside[-1])
    return False


def _of_condition(tree: Tree, node: Node) -> Iterator[tuple[str, Node]]:
    """`a == 4 && b == 2` says two values; `||` says none."""
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        yield from _of_condition(tree, node.named_children[0])
        return
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or operator is None or left is None or right is None:
        return
    if operator.type == "&&":
        yield from _of_condition(tree, left)
        yield from _of_condition(tree, right)
    elif operator.type == "==":
        for variable, value in ((left, right), (right, left)):
            if variable.type == "identifier":
                yield tree.text_of(variable), value


def bindings(tree: Tree, node: Node) -> Iterator[tuple[str, Node]]:
    """The names of `auto [a, b] = value;`, with the value that they are parts of."""
    for declarator in node.children_by_field_name("declarator"):
        names, value = (declarator.child_by_field_name(one) for one in ("declarator", "value"))
        if (
            names is not None
            and value is not None
            and names.type == "structured_binding_declarator"
        ):
            yield from ((tree.text_of(one), value) for one in names.named_children)
