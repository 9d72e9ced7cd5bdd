"""⌊a / b⌋ of sizes that divide evenly, next to some that do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil, floor
from typing import NamedTuple

from estimator.algebra.atoms import Atom, Floor, Role, Symbol
from estimator.algebra.condition import Compare, nonnegative
from estimator.algebra.poly import ZERO, Monomial, Number, Poly
from estimator.algebra.walk import symbols

_INDEX = (Role.THREAD, Role.COUNTER)


class Quotients(NamedTuple):
    """A quotient, by what monomials divide for it, and up to which size it is that."""

    quotient: Poly
    multiples: dict[Monomial, int]
    limit: Compare | None = None


def quotients_of(
    numerator: Poly,
    divisor: Number,
    stays: Callable[[Atom], bool],
    sample: Mapping[str, Number],
    given: Mapping[str, Number],
    orders: Mapping[str, Compare],
) -> Quotients:
    """⌊numerator / divisor⌋ where sizes divide.

    Sizes that `stay` keep their rounding unless they divide as they are, but for one that makes
    no difference at the size in the sample, and so does one that was given:
    ⌊(n + c)/2⌋ is n/2 for c <= 1. Next to an index nothing is divided. A size that the `orders`
    taken so far limit is not limited further.
    """

    def is_small(atom: Atom) -> bool:
        return isinstance(atom, Symbol) and 0 <= given.get(atom.name, -1) < divisor

    with_given = _divided(numerator, divisor, is_small, given, orders)
    return with_given if with_given.limit else _divided(numerator, divisor, stays, sample, orders)


def _divided(
    numerator: Poly,
    divisor: Number,
    stays: Callable[[Atom], bool],
    sample: Mapping[str, Number],
    orders: Mapping[str, Compare],
) -> Quotients:
    whole: dict[Monomial, Number] = {}
    kept: dict[Monomial, Number] = {}
    multiples: dict[Monomial, int] = {}
    for monomial, share in (numerator / divisor).terms.items():
        if any(not atom.roles.isdisjoint(_INDEX) for atom, _ in monomial):
            return Quotients(Poly.of(Floor(numerator, Poly.of(divisor))), {})
        if monomial and share.denominator != 1:
            if any(stays(atom) for atom, _ in monomial):
                kept[monomial] = share
                continue
            multiples[monomial] = share.denominator
        (whole if monomial else kept)[monomial] = share
    if kept.keys() <= {()}:
        return Quotients(Poly(whole) + floor(kept.get((), 0)), multiples)
    rest = Poly(kept) * divisor
    number, limit = _rounded(rest, divisor, sample)
    if limit is not None and limit.key not in orders:
        inside = symbols(limit.poly)
        if any(symbols(order.poly) == inside for order in orders.values()):
            limit = None
    if limit is None:
        number = Poly.of(Floor(rest, Poly.of(divisor)))
    return Quotients(Poly(whole) + number, multiples, limit)


def _rounded(
    kept: Poly, divisor: Number, sample: Mapping[str, Number]
) -> tuple[Poly, Compare | None]:
    """⌊kept / divisor⌋ as a number, and the size up to which it is that one; None where the sample
    exceeds it."""
    constant = kept.constant_term
    (monomial, share), *others = (kept - constant).terms.items()
    size = Poly({monomial: 1}).atom
    if others or not isinstance(size, Symbol) or share < 0 or divisor < 0:
        return ZERO, None
    least = floor(constant / divisor)
    most = ceil((divisor * (least + 1) - constant) / share) - 1
    limit = nonnegative(most - Poly.of(size))
    if sample.get(size.name, most + 1) > most or not isinstance(limit, Compare):
        return ZERO, None
    return Poly.of(least), limit
