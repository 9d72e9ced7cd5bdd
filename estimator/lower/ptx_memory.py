"""PTX's loads, stores, atomics and asynchronous copies."""

from __future__ import annotations

import re
from fractions import Fraction

from pycparser import c_ast

from estimator.algebra.poly import ZERO, Poly
from estimator.ir.kernel import AccessKind, ArrayObject, Space
from estimator.lower.convert import opaque_poly
from estimator.lower.copies import copy_bytes
from estimator.lower.machine import Machine
from estimator.lower.tiles import shared_out
from estimator.lower.values import IntValue, PointerValue, Value
from estimator.parse import types

_BITS = re.compile(r"^[busf](\d+)(x2)?$")
_ROW_BYTES, _MOST_MATRICES = 16, 4


def address(value: Value, further: str | None) -> Value:
    """The operand `[%n + further]`."""
    if further is None or not isinstance(value, PointerValue):
        return value
    return PointerValue(value.base, value.offset + int(further.lstrip("+ ")), value.target)


def _place(m: Machine, value: Value | str, space: Space) -> tuple[ArrayObject, Poly]:
    """The array and offset that an operand points to; an address that is a number points to
    memory of which no more is known than its space."""
    if isinstance(value, PointerValue) and isinstance(value.base, ArrayObject):
        return value.base, value.offset
    name = f"{space.value} memory"
    if name not in m.textures:
        m.textures[name] = ArrayObject(name, space, m.kernel.position, indirect=True)
    return m.textures[name], opaque_poly(m)


def _width(words: list[str]) -> int:
    """Bytes that an instruction moves: `v4.f32` are 16."""
    count = next((int(w[1:]) for w in words if re.fullmatch(r"v[248]", w)), 1)
    for word in reversed(words):
        match = _BITS.match(word)
        if match is not None:
            return count * int(match[1]) * (2 if match[2] else 1) // 8
    return count * 4


def _space(words: list[str]) -> Space | None:
    for word in words:
        for space, name in (
            (Space.SHARED, "shared"),
            (Space.GLOBAL, "global"),
            (Space.LOCAL, "local"),
            (Space.CONSTANT, "const"),
        ):
            if word.partition("::")[0] == name:
                return space
    return None


def move(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    """`ld.global.nc.v4.f32 {…}, [%4]`, `st.shared.b32 [%0], %1`."""
    words = opcode.split(".")
    stores = words[0] == "st"
    space = _space(words)
    target = operands[0] if stores else operands[-1]
    if "param" in words or "async" in words:
        return "param" in words
    for operand in operands:
        if stores:
            break
        if isinstance(operand, PointerValue):
            target = operand
    array, offset = _place(m, target, space or Space.GLOBAL)
    kind = AccessKind.STORE if stores else AccessKind.LOAD
    m.record_access(kind, array, offset, _width(words), node)
    return True


def atomic(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    """`atom.global.add.f32 %0, [%1], %2`, `red.global.add.f32 [%0], %1`."""
    words = opcode.split(".")
    target = operands[0] if words[0] == "red" else operands[min(1, len(operands) - 1)]
    array, offset = _place(m, target, _space(words) or Space.GLOBAL)
    m.record_access(AccessKind.ATOMIC, array, offset, _width(words), node)
    return True


def load_matrix(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    """`ldmatrix.sync.aligned.m8n8.x4.shared.b16`: eight lanes give the rows of each matrix."""
    words = opcode.split(".")
    count = next((int(w[1:]) for w in words if re.fullmatch(r"x[124]", w)), 1)
    stores = words[0] == "stmatrix"
    target = operands[0] if stores else operands[-1]
    array, offset = _place(m, target, Space.SHARED)
    kind = AccessKind.STORE if stores else AccessKind.LOAD
    with shared_out(m, (), Fraction(_MOST_MATRICES, count)):
        m.record_access(kind, array, offset, _ROW_BYTES, node)
    return True


def copy(m: Machine, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    """`cp.async.cg.shared.global [%0], [%1], 16`."""
    if len(operands) < 3:
        return False
    size = _number(operands[2])
    if size is None:
        return False
    if len(operands) > 3:
        m.note("copies-whole", "asynchronous copies that may leave bytes out are taken as whole")
    for kind, operand, space in (
        (AccessKind.LOAD, operands[1], Space.GLOBAL),
        (AccessKind.STORE, operands[0], Space.SHARED),
    ):
        array, offset = _place(m, operand, space)
        m.record_access(kind, array, offset, size, node)
    return True


def bulk_copy(m: Machine, opcode: str, operands: list[Value | str], node: c_ast.FuncCall) -> bool:
    """`cp.async.bulk.shared::cluster.global… [%0], [%1], %2, [%3]`; tensor maps say nothing."""
    if ".tensor." in opcode or ".prefetch." in opcode or len(operands) < 3:
        return False
    to, source, size = operands[:3]
    if not isinstance(source, PointerValue) and not isinstance(to, PointerValue):
        return False
    if isinstance(size, str):
        number = _number(size)
        if number is None:
            return False
        size = IntValue(Poly.of(number), types.INT)
    ends: list[Value] = []
    for operand, space in ((to, Space.SHARED), (source, Space.GLOBAL)):
        if isinstance(operand, PointerValue):
            ends.append(operand)
        else:
            array, _ = _place(m, operand, space)
            ends.append(PointerValue(array, ZERO, types.FLOAT))
    copy_bytes(m, [*ends, size], node)
    return True


def _number(operand: Value | str) -> int | None:
    if isinstance(operand, IntValue):
        return operand.poly.integer
    return int(operand) if isinstance(operand, str) and operand.isdigit() else None
