"""Leaving a loop early: what `break` and `return` take away from later iterations."""

from __future__ import annotations

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import (
    Condition,
    Earlier,
    Exists,
    Junction,
    conjunction,
    disjunction,
    negate,
)
from estimator.algebra.poly import Poly
from estimator.ir.kernel import Domain
from estimator.lower.machine import LoopFrame, Machine, narrowed
from estimator.lower.ranges import counter_range

Marks = tuple[int, int, int, int]


def leave_early(
    m: Machine, before: Domain, counter: Symbol, frame: LoopFrame, marks: Marks, returned: int
) -> Domain | None:
    """Take the iterations after a `break` or `return` out of what the loop recorded.

    Gives the domain after the loop; None where data decides who leaves.
    """
    returns = [domain for domain, _ in m.frames[-1].returned[returned:]]
    exits = [*frame.breaks, *returns]
    if any(not _same_weight(domain, before) for domain in exits):
        return None
    leaves = disjunction(*(_condition(domain, before, counter) for domain in exits))
    stays = Earlier(counter, leaves, including_present=False, negated=True)
    m.rewrite(marks, lambda domain: narrowed(domain, stays))
    m.frames[-1].returned[returned:] = [
        (narrowed(domain, stays), value) for domain, value in m.frames[-1].returned[returned:]
    ]
    if not returns:
        return before
    gone = conjunction(disjunction(*(_condition(d, before, counter) for d in returns)), stays)
    return narrowed(before, Exists(counter, gone, negated=True))


def leaving_count(
    condition: Condition, started: Condition, before: Domain, counter: Symbol, frame: LoopFrame
) -> Poly | None:
    """How many iterations end before one that a single `break` leaves, or the loop's test ends.

    `condition` is the loop's test, `started` the range of its iterations.
    """
    if len(frame.breaks) != 1:
        return None
    leaves = relative(_condition(frame.breaks[0], before, counter), started)
    trips = counter_range(conjunction(condition, negate(leaves)), counter)
    return None if trips is None else trips.count


def _same_weight(domain: Domain, before: Domain) -> bool:
    weights = {piece.weight for piece in before.pieces}
    return all(piece.weight in weights for piece in domain.pieces)


def _condition(domain: Domain, before: Domain, counter: Symbol) -> Condition:
    """Who leaves in an iteration, beyond the condition of being in the loop at all."""
    shared = before.pieces[0].condition if len(before.pieces) == 1 else None
    condition = disjunction(*(relative(piece.condition, shared) for piece in domain.pieces))
    for inner in reversed(domain.counters[len(before.counters) :]):
        if inner != counter:
            condition = Exists(inner, condition, negated=False)
    return condition


def relative(condition: Condition, given: Condition | None) -> Condition:
    """The condition without the parts that are given already."""
    if given is None:
        return condition
    known = given.parts if isinstance(given, Junction) and given.every else (given,)
    if isinstance(condition, Junction) and condition.every:
        return conjunction(*(part for part in condition.parts if part not in known))
    return conjunction(*([] if condition in known else [condition]))
