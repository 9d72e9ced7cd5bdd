"""Calls whose body is not in sight: what they cost and move is unknown, what they write is too."""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.atoms import Symbol
from estimator.algebra.poly import ZERO
from estimator.immutable import immutable
from estimator.ir.kernel import ArrayObject, Space
from estimator.lower.cells import forget
from estimator.lower.convert import fresh, unknown_like
from estimator.lower.machine import Machine
from estimator.lower.places import assign, deref, place_type
from estimator.lower.values import OpaqueValue, PointerValue, StructValue, Value, Variable
from estimator.parse.types import Kind, Scalar
from estimator.source import codes
from estimator.source.diagnostics import diagnose


@immutable()
class Callee:
    """A function or instruction that nobody knows: how texts call it, and names of unknowns.

    `once` is a call of it. `remedy` is what else helps than to set its unknowns.
    """

    name: str
    short: str
    once: str
    remedy: str = ""


def unknown_call(m: Machine, callee: Callee, values: list[Value], node: c_ast.Node) -> None:
    """Record a call with its arguments, and warn of it.

    One that gets a pointer to memory of the device may read and write there: the bytes that it
    moves are an unknown as well.
    """
    meaning = f"FLOPs of {callee.once}"
    cost = m.unknown(f"flops_{callee.short}", node, meaning, lower=ZERO)
    moved = None
    if any(reaches_memory(m, value) for value in values):
        meaning = f"bytes of global memory that are read and written in {callee.once}"
        moved = m.unknown(f"bytes_{callee.short}", node, meaning, lower=ZERO)
    m.record_unknown_call(callee.name, cost, node, moved)
    for value in values:
        if isinstance(value, PointerValue):
            _overwritten(m, value, node)
    _warn(m, callee, cost, moved, node)


def reaches_memory(m: Machine, value: Value | None, depth: int = 3) -> bool:
    """Whether a value may lead a function to global memory."""
    match value:
        case PointerValue(ArrayObject() as base, _, _):
            pointers = m.choices[base][1:] if base in m.choices else ()
            if pointers:
                return any(reaches_memory(m, pointer, depth) for pointer in pointers)
            return base.space in (Space.GLOBAL, Space.TEXTURE)
        case PointerValue(Variable() as base, _, _):
            return depth > 0 and reaches_memory(m, m.store.get(base), depth - 1)
        case StructValue(_, fields):
            return any(reaches_memory(m, field, depth) for field in fields.values())
        case OpaqueValue(Scalar(_, Kind.OPAQUE, _)):
            return True
    return False


def _overwritten(m: Machine, pointer: PointerValue, node: c_ast.Node) -> None:
    """What a pointer leads to has any value now."""
    if isinstance(pointer.base, ArrayObject):
        forget(m, pointer.base)
        for way in m.choices[pointer.base][1:] if pointer.base in m.choices else ():
            _overwritten(m, way, node)
        return
    place = deref(m, pointer, node)
    held = m.store.get(pointer.base)
    value = fresh(m, place_type(place)) if held is None else unknown_like(m, held)
    assign(m, place, value, node)


def _warn(m: Machine, callee: Callee, cost: Symbol, moved: Symbol | None, node: c_ast.Node) -> None:
    message = f"{callee.name} is not known: its FLOPs are the unknown {cost.name}"
    settings = f"--set {cost.name}=VALUE"
    if moved is not None:
        message += f", its traffic is the unknown {moved.name}"
        settings += f" --set {moved.name}=VALUE"
    help_text = f"Set it with {settings}{callee.remedy}."
    m.warn(diagnose(codes.UNKNOWN_FUNCTION, m.position(node), message, help_text))
