"""What conditions say at sizes: whether they hold, and which of their parts do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Sum
from estimator.algebra.condition import Compare, Condition, Junction, Relation
from estimator.algebra.evaluate import Undecided, holds
from estimator.algebra.poly import Number, Poly


def holds_at(condition: Condition, sample: Mapping[str, Number]) -> bool:
    """Whether a condition holds at sizes by name; one that they do not decide is taken to."""
    try:
        return holds(condition, sample)
    except (Undecided, KeyError, ZeroDivisionError):
        return True


def parts_that_hold(condition: Condition, sample: Mapping[str, Number]) -> tuple[Condition, ...]:
    """What a condition that holds takes: all of its parts, or the first alternative that holds."""
    if not isinstance(condition, Junction):
        return (condition,)
    if condition.every:
        return condition.parts
    first = next(part for part in condition.parts if holds_at(part, sample))
    return parts_that_hold(first, sample)


def is_size_guard(condition: Compare) -> bool:
    """Whether a condition only says that a size is at least some number."""
    lone = [m for m in condition.poly.terms if m]
    return len(lone) == 1 and condition.poly.terms[lone[0]] > 0 and condition.relation.value == ">="


def says_some(condition: Compare) -> bool:
    """Whether a condition only says that a size, or a product of sizes, is not 0."""
    values = condition.poly.terms.values()
    return is_size_guard(condition) and len(values) == 2 and sum(values) >= 0


def happens(counted: Sum, sample: Mapping[str, Number]) -> bool:
    """Whether a count is more than nothing at sizes."""
    return any(part.select(sample) for part in counted.parts)


def own_conditions(condition: Condition) -> Iterator[Compare]:
    """The comparisons of the program itself in a condition: those that have a line."""
    if isinstance(condition, Junction):
        for part in condition.parts:
            yield from own_conditions(part)
    elif isinstance(condition, Compare) and condition.line:
        yield condition


def values_outside(condition: Condition) -> tuple[Symbol | None, tuple[int, ...]]:
    """The size that a condition bounds by a number, and sizes next to and far from that bound
    that it does not hold for, at least 1; just 0 for what only is not 0."""
    if not isinstance(condition, Compare) or condition.relation is not Relation.NONNEGATIVE:
        return None, ()
    rest = condition.poly - condition.poly.constant_term
    ((monomial, slope),) = rest.terms.items() if len(rest.terms) == 1 else (((), 0),)
    size = Poly({monomial: 1}).atom
    if not isinstance(size, Symbol):
        return None, ()
    # slope*size + constant >= 0
    end = -condition.poly.constant_term / slope if slope else 0
    if slope > 0:
        last = -(-end // 1) - 1
        within = (last, last // 2, 1) if last else (0,)
        return size, tuple(dict.fromkeys(int(v) for v in within if 0 <= v <= last))
    first = end // 1 + 1
    return size, tuple(int(v) for v in (first, 2 * first) if v >= 1)
