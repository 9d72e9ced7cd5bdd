"""Which conditions on sizes say something that the others do not."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import floor

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import Compare, Relation
from estimator.algebra.poly import Number, Poly
from estimator.algebra.walk import is_nonnegative, symbols


def strongest(conditions: list[Compare]) -> list[Compare]:
    """The conditions without those that follow from others: N >= M + 1, not N >= M too."""
    tightest: dict[tuple[str, str], Compare] = {}
    for condition in _beyond_exceptions(conditions):
        key = (_without_constant(condition), condition.relation.value)
        before = tightest.get(key)
        if before is None or condition.poly.constant_term < before.poly.constant_term:
            tightest[key] = condition
    kept = list(tightest.values())
    linear = [c for c in kept if c.relation is Relation.NONNEGATIVE and c.poly.degree() == 1]
    for weak in linear:
        # Sizes are not negative: N >= 4*M says that N >= 2*M, too.
        if any(c is not weak and is_nonnegative(weak.poly - c.poly) for c in linear):
            kept.remove(weak)
    linear = [c for c in linear if c in kept]
    for weak in list(linear):
        # N >= 4096 and M <= 4095 say that N >= M + 1.
        others = [c for c in linear if c is not weak and len(c.poly.terms) < len(weak.poly.terms)]
        if any(is_nonnegative(weak.poly - a.poly - b.poly) for a, b in combinations(others, 2)):
            linear.remove(weak)
            kept.remove(weak)
    return [c for c in kept if c in linear or not _follows(c, linear)]


def _beyond_exceptions(conditions: list[Compare]) -> list[Compare]:
    """Several values that a size has not are said as one: M >= 5, for M != 1, M != 3, M != 4."""
    exceptions: dict[Symbol, dict[Number, Compare]] = {}
    kept: list[Compare] = []
    for condition in conditions:
        powers = condition.poly - condition.poly.constant_term
        ((monomial, slope),) = powers.terms.items() if len(powers.terms) == 1 else (((), 0),)
        size = Poly({monomial: 1}).atom
        if condition.relation is Relation.NONZERO and isinstance(size, Symbol):
            value = -condition.poly.constant_term / Fraction(slope)
            exceptions.setdefault(size, {})[value] = condition
        else:
            kept.append(condition)
    for size, values in exceptions.items():
        if len(values) == 1:
            kept += values.values()
        else:
            kept.append(Compare(Poly.of(size) - floor(max(values)) - 1, Relation.NONNEGATIVE))
    return kept


def _without_constant(condition: Compare) -> str:
    if condition.relation is not Relation.NONNEGATIVE:
        return condition.key
    return (condition.poly - condition.poly.constant_term).key


def _follows(condition: Compare, linear: list[Compare]) -> bool:
    """Whether a nonlinear condition holds with every size at its least: H = K + h, h >= 0."""
    if condition.relation is not Relation.NONNEGATIVE:
        return False
    poly = condition.poly
    for given in linear:
        for symbol in sorted(symbols(given.poly)):
            if given.poly.terms.get(((symbol, 1),)) == 1 and _is_free(symbol, given.poly):
                poly = poly.replace({symbol: 2 * Poly.of(symbol) - given.poly})
                break
    return all(value > 0 for value in poly.terms.values())


def _is_free(symbol: Symbol, poly: Poly) -> bool:
    """Whether a symbol stands in one term only."""
    return sum(symbol in symbols(Poly({m: 1})) for m in poly.terms) == 1
