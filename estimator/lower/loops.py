"""Loops: executed once for all iterations, run through, or given a trip count with a name.

1. The body is executed with every variable that it changes set to a symbol, recording
   nothing. What the variables hold at its end shows how they step.
2. If they step by constants and the condition speaks of them alone, a counter takes their
   place: the body is executed once more, for iteration `k`, with the condition as the
   counter's range. `break` takes later iterations away.
3. A loop over known numbers that has no such form (`s >>= 1`) is run through.
4. Everything else depends on data: its trip count is the unknown `trips@LINE`.
"""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import (
    TRUE,
    Condition,
    condition_is_known,
    negate,
    zero,
)
from estimator.algebra.poly import Poly
from estimator.ir.kernel import Domain
from estimator.lower.arithmetic import COMPARISONS
from estimator.lower.assigned import assigned_names
from estimator.lower.awkward import is_awkward
from estimator.lower.branches import havoc, unknowns_of
from estimator.lower.convert import to_condition
from estimator.lower.countdown import before_wrapping
from estimator.lower.entering import entered_in, note_steps, weighted
from estimator.lower.exits import carry, leave_early, leave_sometime, leaving_count, strays
from estimator.lower.iteration import LeftOnData, Loop, Unsuitable, iterate, test_of
from estimator.lower.machine import CellKey, LoopFrame, Machine
from estimator.lower.pieces import narrowed, union
from estimator.lower.ranges import TripCount, counter_range, geometric_trips, tested_again
from estimator.lower.reached import changed_variables
from estimator.lower.recurrence import Recurrence, recurrences, settled, somewhere, value_at
from estimator.lower.running import LEFT_ON_DATA_LIMIT, run_through
from estimator.lower.values import PointerValue, Value
from estimator.lower.wording import source_text
from estimator.source import codes

# A loop with a counter that enters in a way that sets cannot express is run through up to this
# many iterations.
UNROLL_LIMIT = 64
# Each loop around another is tried in several ways, so deep nests take long.
NESTING_LIMIT = 24
# Finding out how a loop runs is as much work as this many statements.
_STEPS = 12
# How a loop steps is looked for to this depth, in a body that is executed to see how it steps.
_PROBED_DEPTH = 3


def run_loop(m: Machine, loop: Loop) -> None:
    """Execute a loop; afterwards `m` is where the loop ends."""
    if m.depth >= NESTING_LIMIT:
        raise m.fail(
            codes.TOO_LARGE, loop.node, f"more than {NESTING_LIMIT} loops inside each other"
        )
    m.step(loop.node, _STEPS)
    names, through = assigned_names(m.unit.functions, loop.condition, loop.step, loop.body)
    changed = changed_variables(m, names, through)
    if m.dry and m.depth >= _PROBED_DEPTH:
        _with_unknown_trips(m, loop, changed, {})
        return
    entry = _Entry(m)
    stepping = recurrences(m, loop, changed)
    path = (id(loop.node), *(id(frame.call) for frame in m.frames))
    for attempt in (_with_counter, run_through) if path not in m.unsuited else ():
        try:
            attempt(m, loop, changed, stepping)
        except Unsuitable as reason:
            entry.restore(m)
            if isinstance(reason, LeftOnData):
                break
        else:
            return
    if not m.dry:
        # A loop around this one may be tried in another way, where less is known.
        m.unsuited.add(path)
    _with_unknown_trips(m, loop, changed, stepping)


class _Entry:
    """The state before a loop, to come back to when an attempt fails."""

    def __init__(self, m: Machine) -> None:
        self.live, self.store, self.marks = m.live, dict(m.store), m.marks()
        self.exits = len(m.frames[-1].exits)
        self.escapes, self.loops = m.escapes, len(m.loops)
        self.outer = [(len(f.breaks), len(f.continues)) for f in m.loops]
        self.scopes = len(m.scopes)
        self.known = set(m.known_arrays)

    def restore(self, m: Machine) -> None:
        m.live, m.store = self.live, dict(self.store)
        m.rollback(self.marks)
        del m.frames[-1].exits[self.exits :]
        del m.loops[self.loops :]
        del m.scopes[self.scopes :]
        for frame, (breaks, continues) in zip(m.loops, self.outer, strict=True):
            del frame.breaks[breaks:], frame.continues[continues:]
            del frame.stores[breaks:], frame.continued[continues:]
        m.escapes, m.known_arrays = self.escapes, self.known


# -- with a counter --------------------------------------------------------------------------


def _with_counter(
    m: Machine, loop: Loop, changed: list[CellKey], stepping: dict[CellKey, Recurrence]
) -> None:
    before, marks, store = m.live, m.marks(), dict(m.store)
    exits = len(m.frames[-1].exits)
    counter = m.fresh_counter()
    _bind(m, changed, stepping, Poly.of(counter))
    m.live = Domain((*before.counters, counter), before.pieces)
    numbers, m.wants_numbers = m.wants_numbers, False
    start_store = dict(m.store)
    condition: Condition = TRUE
    if loop.tests_first:
        condition = before_wrapping(m, test_of(m, loop), counter)
        launch, only = m.kernel.launch, not loop.has_other_exits
        trips = counter_range(condition, counter, launch, only_way_out=only)
        if trips is None:
            raise Unsuitable
        _count_tests(m, marks, condition, trips, counter)
        m.narrow(trips.condition)
        frame = iterate(m, loop)
    else:
        frame, trips = _do_iterations(m, loop, counter)
    out = m.frames[-1].exits[exits:]
    gone = strays(changed, start_store, frame.stores)
    awkward = m.wants_numbers or is_awkward(m, marks, counter)
    # Where the loop is run through, more is known of these.
    awkward = awkward or bool(gone) or _loses_pointer(m, changed, stepping)
    m.wants_numbers = numbers
    if awkward and trips.count is not None and (trips.count.integer or 99) <= UNROLL_LIMIT:
        raise Unsuitable
    after = before
    if out or frame.breaks:
        left = leave_early(m, before, counter, frame, marks, exits)
        if left is None:
            if trips.count is not None and (trips.count.integer or 0) > LEFT_ON_DATA_LIMIT:
                raise LeftOnData
            raise Unsuitable
        after = left
    elif trips.endless:
        raise Unsuitable
    note_steps(m, stepping)
    gone_out = strays(changed, start_store, [one.store for one in out])
    ways = [*frame.breaks, *(one.domain for one in out)]
    count = None
    # A way out after some variables have stepped would leave them a step ahead.
    if len(ways) == 1 and loop.tests_first and all(e.label for e in out) and not gone + gone_out:
        count = leaving_count(condition, trips.condition, before, counter, ways[0])
    if out:
        _after_counter(m, store, changed, stepping, count)
        carry(m, exits, gone_out, lost=True)
    by_test = count is None and not frame.breaks
    if by_test:
        count = trips.count
    _after_counter(m, store, changed, stepping, count)
    for variable in gone:
        ends = [one.get(variable) for one in frame.stores]
        _let_go(m, variable, stepping.get(variable), store[variable], ends)
    m.live = after
    if by_test and loop.tests_first:
        _end_by_test(m, loop)


def _let_go(
    m: Machine, variable: CellKey, way: Recurrence | None, start: Value, ends: list[Value | None]
) -> None:
    """Give up what a variable is that ways out of a loop leave with different values."""
    if _in_one_array(start, ends):
        m.store[variable] = somewhere(m, way, start)
    else:
        havoc(m, variable)
    if way is not None and way.is_closed:
        m.lost |= unknowns_of(m.store.get(variable))


def _in_one_array(start: Value, ends: list[Value | None]) -> bool:
    """Whether a pointer leads to its array in every way out of a loop."""
    return isinstance(start, PointerValue) and all(
        isinstance(end, PointerValue) and end.base is start.base for end in ends
    )


def _loses_pointer(m: Machine, changed: list[CellKey], stepping: dict[CellKey, Recurrence]) -> bool:
    """Whether a pointer is not followed."""
    return any(
        isinstance(m.store.get(one), PointerValue)
        and ((way := stepping.get(one)) is None or not way.is_closed)
        for one in changed
    )


def _count_tests(
    m: Machine,
    marks: tuple[int, int, int, int],
    condition: Condition,
    trips: TripCount,
    counter: Symbol,
) -> None:
    """Give what the test has recorded since `marks` its iterations: one more than the body has."""
    if m.marks() == marks:
        return
    first, later = zero(Poly.of(counter)), tested_again(condition, trips, counter)

    def tests(domain: Domain) -> Domain:
        pieces = (*narrowed(domain, first).pieces, *narrowed(domain, later).pieces)
        return Domain(domain.counters, pieces)

    m.rewrite(marks, tests)


def _end_by_test(m: Machine, loop: Loop) -> None:
    """Do to the variables what the test does that ends the loop; its costs are counted."""
    if loop.condition is None or not any(assigned_names(m.unit.functions, loop.condition)):
        return
    m.dry += 1
    try:
        m.evaluate(loop.condition)
    finally:
        m.dry -= 1


def _do_iterations(m: Machine, loop: Loop, counter: Symbol) -> tuple[LoopFrame, TripCount]:
    """A do loop: iteration k runs if k = 0 or the test after iteration k − 1 held."""
    from estimator.lower.ranges import do_range

    probe = _Entry(m)
    m.dry += 1
    try:
        iterate(m, loop)
        condition = before_wrapping(m, test_of(m, loop), counter)
    finally:
        m.dry -= 1
    probe.restore(m)
    trips = do_range(condition, counter, m.kernel.launch, only_way_out=not loop.has_other_exits)
    if trips is None:
        raise Unsuitable
    m.narrow(trips.condition)
    frame = iterate(m, loop)
    test_of(m, loop)
    return frame, trips


def _bind(m: Machine, changed: list[CellKey], stepping: dict[CellKey, Recurrence], k: Poly) -> None:
    """Give every changed variable its value at the start of iteration k."""
    for variable in changed:
        recurrence = stepping.get(variable)
        if recurrence is None:
            havoc(m, variable)
        elif not recurrence.is_closed:
            m.store[variable] = somewhere(m, recurrence, m.store[variable])
        else:
            m.store[variable] = value_at(m, recurrence, k)


def _after_counter(
    m: Machine,
    entry: dict[CellKey, Value],
    changed: list[CellKey],
    stepping: dict[CellKey, Recurrence],
    count: Poly | None,
) -> None:
    """The variables' values after the loop: after `count` steps, or unknown."""
    for variable in changed:
        recurrence = stepping.get(variable)
        if recurrence is not None and recurrence.is_invariant:
            m.store[variable] = entry[variable]
        elif recurrence is None or not recurrence.is_closed or count is None:
            _settle(m, variable, recurrence, entry[variable])
            if recurrence is not None and recurrence.is_closed:
                m.lost |= unknowns_of(m.store[variable])
        else:
            m.store[variable] = value_at(m, recurrence, count)


def _settle(m: Machine, key: CellKey, way: Recurrence | None, start: Value) -> None:
    """Give a variable, or what an array holds, its value after any number of iterations."""
    m.store[key] = settled(m, way, start)
    if way is None and isinstance(key, tuple):
        havoc(m, key)


# -- unknown trips -----------------------------------------------------------------------------


def _with_unknown_trips(
    m: Machine, loop: Loop, changed: list[CellKey], stepping: dict[CellKey, Recurrence]
) -> None:
    """Execute the body once, `trips@LINE` times over, or as often as it halves or doubles."""
    trips = geometric_trips(m, loop, stepping)
    entry = _Entry(m)
    entered, runs, lost = entered_in(m, loop)
    if trips is not None:
        if not _repeat(m, loop, changed, stepping, trips, entered):
            return
        entry.restore(m)  # somebody leaves it, so these are the most that it can have
    upper = trips or _upper_bound(m, loop, changed, stepping)
    what = "iterations of the loop"
    if loop.condition:
        what += f": {source_text(m, loop.condition)}"
    lower = Poly.of(0 if loop.tests_first and not runs else 1)
    symbol = m.unknown("trips", loop.node, what, lower=lower, upper=upper)
    _repeat(m, loop, changed, stepping, Poly.of(symbol), entered)
    for variable in changed if lost else ():
        m.lost |= unknowns_of(m.store.get(variable))


def _repeat(
    m: Machine,
    loop: Loop,
    changed: list[CellKey],
    stepping: dict[CellKey, Recurrence],
    trips: Poly,
    entered: Domain,
) -> bool:
    """Execute the body once, `trips` times over, where the loop runs; whether it is left early."""
    before, store, exits = m.live, dict(m.store), len(m.frames[-1].exits)
    for variable in changed:
        recurrence = stepping.get(variable)
        if recurrence is not None and recurrence.is_closed:
            k = Symbol(f"?{m.fresh_number()}", Role.UNKNOWN)
            m.store[variable] = value_at(m, recurrence, Poly.of(k))
        elif variable in m.store and recurrence is None:
            havoc(m, variable)
        elif variable in m.store:
            m.store[variable] = somewhere(m, recurrence, m.store[variable])
    # The test itself runs once more than the body; its costs belong to both.
    if loop.condition is not None:
        once = [before] if loop.tests_first else []
        m.live = union(before, [*once, weighted(entered, trips)])
        _test_costs(m, loop.condition)
    m.live = weighted(entered, trips)
    start_store = dict(m.store)
    frame = iterate(m, loop)
    for variable in changed:
        if variable in store:
            _settle(m, variable, stepping.get(variable), store[variable])
    out = m.frames[-1].exits[exits:]
    left = bool(frame.breaks or out)
    m.live = leave_sometime(m, before, loop.node, exits)
    carry(m, exits, strays(changed, start_store, [one.store for one in out]))
    for variable in strays(changed, start_store, frame.stores):
        havoc(m, variable)
    return left


def _test_costs(m: Machine, node: c_ast.Node) -> None:
    """Execute a loop's test for what it costs; whether it holds is what the trips count."""
    if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
        before = m.live
        left = to_condition(m, m.evaluate(node.left), node.left)
        m.narrow(left if node.op == "&&" else negate(left))
        _test_costs(m, node.right)
        m.live = before
    elif isinstance(node, c_ast.BinaryOp) and node.op in COMPARISONS:
        m.evaluate(node.left)
        m.evaluate(node.right)
    elif isinstance(node, c_ast.UnaryOp) and node.op == "!":
        _test_costs(m, node.expr)
    else:
        m.evaluate(node)


def _upper_bound(
    m: Machine, loop: Loop, changed: list[CellKey], stepping: dict[CellKey, Recurrence]
) -> Poly | None:
    """The trip count if only the parts of the condition that are known counted."""
    store, live = dict(m.store), m.live
    m.dry += 1
    try:
        counter = m.fresh_counter()
        _bind(m, changed, stepping, Poly.of(counter))
        condition = condition_is_known(test_of(m, loop))
        if condition is None:
            return None
        trips = counter_range(condition, counter, m.kernel.launch, only_way_out=False)
        count = trips.count if trips is not None else None
        if count is None or count.has_role(Role.THREAD, Role.COUNTER, Role.UNKNOWN):
            return None
        return count
    finally:
        m.dry -= 1
        m.store, m.live = store, live


__all__ = ["Loop", "narrowed", "run_loop", "weighted"]
