"""`memcpy`, `memmove` and `memset` of one thread: loads and stores of so many bytes."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from estimator.algebra.poly import ZERO, Poly
from estimator.ir.kernel import ArrayObject
from estimator.lower.cells import forget
from estimator.lower.convert import fresh, to_poly
from estimator.lower.copies import copy_bytes
from estimator.lower.machine import Machine
from estimator.lower.places import assign, deref, place_type, read
from estimator.lower.values import IntValue, PointerValue, Value, Variable
from estimator.parse import types
from estimator.source import codes


def _copy(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """`memcpy(to, from, bytes)`: an assignment where it copies one whole object."""
    to, source = (_pointer(m, name, values, n, node) for n in (0, 1))
    size = to_poly(m, values[2])
    whole = size.integer
    if whole == 0:
        return to
    if to.target == source.target and whole == to.target.size and _is_object(to):
        assign(m, deref(m, to, node), read(m, deref(m, source, node), node), node)
        return to
    _move(m, to, source, size, node)
    return to


def _set(m: Machine, name: str, values: list[Value], node: c_ast.FuncCall) -> Value:
    """`memset(to, byte, bytes)` only stores."""
    to, size = _pointer(m, name, values, 0, node), to_poly(m, values[2])
    if size.integer != 0:
        nowhere = Variable("byte", types.VOID)  # a value in a register: nothing is loaded
        _move(m, to, PointerValue(nowhere, ZERO, types.VOID), size, node)
    return to


def _pointer(
    m: Machine, name: str, values: list[Value], index: int, node: c_ast.FuncCall
) -> PointerValue:
    value = values[index] if len(values) == 3 else None
    if not isinstance(value, PointerValue):
        raise m.fail(codes.UNSUPPORTED, node, f"{name} needs pointers to memory and a size")
    return value


def _is_object(pointer: PointerValue) -> bool:
    return not isinstance(pointer.target, types.Array) and pointer.target != types.VOID


def _move(
    m: Machine, to: PointerValue, source: PointerValue, size: Poly, node: c_ast.FuncCall
) -> None:
    """Copy element by element, or byte by byte where the size is no number of elements."""
    width = max(1, to.target.size)
    if any(not isinstance(c, int) or c % width for c in size.terms.values()):
        to = replace(to, target=types.VOID)
    copy_bytes(m, [to, source, IntValue(size, types.LONG)], node)
    if isinstance(to.base, ArrayObject):
        forget(m, to.base)
    else:
        place = deref(m, replace(to, target=to.base.type), node)
        assign(m, place, fresh(m, place_type(place)), node)


FUNCTIONS = {"memcpy": _copy, "memmove": _copy, "memset": _set}
