"""Function objects: `cg::plus<float>()`, `cub::Max()`, and what applying one costs."""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.poly import ZERO, Poly
from estimator.lower.arithmetic import binary
from estimator.lower.common_type import float_type
from estimator.lower.convert import fresh, opaque_poly, type_of
from estimator.lower.machine import Machine
from estimator.lower.values import (
    FloatValue,
    IntValue,
    ObjectValue,
    OpaqueValue,
    StructValue,
    Value,
)
from estimator.parse import types
from estimator.parse.types import type_text
from estimator.parse.unit import Function

_PREFIX = "functor__"
_OPERATORS = {"plus": "+", "multiplies": "*", "bit_and": "&", "bit_or": "|", "bit_xor": "^"}
_NUMBERS = {
    "wmma__mem_row_major": 0,
    "wmma__mem_col_major": 1,
    "cudaBoundaryModeZero": 0,
    "cudaBoundaryModeClamp": 1,
    "cudaBoundaryModeTrap": 2,
    "__NV_NOSAT": 0,
    "__NV_SATFINITE": 1,
    "__NV_E4M3": 0,
    "__NV_E5M2": 1,
}


def library_constant(name: str) -> Value | None:
    """The value of a name that a library gives: a function object, a layout, a mode."""
    if name.startswith(_PREFIX):
        return ObjectValue(name)
    if name in _NUMBERS:
        return IntValue(Poly.of(_NUMBERS[name]), types.INT)
    return None


def apply(m: Machine, operation: Value, left: Value, right: Value, node: c_ast.Node) -> Value:
    """What a function object makes of two values; one that is not known has a named cost."""
    kind = operation.kind.removeprefix(_PREFIX) if isinstance(operation, ObjectValue) else ""
    if kind in _OPERATORS and not (isinstance(left, StructValue) and not _is_packed(left)):
        return binary(m, _OPERATORS[kind], left, right, node)
    if kind in ("min", "max"):
        return _extremum(m, left, right)
    if isinstance(operation, (StructValue, OpaqueValue)):
        prefix = f"{type_text(operation.type)}__call"
        for name, function in m.unit.functions.items():
            if name == prefix or name.startswith(f"{prefix}__"):
                return _call(m, function, [operation, left, right], node)
    cost = m.unknown(
        "flops_operation", node, "FLOPs of one call of the operation given", lower=ZERO
    )
    m.record_unknown_call("the operation given", cost, node)
    return fresh(m, type_of(left))


def _call(m: Machine, function: Function, values: list[Value], node: c_ast.Node) -> Value:
    """A call of the user's function with values that no expression stands for."""
    from estimator.lower.calls import inline

    names = [f"functor__{index}" for index in range(len(values))]
    m.scopes.append({})
    for name, value in zip(names, values, strict=True):
        m.declare(name, type_of(value), value)
    try:
        return inline(m, function, [c_ast.ID(name, node.coord) for name in names], node)
    finally:
        m.scopes.pop()


def _is_packed(value: StructValue) -> bool:
    from estimator.lower.arithmetic import packed_halves

    return packed_halves(value) is not None


def _extremum(m: Machine, left: Value, right: Value) -> Value:
    """Choosing the smaller or larger of two values is no FLOP."""
    if isinstance(left, FloatValue) or isinstance(right, FloatValue):
        return FloatValue(m.fresh_number(), float_type(left, right))
    if isinstance(left, IntValue):
        return IntValue(opaque_poly(m), left.type)
    return fresh(m, type_of(left))


def _apply_call(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name
    if len(values) != 3:
        return OpaqueValue(types.VOID)
    return apply(m, values[0], values[1], values[2], node)


FUNCTIONS = {"functor__apply": _apply_call}
