"""How a loop steps its variables: found by executing the body once on symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.algebra.atoms import Floor, Role, Symbol
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import substitute
from estimator.immutable import immutable
from estimator.ir.kernel import ArrayObject
from estimator.lower.convert import fresh, one_of, opaque_poly, type_of, unknown_like
from estimator.lower.swaps import candidates, cycles, in_turn, pointers_in
from estimator.lower.values import (
    BoolValue,
    IntValue,
    PointerValue,
    StructValue,
    Value,
)
from estimator.source import codes
from estimator.source.diagnostics import InputError

if TYPE_CHECKING:
    from estimator.lower.iteration import Loop
    from estimator.lower.machine import CellKey, Machine


# Numbers that come again after more iterations than this are not followed.
_LONGEST_TURN = 8


@immutable()
class Recurrence:
    """A variable's way through a loop.

    `step` is what an iteration adds; `factor` what it multiplies with (negative: divides by);
    a pointer or number has the values of a `turn` one after another. With none of these the
    variable is open: nothing is known of it, but that a pointer `stays` in its array, or leads to
    where one `among` several does. A structure's members have each their own, in `fields`.
    """

    start: Value
    step: Poly | None = None
    factor: int = 0
    turn: tuple[Value, ...] = ()
    among: tuple[PointerValue, ...] = ()
    fields: Mapping[str, Recurrence] | None = None
    stays: bool = False

    @property
    def is_closed(self) -> bool:
        return self.step is not None or bool(self.turn) or self.fields is not None

    @property
    def is_invariant(self) -> bool:
        if self.fields is not None:
            return all(one.is_invariant for one in self.fields.values())
        return self.step is not None and not self.step


def recurrences(m: Machine, loop: Loop, changed: list[CellKey]) -> dict[CellKey, Recurrence]:
    """The recurrence of each changed variable that has one."""
    found = _recurrences(m, loop, changed, {})
    if any(_has_fixed(one) and not one.is_invariant for one in found.values()):
        # A member may step by another that the loop leaves alone: now that is known.
        return _recurrences(m, loop, changed, found)
    return found


def _has_fixed(recurrence: Recurrence) -> bool:
    fields = recurrence.fields or {}
    return any(one.is_invariant or _has_fixed(one) for one in fields.values())


def _recurrences(
    m: Machine, loop: Loop, changed: list[CellKey], known_before: dict[CellKey, Recurrence]
) -> dict[CellKey, Recurrence]:
    from estimator.lower.iteration import iterate, test_of

    starts: dict[CellKey, Value] = {}
    store, live, frame = dict(m.store), m.live, m.frames[-1]
    exits, escapes, numbers = len(frame.exits), m.escapes, m.wants_numbers
    known = set(m.known_arrays)
    for variable in changed:
        value = m.store[variable]
        starts[variable] = value
        m.store[variable] = _probe(m, value, known_before.get(variable))
    probed = dict(m.store)
    m.dry += 1
    scopes, loops = len(m.scopes), len(m.loops)
    ends: dict[CellKey, Value] = {}
    try:
        if loop.tests_first:
            test_of(m, loop)
        iterate(m, loop)
        if not loop.tests_first:
            test_of(m, loop)
        ends = m.store
    except InputError as error:
        if error.diagnostic.code is codes.TOO_LARGE:
            raise  # it is so however the loop is read
        ends = {}
    finally:
        m.dry -= 1
        del m.scopes[scopes:], m.loops[loops:]
        del frame.exits[exits:]
        m.store, m.live, m.escapes, m.wants_numbers = store, live, escapes, numbers
        m.known_arrays = known
    found: dict[CellKey, Recurrence] = {}
    for variable in changed:
        end = ends.get(variable)
        if end is not None:
            earlier = known_before.get(variable)
            recurrence = _compare(starts[variable], probed[variable], end, earlier)
            if recurrence is not None:
                found[variable] = recurrence
        elif isinstance(starts[variable], BoolValue):
            found[variable] = Recurrence(starts[variable])
    before = pointers_in({variable: probed[variable] for variable in changed})
    after = pointers_in({variable: ends.get(variable) for variable in changed})
    held = pointers_in(starts)
    turns = cycles(held, before, after)
    among = candidates(m, held, before, after)
    if not (turns or among):
        return found
    return {
        variable: _with_pointers(recurrence, probed[variable], turns, among)
        for variable, recurrence in found.items()
    }


def _with_pointers(
    recurrence: Recurrence,
    probe: Value,
    turns: Mapping[Symbol, tuple[PointerValue, ...]],
    among: Mapping[Symbol, tuple[PointerValue, ...]],
) -> Recurrence:
    """The recurrence with what is known of pointers that are passed on."""
    if recurrence.fields is not None and isinstance(probe, StructValue):
        fields = {
            name: _with_pointers(one, probe.fields[name], turns, among)
            for name, one in recurrence.fields.items()
        }
        return replace(recurrence, fields=fields)
    atom = probe.offset.atom if isinstance(probe, PointerValue) else None
    if recurrence.is_closed or not isinstance(atom, Symbol):
        return recurrence
    return replace(recurrence, turn=turns.get(atom, ()), among=among.get(atom, ()))


def _probe(m: Machine, value: Value, before: Recurrence | None) -> Value:
    """What stands for a value at the start of some iteration; itself, if nothing changes it."""
    if before is not None and before.is_invariant:
        return value
    probe = Poly.of(Symbol(f"${m.fresh_number()}", Role.PROBE))
    match value:
        case IntValue():
            return IntValue(probe, value.type)
        case PointerValue() if isinstance(value.base, ArrayObject):
            return PointerValue(value.base, probe, value.target)
        case PointerValue():
            return value  # it points to a variable: if it still does at the end, it always does
        case StructValue():
            inner = (before.fields if before is not None else None) or {}
            fields = {name: _probe(m, one, inner.get(name)) for name, one in value.fields.items()}
            return StructValue(value.type, fields)
    return fresh(m, type_of(value))


def _compare(
    start: Value, probed: Value, end: Value, before: Recurrence | None
) -> Recurrence | None:
    """How an iteration changed a value; None where nothing can be said."""
    if before is not None and before.is_invariant:
        return before
    if isinstance(start, StructValue) and isinstance(probed, StructValue):
        if not isinstance(end, StructValue) or end.fields.keys() != start.fields.keys():
            return None
        inner = (before.fields if before is not None else None) or {}
        fields = {
            name: _compare(one, probed.fields[name], end.fields[name], inner.get(name))
            or Recurrence(one)
            for name, one in start.fields.items()
        }
        return Recurrence(start, fields=fields)
    if isinstance(probed, IntValue):
        atom = probed.poly.atom
        return _classify(start, atom, end) if isinstance(atom, Symbol) else None
    if isinstance(probed, PointerValue) and isinstance(probed.base, ArrayObject):
        atom = probed.offset.atom
        return _classify(start, atom, end) if isinstance(atom, Symbol) else None
    if end is probed or (isinstance(probed, PointerValue) and end == probed):
        return Recurrence(start, ZERO)
    return Recurrence(start) if isinstance(start, BoolValue) else None


def _classify(start: Value, probe: Symbol, end: Value) -> Recurrence:
    if isinstance(start, IntValue) and isinstance(end, IntValue):
        after = end.poly
    elif isinstance(start, PointerValue) and isinstance(end, PointerValue):
        if end.base is not start.base:
            return Recurrence(start)
        after = end.offset
    else:
        return Recurrence(start)
    step = after - Poly.of(probe)
    if not step.has_role(Role.PROBE, Role.UNKNOWN):
        return Recurrence(start, step)
    if isinstance(start, IntValue):
        return Recurrence(start, None, _factor(after, probe), _turn(start, probe, after))
    return Recurrence(start, stays=after.coefficient(probe) == ONE)


def _turn(start: IntValue, probe: Symbol, after: Poly) -> tuple[Value, ...]:
    """The numbers that an integer has again and again: 0 and 1 of `cur ^= 1`."""
    first = start.poly.integer
    numbers: list[int] = []
    number = first
    while number is not None and len(numbers) < _LONGEST_TURN:
        numbers.append(number)
        try:
            number = substitute(after, {probe: Poly.of(number)}).integer
        except ZeroDivisionError:
            return ()
        if number == first:
            return tuple(IntValue(Poly.of(one), start.type) for one in numbers)
    return ()


def _factor(after: Poly, probe: Symbol) -> int:
    """c for `v *= c`, -c for `v /= c`, else 0."""
    atom = after.atom
    if isinstance(atom, Floor) and atom.numerator.atom == probe:
        divisor = atom.denominator.integer
        return -divisor if divisor is not None else 0
    factor = after.coefficient(probe).integer
    if factor is not None and factor > 1 and after == Poly.of(probe) * factor:
        return factor
    return 0


def value_at(m: Machine, recurrence: Recurrence, k: Poly) -> Value:
    """The variable's value at the start of iteration `k`."""
    start = recurrence.start
    if recurrence.turn:
        if k.has_role(Role.UNKNOWN):
            return somewhere(m, recurrence, start)
        return in_turn(m, recurrence.turn, k)
    if recurrence.fields is not None and isinstance(start, StructValue):
        fields = {
            name: value_at(m, one, k) if one.is_closed else somewhere(m, one, one.start)
            for name, one in recurrence.fields.items()
        }
        return StructValue(start.type, fields)
    step = recurrence.step
    assert step is not None
    if not step:
        return start
    if isinstance(start, IntValue):
        return IntValue(start.poly + step * k, start.type)
    assert isinstance(start, PointerValue)
    return PointerValue(start.base, start.offset + step * k, start.target)


def somewhere(m: Machine, recurrence: Recurrence | None, value: Value) -> Value:
    """A value of which nothing is known but that a pointer may have stayed in its array."""
    if recurrence is not None and isinstance(value, PointerValue):
        turn = recurrence.turn
        stays = recurrence.stays or recurrence.step is not None
        stays = stays or (
            bool(turn)
            and all(isinstance(one, PointerValue) and one.base is value.base for one in turn)
        )
        if recurrence.among and not stays:
            return one_of(m, *recurrence.among)
        if stays and isinstance(value.base, ArrayObject) and value.base not in m.choices:
            return PointerValue(value.base, opaque_poly(m), value.target)
    return unknown_like(m, value)


def settled(m: Machine, recurrence: Recurrence | None, value: Value) -> Value:
    """A value after an unknown number of iterations: members that never change stay."""
    if recurrence is not None and recurrence.is_invariant:
        return value
    fields = recurrence.fields if recurrence is not None else None
    if fields is None or not isinstance(value, StructValue):
        return somewhere(m, recurrence, value)
    return StructValue(
        value.type, {name: settled(m, fields[name], one) for name, one in value.fields.items()}
    )
