"""Operators on values: integers by algebra, floating-point by recording an operation."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from estimator.algebra.atoms import Role
from estimator.algebra.condition import Condition, conjunction, disjunction, negate
from estimator.algebra.integer import (
    bits,
    floor_divide,
    quotient,
    remainder,
    shift_left,
    shift_right,
)
from estimator.algebra.poly import Poly
from estimator.algebra.walk import is_nonnegative, symbols
from estimator.lower.common_type import (
    float_type,
    integer_type,
    is_integer,
    widened,
)
from estimator.lower.comparing import compare, exactly_one
from estimator.lower.convert import (
    data_condition,
    fresh,
    known_amount,
    opaque_poly,
    tidy,
    to_condition,
    to_poly,
    type_of,
)
from estimator.lower.machine import Machine
from estimator.lower.values import (
    BoolValue,
    FloatValue,
    IntValue,
    OpaqueValue,
    PointerValue,
    StructValue,
    Value,
)
from estimator.lower.widths import (
    around_zero,
    in_range,
    in_width,
    is_large,
    surely_nonnegative,
    wrapped,
)
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.constants import TRUTHS
from estimator.parse.types import Scalar, Struct
from estimator.source import codes

_NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_INTEGER: dict[str, Callable[[Poly, Poly], Poly]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": quotient,
    "%": remainder,
    "<<": shift_left,
    ">>": shift_right,
    "&": lambda a, b: bits("&", a, b),
    "|": lambda a, b: bits("|", a, b),
    "^": lambda a, b: bits("^", a, b),
}
# Of truth values, which are 0 and 1, these are a truth value too.
_TRUTHS: dict[str, Callable[[Condition, Condition], Condition]] = {
    "&": conjunction,
    "|": disjunction,
    "^": exactly_one,
}
_SHIFTS = frozenset(("<<", ">>"))
_NEED_RANGE = frozenset(("/", "%", ">>"))
COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))


def is_literal(node: c_ast.Node) -> bool:
    """Whether an expression is made of literals only, so that no thread ever computes it."""
    match node:
        case c_ast.Constant():
            return True
        case c_ast.ID():
            return node.name in TRUTHS or node.name == "nullptr"
        case c_ast.UnaryOp():
            return node.op in ("-", "+", "~", "!", "sizeof") and (
                node.op == "sizeof" or is_literal(node.expr)
            )
        case c_ast.Cast():
            return is_literal(node.expr)
        case c_ast.BinaryOp():
            return is_literal(node.left) and is_literal(node.right)
    return False


def binary(
    m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node, *, folded: bool = False
) -> Value:
    """`left operator right`; `folded` operations on literals cost nothing."""
    if isinstance(left, StructValue) or isinstance(right, StructValue):
        packed = packed_halves(left, right)
        if packed is not None:
            return _packed_arithmetic(m, operator, packed, node)
    if operator in COMPARISONS:
        return BoolValue(compare(m, operator, left, right, node))
    if isinstance(left, PointerValue) or isinstance(right, PointerValue):
        return _pointer_arithmetic(m, operator, left, right, node)
    if isinstance(left, FloatValue) or isinstance(right, FloatValue):
        return _float_arithmetic(m, operator, left, right, node, folded=folded)
    if isinstance(left, OpaqueValue) and isinstance(right, OpaqueValue):
        return left
    if is_integer(left) and is_integer(right):
        return _integer_arithmetic(m, operator, left, right, node)
    raise m.fail(
        codes.UNSUPPORTED,
        node,
        f"operator {operator} on {types.type_text(type_of(left))} and "
        f"{types.type_text(type_of(right))}",
    )


def _integer_arithmetic(
    m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node
) -> Value:
    if isinstance(left, BoolValue) and isinstance(right, BoolValue) and operator in _TRUTHS:
        return BoolValue(_TRUTHS[operator](left.condition, right.condition))
    ctype = integer_type(left, right)
    a, b = to_poly(m, left), to_poly(m, right)
    if operator in _SHIFTS:
        ctype = integer_type(left, left)
    else:
        a, b = widened(m, a, left, ctype), widened(m, b, right, ctype)
    if operator in _NEED_RANGE:
        a, b = in_range(m, a, ctype), in_range(m, b, ctype)
    unknown = a.has_role(Role.UNKNOWN) or b.has_role(Role.UNKNOWN)
    if operator not in _INTEGER or (unknown and operator not in "+-*"):
        result = opaque_poly(m)
        if (symbols(a) | symbols(b)) & m.lost:
            m.lost |= symbols(result)
        return IntValue(result, ctype)
    if operator in _SHIFTS and b.constant is not None and not 0 <= b.constant < 8 * ctype.size:
        return IntValue(opaque_poly(m), ctype)  # no language says what it is
    try:
        result = _divided(m, operator, a, b) or _INTEGER[operator](a, b)
        if result.constant is not None:
            result = wrapped(m, result, ctype)
        elif operator == "<<" and is_large(result, ctype):
            result = in_width(result, ctype)
        else:
            result = around_zero(result, ctype)
        return IntValue(tidy(m, result), ctype)
    except ZeroDivisionError:
        raise m.fail(codes.UNSUPPORTED, node, f"{source_text(m, node)} divides by zero") from None


def _divided(m: Machine, operator: str, a: Poly, b: Poly) -> Poly | None:
    """Division and remainder of what the guards around keep from being negative."""
    if operator not in ("/", "%") or is_nonnegative(a) or not is_nonnegative(b) or not b:
        return None
    if a.constant is not None or a.has_role(Role.PROBE, Role.UNKNOWN):
        return None
    if not surely_nonnegative(m, a):
        return None
    whole = floor_divide(a, b)
    return whole if operator == "/" else a - b * whole


def _float_arithmetic(
    m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node, *, folded: bool
) -> Value:
    ctype = float_type(left, right)
    if operator not in _NAMES:
        raise m.fail(codes.UNSUPPORTED, node, f"operator {operator} on {ctype.name}")
    amount = _amount(operator, known_amount(left), known_amount(right))
    if folded:
        return FloatValue(m.fresh_number(), ctype, True, amount)
    operands = tuple(
        value.number if isinstance(value, FloatValue) else 0 for value in (left, right)
    )
    number = m.record_operation(_NAMES[operator], ctype.precision.value, node, operands, flops=1)
    return FloatValue(number, ctype, amount=amount)


def _amount(operator: str, left: Poly | None, right: Poly | None) -> Poly | None:
    """What a sum, difference or multiple of numbers that are known is."""
    if left is None or right is None:
        return None
    if operator in "+-":
        return left + right if operator == "+" else left - right
    if operator == "*" and (left.constant is not None or right.constant is not None):
        return left * right
    return None


def packed_halves(*values: Value) -> Struct | None:
    """The type of two halves that the values have, which has operators of its own."""
    for value in values:
        if isinstance(value, StructValue) and len(value.type.fields) == 2:
            element = value.type.fields[0].type
            if isinstance(element, Scalar) and element.is_float and element.size == 2:
                return value.type
    return None


def _packed_arithmetic(m: Machine, operator: str, ctype: Struct, node: c_ast.Node) -> Value:
    """Operators of `half2` and its like work on both halves at once: 2 FLOPs."""
    if operator in COMPARISONS:
        return BoolValue(data_condition(m, node))
    if operator not in _NAMES:
        raise m.fail(codes.UNSUPPORTED, node, f"operator {operator} on {ctype.name}")
    half = ctype.fields[0].type
    assert isinstance(half, Scalar)
    m.record_operation(_NAMES[operator], half.precision.value, node, (), flops=2)
    return fresh(m, ctype)


def _pointer_arithmetic(
    m: Machine, operator: str, left: Value, right: Value, node: c_ast.Node
) -> Value:
    if isinstance(left, PointerValue) and isinstance(right, PointerValue) and operator == "-":
        if left.base is right.base:
            difference = left.offset - right.offset
            return IntValue(quotient(difference, Poly.of(left.target.size)), types.LONG)
        return IntValue(opaque_poly(m), types.LONG)
    if operator == "+" and isinstance(right, PointerValue):
        left, right = right, left
    if isinstance(left, PointerValue) and operator in "+-" and not isinstance(right, PointerValue):
        step = to_poly(m, right) * left.target.size
        offset = left.offset + step if operator == "+" else left.offset - step
        return PointerValue(left.base, offset, left.target)
    raise m.fail(codes.UNSUPPORTED, node, f"operator {operator} on pointers")


def unary(m: Machine, operator: str, value: Value, node: c_ast.Node) -> Value:
    """`-`, `+`, `~`, `!` on a value; changing a sign is no FLOP."""
    if operator == "!":
        # What is named is the condition that a share speaks of, without its opposite's sign.
        operand = node.expr if isinstance(node, c_ast.UnaryOp) else node
        return BoolValue(negate(to_condition(m, value, operand)))
    if operator == "+":
        return _promoted(m, value) if isinstance(value, (IntValue, BoolValue)) else value
    if isinstance(value, FloatValue):
        return FloatValue(m.fresh_number(), value.type, value.literal)
    if isinstance(value, StructValue) and packed_halves(value) is not None and operator == "-":
        return fresh(m, value.type)
    whole = _promoted(m, value)
    poly = -whole.poly - 1 if operator == "~" else -whole.poly
    return IntValue(poly, whole.type)


def _promoted(m: Machine, value: Value) -> IntValue:
    """A whole number as operators see it: a small one is an int."""
    ctype = integer_type(value, value)
    return IntValue(widened(m, to_poly(m, value), value, ctype), ctype)
