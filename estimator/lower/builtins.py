"""CUDA's own functions: what each call does and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser import c_ast

from estimator.algebra.atoms import Role
from estimator.algebra.condition import nonnegative
from estimator.algebra.integer import maximum, minimum
from estimator.grammars import operations as table
from estimator.ir.kernel import AccessKind, ArrayObject, SyncKind
from estimator.lower.arithmetic import is_literal
from estimator.lower.assigned import written_arguments
from estimator.lower.cells import remember
from estimator.lower.common_type import float_type, integer_type
from estimator.lower.convert import convert, fresh, merge, opaque_poly, to_poly, type_of
from estimator.lower.libraries import library_function
from estimator.lower.machine import Machine
from estimator.lower.places import load
from estimator.lower.values import (
    BoolValue,
    FloatValue,
    IntValue,
    OpaqueValue,
    PointerValue,
    StructValue,
    Value,
)
from estimator.parse import types
from estimator.parse.types import Struct
from estimator.source import codes

_MAKE = re.compile(r"make_(\w+)$")
_EXTREMA = frozenset(["min", "max", "umin", "umax", "llmin", "llmax", "ullmin", "ullmax"])
_ABSOLUTE = frozenset(["abs", "labs", "llabs"])
_PRODUCTS = frozenset(["__dp4a", "__dp2a_lo", "__dp2a_hi"])  # of several integers at once
_MULTIPLY = frozenset(["__mul24", "__umul24"])


def is_builtin(name: str) -> bool:
    """Whether CUDA defines that function."""
    return (
        name in table.MATH
        or name in table.CONVERSIONS
        or name in table.FREE
        or family(name) is not None
        or _vector_type(name) is not None
    )


def call_builtin(m: Machine, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> Value:
    """Execute a call of one of CUDA's functions."""
    if name in table.FREE:
        for argument in arguments:
            m.evaluate(argument)
        return OpaqueValue(types.VOID)
    written = written_arguments(name, arguments)
    values = [
        OpaqueValue(types.INT) if index in written else m.evaluate(argument)
        for index, argument in enumerate(arguments)
    ]
    builtin = family(name)
    if builtin is not None:
        try:
            return builtin(m, name, values, node)
        except IndexError:  # only arguments are looked up by their place
            shown = name.removeprefix("cg__").replace("__", "::") if "__" in name else name
            message = f"{shown} takes more than {len(values)} arguments"
            raise m.fail(codes.UNSUPPORTED, node, message) from None
    if name in table.MATH:
        folded = bool(arguments) and all(is_literal(argument) for argument in arguments)
        return _math(m, name, values, node, folded=folded)
    if name in table.CONVERSIONS:
        if name in _PRODUCTS:
            m.note_integer_work(name)
        return _conversion(m, table.CONVERSIONS[name], values)
    ctype = _vector_type(name)
    assert ctype is not None
    if len(values) != len(ctype.fields):
        raise m.fail(codes.UNSUPPORTED, node, f"{name} takes {len(ctype.fields)} values")
    members = zip(ctype.fields, values, strict=True)
    return StructValue(ctype, {f.name: convert(m, v, f.type) for f, v in members})


def _vector_type(name: str) -> Struct | None:
    match = _MAKE.match(name)
    ctype = types.builtin(match.group(1)) if match else None
    return ctype if isinstance(ctype, Struct) else None


def _math(m: Machine, name: str, values: list[Value], node: c_ast.Node, *, folded: bool) -> Value:
    function = table.MATH[name]
    if function.packed:
        packed = next((v for v in values if isinstance(v, StructValue)), None)
        if packed is None:
            raise m.fail(codes.UNSUPPORTED, node, f"{name} takes packed halves")
        half = packed.type.fields[0].type
        assert isinstance(half, types.Scalar)
        m.record_operation(
            name, half.precision.value, node, (), flops=function.flops, special=function.special
        )
        return fresh(m, packed.type)
    floats = [v for v in values if isinstance(v, FloatValue)]
    if function.result in ("fp32", "fp64"):
        ctype = types.FLOAT if function.result == "fp32" else types.DOUBLE
    elif floats:
        ctype = floats[0].type
        for other in floats[1:]:
            ctype = float_type(FloatValue(0, ctype), other)
    else:
        ctype = types.DOUBLE
    _store_results(m, values, node)
    if function.result == "int":
        return IntValue(opaque_poly(m), types.INT)
    if not folded and (function.flops or function.special):
        operands = tuple(v.number for v in floats)
        number = m.record_operation(
            name,
            ctype.precision.value,
            node,
            operands,
            flops=function.flops,
            special=function.special,
        )
        return FloatValue(number, ctype)
    return FloatValue(m.fresh_number(), ctype, literal=folded)


def _store_results(m: Machine, values: list[Value], node: c_ast.Node) -> None:
    """Functions such as sincosf write results through pointers."""
    for value in values:
        if isinstance(value, PointerValue):
            _store(m, value, fresh(m, value.target), node)


def _store(m: Machine, pointer: PointerValue, value: Value, node: c_ast.Node) -> None:
    from estimator.lower.places import assign, deref

    assign(m, deref(m, pointer, node), value, node)


def _conversion(m: Machine, name: str, values: list[Value]) -> Value:
    ctype = types.builtin(name)
    assert ctype is not None
    if isinstance(ctype, types.Scalar) and ctype.is_float and values:
        literal = isinstance(values[0], FloatValue) and values[0].literal
        return FloatValue(m.fresh_number(), ctype, literal)
    return fresh(m, ctype)


def _extremum(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    if any(isinstance(value, FloatValue) for value in values):
        return FloatValue(m.fresh_number(), float_type(*values[:2]))
    if len(values) != 2:
        raise m.fail(codes.UNSUPPORTED, node, f"{name} takes two values")
    left, right = (to_poly(m, value) for value in values)
    ctype = integer_type(values[0], values[1])
    if left.has_role(Role.UNKNOWN) or right.has_role(Role.UNKNOWN):
        return IntValue(opaque_poly(m), ctype)
    return IntValue((maximum if "max" in name else minimum)(left, right), ctype)


def _clamp(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """`std::clamp(value, low, high)`."""
    del name
    if len(values) != 3:
        raise m.fail(codes.UNSUPPORTED, node, "clamp takes three values")
    return _extremum(m, "min", [_extremum(m, "max", values[:2], node), values[2]], node)


def _absolute(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del name, node
    if isinstance(values[0], FloatValue):
        return FloatValue(m.fresh_number(), values[0].type)
    poly = to_poly(m, values[0])
    if poly.has_role(Role.UNKNOWN):
        return IntValue(opaque_poly(m), types.INT)
    positive = nonnegative(poly)
    return merge(m, positive, IntValue(poly, types.INT), IntValue(-poly, types.INT))


def _multiply(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    from estimator.lower.arithmetic import binary

    del name
    return binary(m, "*", values[0], values[1], node)


def _barrier(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    del values
    m.record_sync(SyncKind.BARRIER, node)
    counted = name.endswith(("_count", "_and", "_or"))
    return fresh(m, types.INT) if counted else OpaqueValue(types.VOID)


def _shuffle(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    m.record_sync(SyncKind.SHUFFLE, node)
    index = 1 if name.endswith("_sync") else 0
    if index >= len(values):
        raise m.fail(codes.UNSUPPORTED, node, f"{name} needs a value to exchange")
    return fresh(m, type_of(values[index]))


def _atomic(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    if not values or not isinstance(values[0], PointerValue):
        raise m.fail(codes.UNSUPPORTED, node, f"{name} needs a pointer")
    pointer = values[0]
    result = fresh(m, pointer.target)
    if isinstance(pointer.base, ArrayObject):
        remember(m, pointer.base, pointer.offset, fresh(m, pointer.target))
        m.record_access(AccessKind.ATOMIC, pointer.base, pointer.offset, pointer.target.size, node)
    return result


def _load(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    if not values or not isinstance(values[0], PointerValue):
        raise m.fail(codes.UNSUPPORTED, node, f"{name} needs a pointer")
    return load(m, values[0], values[0].target, node)


def _store_call(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    if len(values) != 2 or not isinstance(values[0], PointerValue):
        raise m.fail(codes.UNSUPPORTED, node, f"{name} needs a pointer and a value")
    _store(m, values[0], values[1], node)
    return OpaqueValue(types.VOID)


def _swap(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    from estimator.lower.places import assign, place_of, read

    del name, values
    arguments = node.args.exprs if node.args is not None else []
    left, right = place_of(m, arguments[0]), place_of(m, arguments[1])
    a, b = read(m, left, node), read(m, right, node)
    assign(m, left, b, node)
    assign(m, right, a, node)
    return OpaqueValue(types.VOID)


Builtin = Callable[[Machine, str, list[Value], c_ast.FuncCall], Value]
_FAMILIES: dict[str, Builtin] = {
    **dict.fromkeys(_EXTREMA, _extremum),
    **dict.fromkeys(_ABSOLUTE, _absolute),
    **dict.fromkeys(_MULTIPLY, _multiply),
    **dict.fromkeys(table.BARRIERS, _barrier),
    **dict.fromkeys(table.SHUFFLES, _shuffle),
    **dict.fromkeys(table.ATOMICS, _atomic),
    **dict.fromkeys(table.LOADS, _load),
    **dict.fromkeys(table.STORES, _store_call),
    "swap": _swap,
    "clamp": _clamp,
}


def family(name: str) -> Builtin | None:
    """What executes a function of one of the families; None for other functions."""
    return _FAMILIES.get(name) or library_function(name)


__all__ = ["BoolValue", "call_builtin", "is_builtin"]
