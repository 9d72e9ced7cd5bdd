"""Counting what sets cannot say: loops as long as a polynomial of the indices around them.

The innermost index has as many values as its bounds say, a polynomial; that one is summed over
the next index, and so on. Sums of powers are polynomials themselves (Faulhaber's formula: Knuth,
The Art of Computer Programming, vol. 1, section 1.2.11.2).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Cases, restrict
from estimator.algebra.condition import Compare, Condition, Relation, conjunction, nonnegative
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import condition_symbols, symbols
from estimator.count.peel import at_least, bounds_among

_HIGHEST_POWER = 12


def count_by_index(variables: tuple[Symbol, ...], parts: tuple[Condition, ...]) -> Cases | None:
    """The number of values for which all parts hold, summed index by index, innermost first.

    None where an index has no bounds, or might have fewer than no values between them.
    """
    left, rest = list(variables), list(parts)
    total, given = ONE, conjunction()
    while left:
        for variable in reversed(left):
            mine = [part for part in rest if variable in condition_symbols(part)]
            bounds = bounds_among(variable, mine, set(left))
            others = [part for part in rest if part not in mine]
            step = None if bounds is None else _summed(total, variable, *bounds)
            if bounds is None or step is None:
                continue
            extent = bounds[1] - bounds[0] + 1
            if not is_length(extent, others):
                if symbols(extent) & set(left):
                    continue
                given = conjunction(given, nonnegative(extent))
            left.remove(variable)
            total, rest = step, others
            break
        else:
            return None
    return restrict(Cases.of(total), conjunction(given, *rest))


def is_length(extent: Poly, parts: list[Condition]) -> bool:
    """Whether a number of values is never below 0, alone or as one of the parts says."""
    return at_least(extent, ZERO) or any(
        isinstance(part, Compare)
        and part.relation is Relation.NONNEGATIVE
        and at_least(extent, part.poly)
        for part in parts
    )


def _summed(term: Poly, variable: Symbol, low: Poly, high: Poly) -> Poly | None:
    """The sum of a term over low <= variable <= high; None if it is no polynomial in it."""
    powers = term.collect(variable)
    if max(powers, default=0) > _HIGHEST_POWER:
        return None
    if any(variable in symbols(factor) for factor in powers.values()):
        return None
    total = ZERO
    for power, factor in powers.items():
        upper, lower = _power_sum(power, high), _power_sum(power, low - 1)
        total = total + factor * (upper - lower)
    return total


def _power_sum(power: int, last: Poly) -> Poly:
    """0^power + 1^power + ... + last^power."""
    total = ZERO
    for coefficient in reversed(_coefficients(power)):
        total = total * (last + 1) + coefficient
    return total


@lru_cache
def _coefficients(power: int) -> tuple[Poly, ...]:
    """The sum of v^power for 0 <= v < n as a polynomial in n, lowest coefficient first.

    By (k + 1)·S_k(n) = n^(k + 1) - sum of C(k + 1, j)·S_j(n) over j < k.
    """
    found = [ZERO] * (power + 1) + [ONE]
    for lower in range(power):
        for n, coefficient in enumerate(_coefficients(lower)):
            found[n] = found[n] - coefficient * comb(power + 1, lower)
    return tuple(coefficient / (power + 1) for coefficient in found)
