"""The numbers among which a condition can hold, as its bounds say at given sizes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import Compare, Condition, Junction, Relation
from estimator.algebra.poly import ZERO, Number, Poly

# More numbers are not tried one by one.
_MOST_TRIED = 1_000


def between(
    counter: Symbol, condition: Condition, number: Callable[[Poly], Number]
) -> range | None:
    """What a counter can be where the condition holds; None if its bounds do not say it.

    `number` evaluates what does not hold the counter, and may raise.
    """
    every = isinstance(condition, Junction) and condition.every
    parts = condition.parts if isinstance(condition, Junction) and every else (condition,)
    lowest: list[int] = []
    highest: list[int] = []
    for part in parts:
        if not isinstance(part, Compare) or part.relation is Relation.NONZERO:
            continue
        powers = part.poly.collect(counter)
        if set(powers) - {0, 1} or 1 not in powers:
            continue
        slope = number(powers[1])
        if not slope:
            continue
        end = Fraction(-number(powers.get(0, ZERO))) / slope
        if slope > 0 or part.relation is Relation.ZERO:
            lowest.append(ceil(end))
        if slope < 0 or part.relation is Relation.ZERO:
            highest.append(floor(end))
    if not lowest or not highest or min(highest) - max(lowest) > _MOST_TRIED:
        return None
    return range(max(lowest), min(highest) + 1)
