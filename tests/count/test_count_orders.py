"""Conditions on sizes, said once and as short as they get."""

from __future__ import annotations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Compare, Relation
from estimator.algebra.poly import Poly
from estimator.count.orders import strongest

M, N = (Poly.of(Symbol(name, Role.PARAMETER)) for name in "MN")


def said(*conditions: tuple[Poly, Relation]) -> set[str]:
    return {c.key for c in strongest([Compare(poly, relation) for poly, relation in conditions])}


def test_a_weaker_bound_is_left_out() -> None:
    both = said((N - M, Relation.NONNEGATIVE), (N - M - 1, Relation.NONNEGATIVE))
    assert both == {Compare(N - M - 1, Relation.NONNEGATIVE).key}


def test_several_exceptions_are_a_bound() -> None:
    # M != 1, M != 3 and M != 4 hold from 5 on.
    found = said(*((M - value, Relation.NONZERO) for value in (1, 4, 3)))
    assert found == {Compare(M - 5, Relation.NONNEGATIVE).key}


def test_one_exception_stays() -> None:
    found = said((M - 3, Relation.NONZERO), (N - 7, Relation.NONZERO))
    assert found == {Compare(M - 3, Relation.NONZERO).key, Compare(N - 7, Relation.NONZERO).key}


def test_exceptions_join_a_bound() -> None:
    found = said(
        (M - 1, Relation.NONZERO), (M - 2, Relation.NONZERO), (M - 7, Relation.NONNEGATIVE)
    )
    assert found == {Compare(M - 7, Relation.NONNEGATIVE).key}
