"""Comparisons, as conditions."""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.atoms import Role
from estimator.algebra.condition import (
    FALSE,
    Condition,
    conjunction,
    depends_on_data,
    disjunction,
    negate,
    nonnegative,
    zero,
)
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import is_nonnegative
from estimator.ir.kernel import ArrayObject
from estimator.lower.common_type import integer_type, is_integer, widened
from estimator.lower.convert import data_condition, is_null, to_poly
from estimator.lower.machine import Machine
from estimator.lower.values import BoolValue, IntValue, PointerValue, Value
from estimator.lower.widths import below_zero, in_range, is_large
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.types import Kind


def compare(m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node) -> Condition:
    """The condition that a comparison is; on data an unknown one."""
    if isinstance(left, PointerValue) or isinstance(right, PointerValue):
        return _compare_pointers(m, operator, left, right, node)
    if isinstance(left, BoolValue) and isinstance(right, BoolValue) and operator in ("==", "!="):
        differs = exactly_one(left.condition, right.condition)
        return differs if operator == "!=" else negate(differs)
    if not (is_integer(left) and is_integer(right)):
        return data_condition(m, node)
    for first, second, is_left in ((left, right, True), (right, left, False)):
        if isinstance(first, BoolValue) and depends_on_data(first.condition) and _is_known(second):
            return _by_cases(m, operator, first, second, node, is_left=is_left)
    return _compared(m, operator, left, right, node, source_text(m, node))


def _compared(
    m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node, said: str
) -> Condition:
    """A comparison of whole numbers; `said` is its text for one that cannot be counted."""
    a, b = to_poly(m, left), to_poly(m, right)
    if a.has_role(Role.UNKNOWN) or b.has_role(Role.UNKNOWN):
        if a == b:
            return nonnegative(Poly.of(0 if operator in ("==", "<=", ">=") else -1))
        return data_condition(m, node)
    ctype = integer_type(left, right)
    a, b = widened(m, a, left, ctype), widened(m, b, right, ctype)
    unsigned = ctype.kind is Kind.UNSIGNED
    if unsigned and (is_large(a, ctype) or is_large(b, ctype)):
        a, b = in_range(m, a, ctype), in_range(m, b, ctype)
    elif unsigned:
        a, b = below_zero(a, b, ctype), below_zero(b, a, ctype)
    condition = _compare_integers(operator, a, b, unsigned, m.position(node).line)
    if not m.dry:
        m.kernel.condition_texts.setdefault(condition.key, said)
    return condition


def exactly_one(left: Condition, right: Condition) -> Condition:
    """Where one of two conditions holds, and the other does not."""
    return disjunction(conjunction(left, negate(right)), conjunction(negate(left), right))


def _is_known(value: Value) -> bool:
    if isinstance(value, IntValue):
        return not value.poly.has_role(Role.UNKNOWN)
    return isinstance(value, BoolValue)


def _by_cases(
    m: Machine, operator: str, truth: BoolValue, other: Value, node: c_ast.Node, *, is_left: bool
) -> Condition:
    """A comparison with what data decide: one with 1 where it holds, and with 0 elsewhere."""
    cases: list[Condition] = []
    sides = (node.left, node.right) if isinstance(node, c_ast.BinaryOp) else (node, node)
    shown = source_text(m, sides[is_left])
    for number, given in ((ONE, truth.condition), (ZERO, negate(truth.condition))):
        value = IntValue(number, types.INT)
        one, two = (value, other) if is_left else (other, value)
        said = f"{number} {operator} {shown}" if is_left else f"{shown} {operator} {number}"
        cases.append(conjunction(given, _compared(m, operator, one, two, node, said)))
    return disjunction(*cases)


def _compare_integers(operator: str, a: Poly, b: Poly, unsigned: bool, line: int) -> Condition:
    match operator:
        case "==":
            return zero(a - b, line)
        case "!=":
            return negate(zero(a - b, line))
        case ">" | "<=":
            opposite = _compare_integers("<", b, a, unsigned, line)
            return opposite if operator == ">" else negate(opposite)
        case ">=":
            return negate(_compare_integers("<", a, b, unsigned, line))
    less = nonnegative(b - a - 1, line)
    if not unsigned:
        return less
    # An unsigned value below 0 wraps to a very large one; of two such the order stays.
    a_wraps, b_wraps = (
        FALSE if is_nonnegative(poly) else negate(nonnegative(poly, line)) for poly in (a, b)
    )
    return disjunction(
        conjunction(negate(a_wraps), less),
        conjunction(b_wraps, negate(a_wraps)),
        conjunction(b_wraps, a_wraps, less),
    )


def _compare_pointers(
    m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node
) -> Condition:
    if isinstance(left, PointerValue) and isinstance(right, PointerValue):
        same = left.base is right.base
        if same and not (left.offset.has_role(Role.UNKNOWN) or right.offset.has_role(Role.UNKNOWN)):
            return _compare_integers(
                operator, left.offset, right.offset, False, m.position(node).line
            )
    if operator in ("==", "!="):
        pointer = left if isinstance(left, PointerValue) else right
        if isinstance(pointer, PointerValue) and not isinstance(pointer.base, ArrayObject):
            return nonnegative(Poly.of(0 if operator == "!=" else -1))
        others = (node.left, node.right) if isinstance(node, c_ast.BinaryOp) else ()
        if any(_is_null_pointer(one) for one in others) and is_null(m, pointer):
            return nonnegative(Poly.of(0 if operator == "==" else -1))
    return data_condition(m, node)


def _is_null_pointer(node: c_ast.Node) -> bool:
    """`nullptr`, `NULL`, `0`, `(float *)0`."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    if isinstance(node, c_ast.Constant):
        return bool(node.type == "int" and node.value == "0")
    return isinstance(node, c_ast.ID) and node.name in {"nullptr", "NULL"}
