"""What a formula tends to when the sizes grow."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from estimator.algebra.atoms import Atom, Floor, Symbol
from estimator.algebra.poly import Poly
from estimator.algebra.ratio import Ratio, reduce
from estimator.algebra.walk import substitute, symbols


def smooth(poly: Poly) -> Poly:
    """The polynomial with its roundings left out, which large sizes do not see."""
    values: dict[Atom, Poly] = {}
    for atom in poly.atoms():
        if isinstance(atom, Floor):
            divisor = atom.denominator.constant
            if divisor is not None:
                values[atom] = smooth(atom.numerator) / Fraction(divisor)
    return substitute(poly, values)


def limit(ratio: Ratio, growing: Iterable[Symbol]) -> Ratio | None:
    """The limit for all `growing` symbols going to infinity at one pace; None if there is none.

    Terms of the highest degree in them decide: (2N+255G)/(8N+8) → 1/4 for N.
    """
    chosen = list(growing)
    above, below = smooth(ratio.numerator), smooth(ratio.denominator)
    if not chosen or not above:
        return None if not chosen else Ratio(above)
    if any(
        not isinstance(a, Symbol) and symbols(Poly.of(a)) & set(chosen)
        for poly in (above, below)
        for a in poly.atoms()
    ):
        return None
    top, bottom = above.degree(chosen), below.degree(chosen)
    if top > bottom:
        return None
    if top < bottom:
        return Ratio(Poly({}))
    return reduce(_leading_part(above, chosen, top), _leading_part(below, chosen, bottom))


def _leading_part(poly: Poly, chosen: list[Symbol], degree: int) -> Poly:
    kept = {}
    for monomial, coefficient in poly.terms.items():
        if sum(power for atom, power in monomial if atom in chosen) == degree:
            kept[monomial] = coefficient
    return Poly(kept)
