"""Operators of the user's own: calls of the functions that they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify import standard
from estimator.simplify.calls import is_unused, returns_address
from estimator.simplify.copies import refuse_hidden_assignment
from estimator.simplify.inference import CType
from estimator.simplify.overloads import Chosen
from estimator.simplify.passing import convert, convert_to_pointer, pass_arguments, require
from estimator.simplify.resultof import chosen_operator, is_object
from estimator.simplify.symbols import Role
from estimator.simplify.typeof import type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft, Rule

_ASSIGNMENT = re.compile(r"(?:[-+*/%&|^]|<<|>>)?=(?!=)")


def binary(node: Node, draft: Draft) -> None:
    """`a + b` → `V__add(a, b)`; operands of builtin operators are converted if need be."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return
    types = [type_of(left, draft), type_of(right, draft)]
    if is_object(types[0], draft) and _is_assignment(operator, draft):
        raise draft.lose(node, "an assignment to an object in front of a comma")
    chosen = chosen_operator(operator.type, [left, right], types, draft, node)
    if chosen is None:
        for one, given, other in zip((left, right), types, reversed(types), strict=True):
            _convert_operand(one, given, other, draft)
        return
    _call_binary(node, left, operator, right, chosen, draft)


def _is_assignment(operator: Node, draft: Draft) -> bool:
    """Whether a `|` stands for `=` or `+=`, which the parser must not see in some places."""
    start, end = operator.start_byte, operator.end_byte
    return operator.type == "|" and _ASSIGNMENT.match(draft.tree.text, start, end + 2) is not None


def _convert_operand(node: Node, given: CType | None, other: CType | None, draft: Draft) -> None:
    if given is None or given.depth or given.base not in draft.program.records:
        return
    if other is not None and not other.depth and other.base not in draft.program.records:
        convert(node, other, draft)


def _call_binary(
    node: Node, left: Node, operator: Node, right: Node, chosen: Chosen, draft: Draft
) -> None:
    name = require(chosen, draft)
    address = returns_address(chosen, draft) and not is_unused(node)
    draft.before(node.start_byte, f"{'(*' if address else ''}{name}(")
    start, end = left.end_byte, draft.past_space(operator.end_byte)
    draft.replace(start, end, ", ")
    draft.after(node.end_byte, "))" if address else ")")
    is_method = chosen.callee.function.role is Role.METHOD
    pass_arguments(chosen, [right] if is_method else [left, right], draft)


def assignment(node: Node, draft: Draft) -> bool:
    """`a += b` → `V__add_assign(a, b)`; True where a user's operator was meant."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return False
    types = [type_of(left, draft), type_of(right, draft)]
    chosen = chosen_operator(operator.type, [left, right], types, draft, node)
    if chosen is None or not chosen.callee.function.has_body:
        if operator.type == "=" and types[0] is not None:
            refuse_hidden_assignment(types[0], node, draft)
            convert(right, types[0], draft)
        return False
    _call_binary(node, left, operator, right, chosen, draft)
    return True


def unary(node: Node, draft: Draft) -> None:
    """`-a` → `V__sub(a)`."""
    inner = node.child_by_field_name("argument")
    operator = node.child_by_field_name("operator") or node.children[0]
    if inner is None:
        return
    given = type_of(inner, draft)
    if operator.type == "!" and given is not None and given.base in draft.program.records:
        convert(inner, CType("bool"), draft)
    _call_prefix(node, inner, operator, operator.type, given, draft)


def _call_prefix(
    node: Node, inner: Node, operator: Node, sign: str, given: CType | None, draft: Draft
) -> None:
    chosen = chosen_operator(sign, [inner], [given], draft, node)
    if chosen is None:
        return
    name = require(chosen, draft)
    address = returns_address(chosen, draft) and not is_unused(node)
    end = draft.past_space(operator.end_byte)
    draft.replace(operator.start_byte, end, f"{'(*' if address else ''}{name}(")
    draft.after(node.end_byte, "))" if address else ")")


def update(node: Node, draft: Draft) -> None:
    """`++a` → `V__inc(a)`, `a++` → `V__inc(a, 0)`."""
    inner = node.child_by_field_name("argument")
    operator = node.child_by_field_name("operator")
    if inner is None or operator is None:
        return
    given = type_of(inner, draft)
    if operator.start_byte < inner.start_byte:
        _call_prefix(node, inner, operator, operator.type, given, draft)
        return
    chosen = chosen_operator(operator.type, [inner, inner], [given, CType("int")], draft, node)
    if chosen is None:
        return
    address = returns_address(chosen, draft) and not is_unused(node)
    draft.before(node.start_byte, f"{'(*' if address else ''}{require(chosen, draft)}(")
    draft.replace(inner.end_byte, operator.end_byte, ", 0)" + (")" if address else ""))


def pointer(node: Node, draft: Draft) -> None:
    """`*a`, where a is an object."""
    inner = node.child_by_field_name("argument")
    operator = node.child_by_field_name("operator") or node.children[0]
    if inner is not None and operator.type == "*" and inner.type != "this":
        _call_prefix(node, inner, operator, "*", type_of(inner, draft), draft)


def subscript(node: Node, draft: Draft) -> None:
    """`a[i]` → `V__at(a, i)`, where a is an object."""
    inner = node.child_by_field_name("argument")
    indices = node.child_by_field_name("indices")
    if inner is None or indices is None or standard.subscript(node, draft):
        return
    given = type_of(inner, draft)
    if given is None or given.depth or given.base not in draft.program.records:
        return
    nodes = indices.named_children
    types = [given, *(type_of(one, draft) for one in nodes)]
    chosen = chosen_operator("[]", [inner, *nodes], types, draft, node)
    if chosen is None:
        if not convert_to_pointer(inner, given, draft):
            raise draft.lose(node, f"the index of a '{given.base}'")
        return
    address = returns_address(chosen, draft) and not is_unused(node)
    draft.before(node.start_byte, f"{'(*' if address else ''}{require(chosen, draft)}(")
    draft.replace(inner.end_byte, indices.start_byte + 1, ", ")
    draft.replace(node.end_byte - 1, node.end_byte, "))" if address else ")")
    pass_arguments(chosen, nodes, draft)


def field(node: Node, draft: Draft) -> None:
    """`p->x`, where p is an object with an `operator->`."""
    inner = node.child_by_field_name("argument")
    if inner is None or inner.type == "this":
        return
    between = draft.tree.parsed[inner.end_byte : node.end_byte].lstrip()
    if not between.startswith("->"):
        return
    given = type_of(inner, draft)
    chosen = chosen_operator("->", [inner], [given], draft, node) if given is not None else None
    if chosen is not None:
        draft.before(node.start_byte, f"{require(chosen, draft)}(")
        draft.after(inner.end_byte, ")")


# Only files that define operators have rules for expressions that are most of every file.
RULES: dict[str, Rule] = {
    "binary_expression": binary,
    "unary_expression": unary,
    "update_expression": update,
    "pointer_expression": pointer,
    "subscript_expression": subscript,
    "field_expression": field,
}
