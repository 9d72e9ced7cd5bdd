"""Proofs that a polynomial keeps one sign, whatever the sizes.

Every symbol s is written as lower + t with t ≥ 0; a polynomial in the t's whose coefficients
all have one sign has that sign. Roundings are replaced by what they lie between. The test
is sound and not complete: None means "not shown", not "changes".
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from estimator.algebra.atoms import Atom, Floor, Role, Symbol
from estimator.algebra.poly import Monomial, Number, Poly
from estimator.algebra.walk import is_nonnegative, symbols

_ROUNDS = 4


def always_nonnegative(poly: Poly, lower: Mapping[str, Number]) -> bool:
    """Whether poly ≥ 0 is shown for all symbols at or above their `lower` (default: 1, or 0
    for what depends on data)."""
    shifted = _shifted(_bounded(poly, upper=False), lower)
    return shifted is not None and all(value > 0 for value in shifted.terms.values())


def always_negative(poly: Poly, lower: Mapping[str, Number]) -> bool:
    """Whether poly < 0 is shown, as `always_nonnegative` does."""
    shifted = _shifted(_bounded(poly, upper=True), lower)
    return (
        shifted is not None
        and shifted.constant_term < 0
        and all(value < 0 for value in shifted.terms.values())
    )


def _bounded(poly: Poly, *, upper: bool) -> Poly:
    """The polynomial with roundings replaced so that it gets no smaller (no larger)."""
    for _ in range(_ROUNDS):
        replaced = Poly({})
        changed = False
        for monomial, coefficient in poly.terms.items():
            floor = _plain_floor(monomial)
            if floor is None:
                replaced = replaced + Poly({monomial: coefficient})
                continue
            rest = tuple(factor for factor in monomial if factor[0] != floor)
            bound = _floor_bound(floor, upper=(coefficient > 0) == upper)
            replaced = replaced + Poly({rest: coefficient}) * bound
            changed = True
        poly = replaced
        if not changed:
            break
    return poly


def _plain_floor(monomial: Monomial) -> Floor | None:
    for atom, power in monomial:
        if isinstance(atom, Floor) and power == 1 and atom.denominator.integer is not None:
            return atom
    return None


def _floor_bound(floor: Floor, *, upper: bool) -> Poly:
    """x/d − (d − 1)/d ≤ ⌊x/d⌋ ≤ x/d for integers x and d."""
    divisor = floor.denominator.integer or 1
    quotient = floor.numerator / divisor
    return quotient if upper else quotient - Fraction(divisor - 1, divisor)


def _shifted(poly: Poly, lower: Mapping[str, Number]) -> Poly | None:
    """The polynomial in t = symbol − lower; None where an atom may be negative."""
    changes: dict[Atom, Poly] = {}
    for atom in poly.atoms():
        if isinstance(atom, Symbol):
            least = lower_bound(atom, lower)
            if least < 0:
                return None
            changes[atom] = Poly.of(atom) + least
        elif not is_nonnegative(Poly.of(atom)) or any(
            lower_bound(symbol, lower) < 0 for symbol in symbols(Poly.of(atom))
        ):
            return None
    return poly.replace(changes)


def lower_bound(symbol: Symbol, lower: Mapping[str, Number]) -> Number:
    """The least value of a symbol: as given, else 1, or 0 for what depends on data."""
    return lower.get(symbol.name, 0 if symbol.role is Role.UNKNOWN else 1)
