"""Conditions that follow from others: what isl need not be told."""

from __future__ import annotations

from collections.abc import Iterable

from estimator.algebra.atoms import Role
from estimator.algebra.condition import TRUE, Compare, Condition, Relation
from estimator.algebra.poly import ZERO, Monomial, Number, Poly
from estimator.count.peel import at_least

_INDICES = frozenset((Role.THREAD, Role.COUNTER))


def without_implied_bounds(conditions: Iterable[Condition]) -> list[Condition]:
    """The conditions, of several bounds on the same indices only those not seen to be implied.

    `i < n` says that `i < 32*⌈n/32⌉`, whose division costs isl far more than it says.
    """
    found: dict[object, list[tuple[Condition, Poly]]] = {}
    for condition in conditions:
        if condition == TRUE:
            continue
        if not isinstance(condition, Compare) or condition.relation is not Relation.NONNEGATIVE:
            found.setdefault(condition.key, [(condition, ZERO)])
            continue
        index, rest = _split(condition.poly)
        group = found.setdefault(index, [])
        if not any(at_least(rest, tighter) for _, tighter in group):
            group[:] = [(each, looser) for each, looser in group if not at_least(looser, rest)]
            group.append((condition, rest))
    return [condition for group in found.values() for condition, _ in group]


def _split(poly: Poly) -> tuple[frozenset[tuple[Monomial, Number]], Poly]:
    """The terms with indices, and what is left."""
    index: list[tuple[Monomial, Number]] = []
    rest: dict[Monomial, Number] = {}
    for monomial, coefficient in poly.terms.items():
        if any(not atom.roles.isdisjoint(_INDICES) for atom, _ in monomial):
            index.append((monomial, coefficient))
        else:
            rest[monomial] = coefficient
    return frozenset(index), Poly(rest)
