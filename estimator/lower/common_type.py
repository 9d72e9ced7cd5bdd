"""The types in which operators see their operands: C's usual arithmetic conversions."""

from __future__ import annotations

from estimator.algebra.poly import Poly
from estimator.lower.convert import convert, type_of
from estimator.lower.machine import Machine
from estimator.lower.values import BoolValue, FloatValue, IntValue, OpaqueValue, Value
from estimator.lower.widths import in_range
from estimator.parse import types
from estimator.parse.types import Kind, Precision, Scalar

_RANK = {Precision.FP16: 1, Precision.BF16: 1, Precision.FP32: 2, Precision.FP64: 3}


def is_integer(value: Value) -> bool:
    return isinstance(value, (IntValue, BoolValue, OpaqueValue))


def integer_type(left: Value, right: Value) -> Scalar:
    """C's usual arithmetic conversions on integers."""
    size, unsigned = 4, False
    for value in (left, right):
        ctype = type_of(value)
        if not isinstance(ctype, Scalar) or ctype.width < 32:
            continue
        if ctype.size > size:
            size, unsigned = ctype.size, ctype.kind is Kind.UNSIGNED
        elif ctype.size == size:
            unsigned = unsigned or ctype.kind is Kind.UNSIGNED
    if size == 8:
        return types.SIZE_T if unsigned else types.LONG
    return types.UNSIGNED if unsigned else types.INT


def widened(m: Machine, poly: Poly, value: Value, ctype: Scalar) -> Poly:
    """An operand in the common type; a narrower unsigned one may have wrapped around."""
    if isinstance(value, IntValue) and value.type.width < ctype.width:
        return in_range(m, poly, value.type, of_sizes=ctype.kind is not Kind.UNSIGNED)
    return poly


def float_type(left: Value, right: Value) -> Scalar:
    """C's usual arithmetic conversions with a floating-point operand."""
    candidates = [v.type for v in (left, right) if isinstance(v, FloatValue)]
    return max(candidates, key=lambda ctype: _RANK[ctype.precision])


def in_common_type(m: Machine, left: Value, right: Value) -> tuple[Value, Value]:
    """Two values in the type that C's usual arithmetic conversions give; others as they are."""
    if isinstance(left, FloatValue) or isinstance(right, FloatValue):
        ctype = float_type(left, right)
        return convert(m, left, ctype), convert(m, right, ctype)
    if not isinstance(left, (IntValue, BoolValue)) or not isinstance(right, (IntValue, BoolValue)):
        return left, right
    if type_of(left) == type_of(right):
        return left, right  # no arithmetic is done with it
    ctype = integer_type(left, right)
    return convert(m, left, ctype), convert(m, right, ctype)
