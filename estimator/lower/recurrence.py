"""How a loop steps its variables: found by executing the body once on symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from estimator.algebra.atoms import Floor, Role, Symbol
from estimator.algebra.poly import ZERO, Poly
from estimator.ir.kernel import ArrayObject
from estimator.lower.convert import fresh, type_of
from estimator.lower.swaps import partners, swapped_at
from estimator.lower.values import BoolValue, IntValue, PointerValue, Value, Variable
from estimator.source import codes
from estimator.source.diagnostics import InputError

if TYPE_CHECKING:
    from estimator.lower.loops import Loop
    from estimator.lower.machine import CellKey, Machine


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A variable's way through a loop.

    `step` is what an iteration adds; `factor` what it multiplies with (negative: divides by);
    a pointer is swapped with the one that starts as `other`. With none of these the variable
    is open: nothing is known of it.
    """

    start: Value
    step: Poly | None = None
    factor: int = 0
    other: PointerValue | None = None

    @property
    def is_closed(self) -> bool:
        return self.step is not None or self.other is not None

    @property
    def is_invariant(self) -> bool:
        return self.step is not None and not self.step


def recurrences(m: Machine, loop: Loop, changed: list[Variable]) -> dict[CellKey, Recurrence]:
    """The recurrence of each changed variable that has one."""
    from estimator.lower.loops import _condition, _iterate

    starts: dict[Variable, Value] = {}
    probes: dict[Variable, Symbol] = {}
    store, live, frame = dict(m.store), m.live, m.frames[-1]
    returned, escapes, numbers = len(frame.returned), m.escapes, m.wants_numbers
    known = set(m.known_arrays)
    for variable in changed:
        value = m.store[variable]
        starts[variable] = value
        probe = Symbol(f"${m.fresh_number()}", Role.PROBE)
        if isinstance(value, IntValue):
            probes[variable] = probe
            m.store[variable] = IntValue(Poly.of(probe), value.type)
        elif isinstance(value, PointerValue) and isinstance(value.base, ArrayObject):
            probes[variable] = probe
            m.store[variable] = PointerValue(value.base, Poly.of(probe), value.target)
        else:
            m.store[variable] = fresh(m, type_of(value))
    probed = dict(m.store)
    m.dry += 1
    scopes, loops = len(m.scopes), len(m.loops)
    ends: dict[CellKey, Value] = {}
    try:
        if loop.tests_first:
            _condition(m, loop)
        _iterate(m, loop)
        if not loop.tests_first:
            _condition(m, loop)
        ends = m.store
    except InputError as error:
        if error.diagnostic.code is codes.TOO_LARGE:
            raise  # it is so however the loop is read
        ends = {}
    finally:
        m.dry -= 1
        del m.scopes[scopes:], m.loops[loops:]
        del frame.returned[returned:]
        m.store, m.live, m.escapes, m.wants_numbers = store, live, escapes, numbers
        m.known_arrays = known
    found: dict[CellKey, Recurrence] = {}
    for variable in changed:
        end = ends.get(variable)
        if variable in probes and end is not None:
            found[variable] = _classify(starts[variable], probes[variable], end)
        elif end is not None and end is probed[variable]:
            found[variable] = Recurrence(starts[variable], ZERO)
        elif isinstance(starts[variable], BoolValue):
            found[variable] = Recurrence(starts[variable])
    before = {variable: probed[variable] for variable in probes}
    after = {variable: ends.get(variable) for variable in probes}
    for variable, other in partners(starts, before, after).items():
        found[variable] = Recurrence(starts[variable], other=other)
    return found


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
    return (
        Recurrence(start, None, _factor(after, probe))
        if isinstance(start, IntValue)
        else (Recurrence(start))
    )


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
    if recurrence.other is not None and isinstance(recurrence.start, PointerValue):
        return swapped_at(m, recurrence.start, recurrence.other, k)
    step = recurrence.step
    assert step is not None
    start = recurrence.start
    if not step:
        return start
    if isinstance(start, IntValue):
        return IntValue(start.poly + step * k, start.type)
    assert isinstance(start, PointerValue)
    return PointerValue(start.base, start.offset + step * k, start.target)
