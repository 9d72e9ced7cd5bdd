"""Threads that share a loop in steps of a size that no set can say: `i = t; i < n; i += step`.

Thread v of T takes the iterations k with v + step*k < D. Counted the other way round,
iteration k is done by T threads as long as step*k <= D - T, and by the D - step*k that are
left until that is 0.
"""

from __future__ import annotations

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Cases
from estimator.algebra.condition import Compare, Condition, Relation, conjunction, nonnegative
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import condition_symbols, is_nonnegative, symbols


def count_strided(variables: tuple[Symbol, ...], parts: tuple[Condition, ...]) -> Cases | None:
    """The pairs of a thread and an iteration, where the parts are just this; else None.

    Steps are taken to be 1 or more.
    """
    if len(variables) != 2:
        return None
    for thread, counter in (variables, variables[::-1]):
        shared = [part for part in parts if {thread, counter} <= condition_symbols(part)]
        rest = [part for part in parts if part not in shared and part != _started(counter)]
        extent = _extent(thread, rest)
        if len(shared) == 1 and extent is not None and _started(counter) in parts:
            found = _bound(shared[0], thread, counter)
            if found is not None:
                return _count(extent, *found)
    return None


def _started(counter: Symbol) -> Condition:
    return Compare(Poly.of(counter), Relation.NONNEGATIVE)


def _extent(thread: Symbol, parts: list[Condition]) -> Poly | None:
    """T where the parts say 0 <= thread < T."""
    ends = [part for part in parts if part != _started(thread)]
    if len(ends) != 1 or len(parts) != 2 or not isinstance(ends[0], Compare):
        return None
    extent = ends[0].poly + Poly.of(thread) + 1
    if ends[0].relation is not Relation.NONNEGATIVE or thread in symbols(extent):
        return None
    return extent


def _bound(part: Condition, thread: Symbol, counter: Symbol) -> tuple[Poly, Poly] | None:
    """D and the step where a part says thread + step*counter < D."""
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return None
    powers = part.poly.collect(counter)
    step = -powers.get(1, ZERO)
    end = powers.get(0, ZERO) + Poly.of(thread) + 1
    indices = symbols(end) | symbols(step)
    if set(powers) - {0, 1} or {thread, counter} & indices or not is_nonnegative(step):
        return None
    return (end, step) if step else None


def _count(extent: Poly, end: Poly, step: Poly) -> Cases:
    all_of_them = floor_divide(end - extent, step) + 1
    some_of_them = floor_divide(end - 1, step) + 1
    few = _below(end, step, some_of_them)
    many = extent * all_of_them + few - _below(end, step, all_of_them)
    return Cases(
        (
            (nonnegative(end - extent), many),
            (conjunction(nonnegative(extent - end - 1), nonnegative(end - ONE)), few),
        )
    )


def _below(end: Poly, step: Poly, count: Poly) -> Poly:
    """The sum of end - step*k over k = 0, 1, … count - 1."""
    return count * end - step * count * (count - 1) / 2
