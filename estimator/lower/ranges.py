"""From a loop's condition to its counter's range and its trip count."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pycparser import c_ast

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import (
    FALSE,
    TRUE,
    Compare,
    Condition,
    Earlier,
    Junction,
    Relation,
    Truth,
    conjunction,
    depends_on_data,
    disjunction,
    negate,
    nonnegative,
    zero,
)
from estimator.algebra.integer import floor_divide, log2, maximum, minimum
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import condition_symbols, is_nonnegative, substitute_condition, symbols
from estimator.immutable import immutable
from estimator.ir.kernel import LaunchShape
from estimator.parse.nodes import nodes_of

if TYPE_CHECKING:
    from estimator.lower.iteration import Loop
    from estimator.lower.machine import CellKey, Machine
    from estimator.lower.recurrence import Recurrence


@immutable()
class TripCount:
    """`condition`: iteration `counter` happens; `count`: how many do, where that is a formula.

    `endless` loops have no bound of their own; something inside has to leave them.
    """

    condition: Condition
    count: Poly | None
    endless: bool = False


def counter_range(
    condition: Condition,
    counter: Symbol,
    launch: LaunchShape | None = None,
    *,
    only_way_out: bool = True,
) -> TripCount | None:
    """The iterations of a loop whose test in iteration `counter` is `condition`.

    None where the condition depends on data, or would never become false. A test that is the
    `only_way_out` is taken to end the loop: `i != n` to mean `i < n`. Extents of the
    `launch` are positive, as a grid of n - 2 blocks.
    """
    k = Poly.of(counter)
    started = nonnegative(k)
    if isinstance(condition, Truth):
        if condition.value:
            return TripCount(started, None, endless=True)
        return TripCount(condition, ZERO)
    if depends_on_data(condition) or counter not in condition_symbols(condition):
        return None
    is_no_step_back = launch.is_no_step_back if launch is not None else is_nonnegative
    falling = _falling(condition, counter, only_way_out, is_no_step_back)
    if falling is None:
        if _only_rises(condition, counter):
            return None
        fails = negate(condition)
        return TripCount(
            conjunction(started, Earlier(counter, fails, including_present=True, negated=True)),
            None,
        )
    return TripCount(conjunction(started, falling), _count(falling, counter))


def tested_again(condition: Condition, trips: TripCount, counter: Symbol) -> Condition:
    """Where the test of a loop is made in iteration `counter`, beyond the first: it held before."""
    k = Poly.of(counter)
    later = nonnegative(k - 1)
    if _looks_back(trips.condition):
        held = Earlier(counter, negate(condition), including_present=False, negated=True)
        return conjunction(later, held)
    return conjunction(later, substitute_condition(trips.condition, {counter: k - 1}))


def do_range(
    condition: Condition,
    counter: Symbol,
    launch: LaunchShape | None = None,
    *,
    only_way_out: bool = True,
) -> TripCount | None:
    """The same for `do`: `condition` is the test at the end of iteration `counter`."""
    if isinstance(condition, Truth) and not condition.value:
        return TripCount(zero(Poly.of(counter)), ONE)
    trips = counter_range(condition, counter, launch, only_way_out=only_way_out)
    if trips is None:
        return None
    if _looks_back(trips.condition):
        return None
    k = Poly.of(counter)
    before = substitute_condition(trips.condition, {counter: k - 1})
    if isinstance(condition, Truth):
        return TripCount(nonnegative(k), None, endless=True)
    first = zero(k)
    count = None if trips.count is None else trips.count + 1
    return TripCount(disjunction(first, conjunction(nonnegative(k - 1), before)), count)


def _looks_back(condition: Condition) -> bool:
    if isinstance(condition, Junction):
        return any(_looks_back(part) for part in condition.parts)
    return isinstance(condition, Earlier)


def _falling(
    condition: Condition,
    counter: Symbol,
    only_way_out: bool,
    is_no_step_back: Callable[[Poly], bool],
) -> Condition | None:
    """The condition in a form that, once false, stays false as the counter rises."""
    if isinstance(condition, Junction):
        only = only_way_out and not condition.every
        parts = [_falling(part, counter, only, is_no_step_back) for part in condition.parts]
        if any(part is None for part in parts):
            return None
        joined = [part for part in parts if part is not None]
        return conjunction(*joined) if condition.every else disjunction(*joined)
    if not isinstance(condition, Compare):
        return None
    powers = condition.poly.collect(counter)
    inside = {s for power in powers.values() for s in symbols(power)}
    if set(powers) - {0, 1} or counter in inside:
        return None
    slope = powers.get(1, ZERO)
    if not slope:
        return condition
    match condition.relation:
        case Relation.NONNEGATIVE:
            return condition if is_no_step_back(-slope) else None
        case Relation.NONZERO:
            return _until_zero(condition, powers.get(0, ZERO), slope, only_way_out)
    return None


def _until_zero(
    condition: Compare, distance: Poly, slope: Poly, only_way_out: bool
) -> Condition | None:
    """`i != n`, which is `i < n` where steps from a start below n meet it.

    Those that start beyond n, or step over it, go on to what else ends the loop.
    """
    if not _meets(distance, slope):
        return None if only_way_out else TRUE
    up = is_nonnegative(-slope)
    if not up and not is_nonnegative(slope):
        return None
    left = condition.poly if up else -condition.poly
    before = Compare(left - 1, Relation.NONNEGATIVE, condition.line)
    if only_way_out:
        return before
    step = slope.integer
    if step is None:
        return None
    first = distance if up else -distance
    beyond = FALSE if is_nonnegative(first) else nonnegative(-first - 1, condition.line)
    beside = negate(zero(first - floor_divide(first, Poly.of(abs(step))) * abs(step)))
    return disjunction(before, beyond, beside)


def _meets(distance: Poly, slope: Poly) -> bool:
    """Whether steps of `slope` can end on 0; certain not to only where both are numbers."""
    start, step = distance.integer, slope.integer
    return start is None or step is None or (start % step == 0 and -start // step >= 0)


def _only_rises(condition: Condition, counter: Symbol) -> bool:
    """Whether a single comparison, once true, would stay true for ever."""
    if isinstance(condition, Compare) and condition.relation is Relation.NONZERO:
        powers = condition.poly.collect(counter)
        return not _meets(powers.get(0, ZERO), powers.get(1, ZERO))
    return (
        isinstance(condition, Compare)
        and condition.relation is Relation.NONNEGATIVE
        and (is_nonnegative(condition.poly.coefficient(counter)))
    )


def _count(condition: Condition, counter: Symbol) -> Poly | None:
    parts = condition.parts if isinstance(condition, Junction) and condition.every else (condition,)
    counts: list[Poly] = []
    for part in parts:
        if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
            return None
        powers = part.poly.collect(counter)
        slope = -powers.get(1, ZERO)
        if not slope:
            return None
        counts.append(floor_divide(powers.get(0, ZERO), slope) + 1)
    count = counts[0]
    for other in counts[1:]:
        count = minimum(count, other)
    return count if is_nonnegative(count) else maximum(ZERO, count)


def geometric_trips(m: Machine, loop: Loop, stepping: dict[CellKey, Recurrence]) -> Poly | None:
    """The trip count of a loop that halves or doubles a variable down or up to a bound."""
    from estimator.algebra.atoms import Role
    from estimator.lower.convert import to_condition
    from estimator.lower.values import IntValue

    if loop.condition is None or not loop.tests_first:
        return None
    names = (node.name for node in nodes_of(loop.condition) if isinstance(node, c_ast.ID))
    tested = {m.lookup(name) for name in names}
    geometric = [(key, rec) for key, rec in stepping.items() if rec.factor and key in tested]
    if len(geometric) != 1:
        return None
    key, recurrence = geometric[0]
    assert isinstance(recurrence.start, IntValue)
    start = recurrence.start.poly
    value = Symbol("value", Role.PROBE)
    store = dict(m.store)
    m.dry += 1
    m.store[key] = IntValue(Poly.of(value), recurrence.start.type)
    condition = to_condition(m, m.evaluate(loop.condition), loop.condition)
    m.dry -= 1
    m.store = store
    if not isinstance(condition, Compare):
        return None
    # Each thread and iteration would have a count of its own, which sums cannot hold.
    for poly in (start, condition.poly):
        if poly.has_role(Role.UNKNOWN, Role.THREAD, Role.COUNTER):
            return None
    return _geometric_count(condition, value, start, recurrence.factor)


def _surely_positive(poly: Poly) -> bool:
    """Whether a number is above 0; sizes are taken to be."""
    value = poly.constant
    return value > 0 if value is not None else is_nonnegative(poly)


def _geometric_count(condition: Compare, value: Symbol, start: Poly, factor: int) -> Poly | None:
    """Down, start/f^k >= c ends after log_f(start/c) + 1; up, start*f^k <= b likewise."""
    exponent = abs(factor).bit_length() - 1
    if abs(factor) != 2**exponent:
        return None
    powers = condition.poly.collect(value)
    slope, rest = powers.get(1, ZERO).integer, powers.get(0, ZERO)
    if set(powers) - {0, 1} or slope is None:
        return None
    if condition.relation is Relation.NONZERO and factor < 0 and not rest:
        slope, rest = 1, Poly.of(-1)
    elif condition.relation is not Relation.NONNEGATIVE:
        return None
    if factor < 0 and slope > 0:
        lowest = -floor_divide(rest, Poly.of(slope))
        if not _surely_positive(lowest):
            return None  # it stays at 0 for ever
        ratio = floor_divide(start, lowest) if lowest != ONE else start
    elif factor > 0 and slope < 0:
        highest = floor_divide(rest, Poly.of(-slope))
        if not _surely_positive(start):
            return None  # 0 stays 0
        ratio = floor_divide(highest, start) if start != ONE else highest
    else:
        return None
    return floor_divide(log2(ratio), Poly.of(exponent)) + 1


__all__ = ["TRUE", "TripCount", "counter_range", "do_range", "geometric_trips"]
