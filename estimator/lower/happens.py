"""Whether a condition holds in some iteration of a loop, without the counter where that is easy."""

from __future__ import annotations

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import (
    Compare,
    Condition,
    Exists,
    Junction,
    Relation,
    conjunction,
    disjunction,
    nonnegative,
)
from estimator.algebra.poly import Poly
from estimator.algebra.walk import condition_symbols, substitute_condition, symbols

# With more bounds than these, leaving the counter in is shorter.
_MOST_PAIRS = 12


def happens(counter: Symbol, condition: Condition) -> Condition:
    """For some value of `counter` the condition holds.

    An equation that fixes the counter is put in; bounds of a counter without a factor are
    compared pair by pair, which is exact for integers (Fourier-Motzkin). Otherwise the answer
    is an `Exists`.
    """
    if counter not in condition_symbols(condition):
        return condition
    if isinstance(condition, Junction) and not condition.every:
        return disjunction(*(happens(counter, part) for part in condition.parts))
    parts = condition.parts if isinstance(condition, Junction) else (condition,)
    for part in parts:
        if isinstance(part, Compare) and part.relation is Relation.ZERO:
            slope, rest = _linear(part.poly, counter)
            if slope in (1, -1):
                return substitute_condition(condition, {counter: -slope * rest})
    return _between(counter, parts) or Exists(counter, condition, negated=False)


def _linear(poly: Poly, counter: Symbol) -> tuple[int | None, Poly]:
    """`slope*counter + rest`, if the slope is a number; else no slope."""
    powers = poly.collect(counter)
    slope, rest = powers.get(1, Poly.of(0)).integer, powers.get(0, Poly.of(0))
    if set(powers) - {0, 1} or counter in symbols(rest):
        return None, rest
    return slope, rest


def _between(counter: Symbol, parts: tuple[Condition, ...]) -> Condition | None:
    """The condition that every lower bound is at most every upper bound."""
    others: list[Condition] = []
    lower: list[tuple[Poly, int]] = []
    upper: list[tuple[Poly, int]] = []
    for part in parts:
        if counter not in condition_symbols(part):
            others.append(part)
            continue
        if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
            return None
        slope, rest = _linear(part.poly, counter)
        if slope not in (1, -1):
            return None
        (lower if slope == 1 else upper).append((rest, part.line))
    if len(lower) * len(upper) > _MOST_PAIRS:
        return None
    pairs = [nonnegative(low + high, line) for low, line in lower for high, _ in upper]
    return conjunction(*others, *pairs)
