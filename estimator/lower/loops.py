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

from dataclasses import dataclass

from pycparser import c_ast

from estimator.algebra.atoms import Atom, Bits, Power, Quotient, Role, Symbol
from estimator.algebra.condition import Condition, Truth, condition_is_known, negate
from estimator.algebra.poly import Poly
from estimator.algebra.walk import condition_polys
from estimator.ir.kernel import Domain, Piece
from estimator.lower.arithmetic import COMPARISONS
from estimator.lower.branches import havoc
from estimator.lower.convert import source_text, to_condition
from estimator.lower.exits import leave_early
from estimator.lower.machine import CellKey, LoopFrame, Machine, narrowed
from estimator.lower.pieces import union
from estimator.lower.ranges import TripCount, counter_range, geometric_trips
from estimator.lower.reached import changed_variables
from estimator.lower.recurrence import Recurrence, recurrences, settled, value_at
from estimator.lower.values import (
    PointerValue,
    Value,
    Variable,
)

# A loop over known numbers is run through up to this many iterations; one with a counter that
# enters in a way that sets cannot express, up to the second.
RUN_LIMIT = 4096
UNROLL_LIMIT = 64


@dataclass(frozen=True)
class Loop:
    """A loop's parts; `tests_first` is False for do … while."""

    node: c_ast.Node
    condition: c_ast.Node | None
    step: c_ast.Node | None
    body: c_ast.Node
    tests_first: bool


class _Unsuitable(Exception):
    """The loop does not have the form that was tried."""


def run_loop(m: Machine, loop: Loop) -> None:
    """Execute a loop; afterwards `m` is where the loop ends."""
    from estimator.lower.assigned import assigned_names

    names, through = assigned_names(m.unit.functions, loop.condition, loop.step, loop.body)
    changed = changed_variables(m, names, through)
    entry = _Entry(m)
    stepping = recurrences(m, loop, changed) if m.depth < 3 or not m.dry else {}
    for attempt in (_with_counter, _run_through):
        try:
            attempt(m, loop, changed, stepping)
        except _Unsuitable:
            entry.restore(m)
        else:
            return
    _with_unknown_trips(m, loop, changed, stepping)


class _Entry:
    """The state before a loop, to come back to when an attempt fails."""

    def __init__(self, m: Machine) -> None:
        self.live, self.store, self.marks = m.live, dict(m.store), m.marks()
        self.returned = len(m.frames[-1].returned)
        self.escapes, self.loops = m.escapes, len(m.loops)
        self.outer = [(len(f.breaks), len(f.continues), len(f.stores)) for f in m.loops]
        self.scopes = len(m.scopes)
        self.known = set(m.known_arrays)

    def restore(self, m: Machine) -> None:
        m.live, m.store = self.live, dict(self.store)
        m.rollback(self.marks)
        del m.frames[-1].returned[self.returned :]
        del m.loops[self.loops :]
        del m.scopes[self.scopes :]
        for frame, (breaks, continues, stores) in zip(m.loops, self.outer, strict=True):
            del frame.breaks[breaks:], frame.continues[continues:], frame.stores[stores:]
        m.escapes, m.known_arrays = self.escapes, self.known


def _iterate(m: Machine, loop: Loop) -> LoopFrame:
    """Execute the body and the step once; live is where the next iteration would start."""
    frame = LoopFrame()
    m.loops.append(frame)
    m.depth += 1
    start, escapes = m.live, m.escapes
    with m.scope():
        m.execute(loop.body)
    m.depth -= 1
    m.loops.pop()
    if frame.continues:
        m.live = union(start, [*(d for d in (*frame.continues, m.live) if not d.is_empty)])
        if m.escapes - escapes == len(frame.continues) and not frame.breaks:
            m.live = start
    if loop.step is not None and not m.live.is_empty:
        m.evaluate(loop.step)
    return frame


def _condition(m: Machine, loop: Loop) -> Condition:
    if loop.condition is None:
        return Truth(True)
    return to_condition(m, m.evaluate(loop.condition), loop.condition)


# -- with a counter --------------------------------------------------------------------------


def _with_counter(
    m: Machine, loop: Loop, changed: list[Variable], stepping: dict[CellKey, Recurrence]
) -> None:
    before, marks = m.live, m.marks()
    store = dict(m.store)
    returned = len(m.frames[-1].returned)
    counter = m.fresh_counter()
    k = Poly.of(counter)
    _bind(m, changed, stepping, k)
    m.live = Domain((*before.counters, counter), before.pieces)
    numbers, m.wants_numbers = m.wants_numbers, False
    start_store = dict(m.store)
    condition = _condition(m, loop)
    if loop.tests_first:
        trips = counter_range(condition, counter)
        if trips is None:
            raise _Unsuitable
        m.narrow(trips.condition)
        frame = _iterate(m, loop)
    else:
        m.store = start_store
        frame, trips = _do_iterations(m, loop, counter)
    inside_escapes = len(m.frames[-1].returned) > returned or bool(frame.breaks)
    awkward = m.wants_numbers or _is_awkward(m, marks, counter)
    awkward = awkward or any(
        isinstance(m.store.get(one), PointerValue)
        and ((way := stepping.get(one)) is None or not way.is_closed)
        for one in changed
    )  # such a pointer is known where the loop is run through
    m.wants_numbers = numbers
    if awkward and trips.count is not None and (trips.count.integer or 99) <= UNROLL_LIMIT:
        raise _Unsuitable
    after = before
    if inside_escapes:
        left = leave_early(m, before, counter, frame, marks, returned)
        if left is None:
            raise _Unsuitable
        after = left
    elif trips.endless:
        raise _Unsuitable
    _after_counter(m, store, changed, stepping, trips, bool(frame.breaks))
    m.live = after


def _do_iterations(m: Machine, loop: Loop, counter: Symbol) -> tuple[LoopFrame, TripCount]:
    """A do loop: iteration k runs if k = 0 or the test after iteration k − 1 held."""
    from estimator.lower.ranges import do_range

    probe_live, probe_store = m.live, dict(m.store)
    m.dry += 1
    try:
        _iterate(m, loop)
        condition = _condition(m, loop)
    finally:
        m.dry -= 1
    m.live, m.store = probe_live, probe_store
    trips = do_range(condition, counter)
    if trips is None:
        raise _Unsuitable
    m.narrow(trips.condition)
    frame = _iterate(m, loop)
    _condition(m, loop)
    return frame, trips


def _bind(
    m: Machine, changed: list[Variable], stepping: dict[CellKey, Recurrence], k: Poly
) -> None:
    """Give every changed variable its value at the start of iteration k."""
    for variable in changed:
        recurrence = stepping.get(variable)
        if recurrence is None or not recurrence.is_closed:
            havoc(m, variable)
        else:
            m.store[variable] = value_at(m, recurrence, k)


def _is_awkward(m: Machine, marks: tuple[int, int, int, int], counter: Symbol) -> bool:
    """Whether the counter stands where sets cannot say it: 2**k, k*threadIdx.x, bits of k."""
    polys: list[Poly] = [access.offset for access in m.kernel.accesses[marks[1] :]]
    domains: list[Domain] = []
    for things in (
        m.kernel.operations[marks[0] :],
        m.kernel.accesses[marks[1] :],
        m.kernel.syncs[marks[2] :],
    ):
        for thing in things:
            if not domains or thing.domain is not domains[-1]:
                domains.append(thing.domain)
    seen: set[int] = set()
    for domain in domains:
        if id(domain) in seen:
            continue
        seen.add(id(domain))
        for piece in domain.pieces:
            polys.extend(condition_polys(piece.condition))
    return any(_awkward_poly(poly, counter) for poly in polys)


def _awkward_poly(poly: Poly, counter: Symbol) -> bool:
    for monomial in poly.terms:
        indices = 0
        holds_counter = False
        for atom, power in monomial:
            if isinstance(atom, Symbol):
                indices += power * atom.is_index
                holds_counter = holds_counter or atom == counter
            elif Role.COUNTER in atom.roles and _mentions(atom, counter):
                if isinstance(atom, (Power, Bits, Quotient)):
                    return True
                indices += power
                holds_counter = True
        if holds_counter and indices > 1:
            return True
    return False


def _mentions(atom: Atom, counter: Symbol) -> bool:
    from estimator.algebra.walk import symbols

    return counter in symbols(Poly.of(atom))


def _after_counter(
    m: Machine,
    entry: dict[CellKey, Value],
    changed: list[Variable],
    stepping: dict[CellKey, Recurrence],
    trips: TripCount,
    left_early: bool,
) -> None:
    """The variables' values after the loop: after `trips` steps, or unknown."""
    for variable in changed:
        recurrence = stepping.get(variable)
        if recurrence is not None and recurrence.is_invariant:
            m.store[variable] = entry[variable]
        elif recurrence is None or not recurrence.is_closed or trips.count is None or left_early:
            m.store[variable] = settled(m, recurrence, entry[variable])
        else:
            m.store[variable] = value_at(m, recurrence, trips.count)


# -- run through -------------------------------------------------------------------------------


def _run_through(
    m: Machine, loop: Loop, changed: list[Variable], stepping: dict[CellKey, Recurrence]
) -> None:
    """Execute a loop over known numbers, one iteration after another."""
    del changed, stepping
    if m.dry:
        raise _Unsuitable
    before, escapes, returned = m.live, m.escapes, len(m.frames[-1].returned)
    left: list[Domain] = []
    stores: list[dict[CellKey, Value]] = []
    start = m.live
    for iteration in range(RUN_LIMIT):
        if loop.tests_first or iteration:
            condition = _condition(m, loop)
            if not isinstance(condition, Truth):
                raise _Unsuitable
            if not condition.value:
                break
        frame = _iterate(m, loop)
        left.extend(frame.breaks)
        stores.extend(frame.stores)
        if m.live.is_empty:
            break
    else:
        raise _Unsuitable
    if left:
        from estimator.lower.branches import merge_stores

        for store in stores:
            m.store = merge_stores(m, None, m.store, store)
        m.live = union(before, [d for d in (*left, m.live) if not d.is_empty])
        if len(m.frames[-1].returned) == returned:
            m.live = before
    elif m.escapes == escapes:
        m.live = start


# -- unknown trips -----------------------------------------------------------------------------


def _with_unknown_trips(
    m: Machine, loop: Loop, changed: list[Variable], stepping: dict[CellKey, Recurrence]
) -> None:
    """Execute the body once, `trips@LINE` times over."""
    before, store = m.live, dict(m.store)
    returned = len(m.frames[-1].returned)
    trips = geometric_trips(m, loop, stepping)
    if trips is None:
        upper = _upper_bound(m, loop, changed, stepping)
        what = (
            f"iterations of the loop: {source_text(loop.condition)}"
            if loop.condition
            else ("iterations of the loop")
        )
        lower = Poly.of(0 if loop.tests_first else 1)
        symbol = m.unknown("trips", loop.node, what, lower=lower, upper=upper)
        trips = Poly.of(symbol)
    for variable in changed:
        recurrence = stepping.get(variable)
        if recurrence is not None and recurrence.is_closed:
            k = Symbol(f"?{m.fresh_number()}", Role.UNKNOWN)
            m.store[variable] = value_at(m, recurrence, Poly.of(k))
        else:
            havoc(m, variable)
    m.live = weighted(before, trips)
    # The test itself runs once more than the body; its costs belong to both.
    if loop.condition is not None:
        m.live = weighted(before, trips + 1 if loop.tests_first else trips)
        _test_costs(m, loop.condition)
        m.live = weighted(before, trips)
    _iterate(m, loop)
    for variable in changed:
        if variable in store:
            m.store[variable] = settled(m, stepping.get(variable), store[variable])
    m.live = before
    if len(m.frames[-1].returned) > returned:
        meaning = "share of the threads that return inside the loop"
        leaves = Poly.of(
            m.unknown("p_return", loop.node, meaning, lower=Poly.of(0), upper=Poly.of(1))
        )
        m.live = weighted(before, 1 - leaves)


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
    m: Machine, loop: Loop, changed: list[Variable], stepping: dict[CellKey, Recurrence]
) -> Poly | None:
    """The trip count if only the parts of the condition that are known counted."""
    store, live = dict(m.store), m.live
    m.dry += 1
    try:
        counter = m.fresh_counter()
        _bind(m, changed, stepping, Poly.of(counter))
        condition = condition_is_known(_condition(m, loop))
        if condition is None:
            return None
        trips = counter_range(condition, counter)
        count = trips.count if trips is not None else None
        if count is None or count.has_role(Role.THREAD, Role.COUNTER, Role.UNKNOWN):
            return None
        return count
    finally:
        m.dry -= 1
        m.store, m.live = store, live


def weighted(domain: Domain, weight: Poly) -> Domain:
    """The domain, `weight` times over."""
    pieces = tuple(Piece(p.condition, p.weight * weight) for p in domain.pieces)
    return Domain(domain.counters, pieces)


__all__ = ["Loop", "narrowed", "run_loop", "weighted"]
