"""Pointers that a loop passes on: `t = p; p = q; q = t`, and what else they may lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import zero
from estimator.algebra.integer import remainder
from estimator.algebra.poly import Poly
from estimator.ir.kernel import ArrayObject
from estimator.lower.convert import merge
from estimator.lower.machine import CellKey, Machine
from estimator.lower.values import IntValue, PointerValue, StructValue, Value, Variable

# Where a pointer is: in a variable or cell, and in which of its members.
Path = tuple[CellKey, tuple[str, ...]]
Held = Mapping[Path, PointerValue]


def pointers_in(values: Mapping[CellKey, Value | None]) -> dict[Path, PointerValue]:
    """The pointers that variables hold, in their members too."""
    return {
        (key, path): pointer
        for key, value in values.items()
        for path, pointer in _members(value, ())
    }


def _members(
    value: Value | None, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], PointerValue]]:
    if isinstance(value, PointerValue):
        yield path, value
    elif isinstance(value, StructValue):
        for name, member in value.fields.items():
            yield from _members(member, (*path, name))


def cycles(starts: Held, probed: Held, ends: Held) -> dict[Symbol, tuple[PointerValue, ...]]:
    """What each pointer that is passed on has in one iteration after another, in turn.

    `probed` are the values that the iteration began with, by whose symbols pointers are told,
    `ends` those that it ended with.
    """
    owner = {probe: path for path, probe in probed.items() if _symbol(probe) is not None}
    passed_on = {path: owner[ends[path]] for path in owner.values() if ends.get(path) in owner}
    found: dict[Symbol, tuple[PointerValue, ...]] = {}
    for path in passed_on:
        turn = [path]
        while len(turn) <= len(passed_on) and passed_on.get(turn[-1], path) != path:
            turn.append(passed_on[turn[-1]])
        symbol = _symbol(probed[path])
        is_closed = passed_on.get(turn[-1]) == path
        if is_closed and len(turn) > 1 and symbol is not None:
            found[symbol] = tuple(starts[one] for one in turn)
    return found


def candidates(
    m: Machine, starts: Held, probed: Held, ends: Held
) -> dict[Symbol, tuple[PointerValue, ...]]:
    """Where each pointer that changes its array may lead to: all that it may have been given."""
    of_base: dict[object, list[Path]] = {}
    for path, start in starts.items():
        of_base.setdefault(start.base, []).append(path)
    found: dict[Symbol, tuple[PointerValue, ...]] = {}
    for path, probe in probed.items():
        symbol = _symbol(probe)
        seen: dict[object, PointerValue] = {}
        waiting = [starts[path]] if path in starts else []
        while waiting:
            pointer = waiting.pop()
            if pointer.base in seen:
                continue
            if isinstance(pointer.base, ArrayObject) and pointer.base in m.choices:
                waiting.extend(m.choices[pointer.base][1:])
                continue
            seen[pointer.base] = pointer
            waiting.extend(ends[one] for one in of_base.get(pointer.base, ()) if one in ends)
        if symbol is not None and len(seen) > 1:
            found[symbol] = tuple(seen.values())
    return found


def _symbol(probe: PointerValue) -> Symbol | None:
    atom = probe.offset.atom
    if isinstance(probe.base, Variable) or not isinstance(atom, Symbol):
        return None
    return atom if atom.role is Role.PROBE else None


def in_turn(m: Machine, turn: Sequence[Value], k: Poly) -> Value:
    """What has the values of a turn one after another, at the start of iteration `k`."""
    number = remainder(k, Poly.of(len(turn)))
    if number.integer is not None:
        return turn[number.integer]
    steps = {
        two.poly - one.poly
        for one, two in zip(turn, turn[1:], strict=False)
        if isinstance(one, IntValue) and isinstance(two, IntValue)
    }
    if isinstance(turn[0], IntValue) and len(steps) == 1:
        return IntValue(turn[0].poly + steps.pop() * number, turn[0].type)
    value: Value = turn[-1]
    for index in reversed(range(len(turn) - 1)):
        value = merge(m, zero(number - index), turn[index], value)
    return value
