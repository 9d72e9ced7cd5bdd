"""Factors that can be seen: a number, common atoms, and linear ones such as (H − 2).

Enough for counts, which are products of extents; polynomials without such factors stay
sums. `sympy.factor` finds more, at a cost that no report is worth.
"""

from __future__ import annotations

from fractions import Fraction

from estimator.algebra.atoms import Atom
from estimator.algebra.poly import Monomial, Number, Poly
from estimator.algebra.ratio import _common_powers, _content, _lower, divide_exactly
from estimator.algebra.remembered import remembered

_ROOTS = range(-4, 5)
# A longer polynomial is not read as a product either, and looking for one takes its time.
_MOST_TERMS = 64


@remembered
def factors(poly: Poly) -> tuple[Number, tuple[tuple[Poly, int], ...]]:
    """A number and polynomials with powers whose product is `poly` (which is not 0)."""
    scale = _content(poly)
    rest = poly / scale
    found: list[tuple[Poly, int]] = []
    common = _common_powers(list(rest.terms))
    if common:
        found.extend((Poly.of(atom), power) for atom, power in sorted(common.items()))
        rest = _lower(rest, common)
    for atom in sorted(rest.atoms()):
        rest = _take_linear(rest, atom, found)
    if rest.constant is None:
        found.append((rest, 1))
    else:
        scale = scale * Fraction(rest.constant or 1)
    if not found:
        found.append((Poly.of(1), 1))
    return scale, tuple(found)


def _take_linear(rest: Poly, atom: Atom, found: list[tuple[Poly, int]]) -> Poly:
    """Factors `atom - root` for small whole roots taken out of `rest`."""
    if len(rest.terms) > _MOST_TERMS or rest.degree([atom]) == 0:
        return rest
    for root in _ROOTS:
        power = 0
        while rest.degree([atom]) > 0 and _vanishes(rest, atom, root):
            divided = divide_exactly(rest, Poly.of(atom) - root)
            if divided is None:
                break
            rest, power = divided, power + 1
        if power:
            found.append((Poly.of(atom) - root, power))
    return rest


def _vanishes(poly: Poly, atom: Atom, root: int) -> bool:
    """Whether the polynomial is 0 where `atom` is `root`."""
    at_root: dict[Monomial, Number] = {}
    for monomial, coefficient in poly.terms.items():
        power = next((exponent for factor, exponent in monomial if factor == atom), 0)
        if power:
            coefficient = coefficient * root**power
            monomial = tuple(factor for factor in monomial if factor[0] != atom)
        at_root[monomial] = at_root.get(monomial, 0) + coefficient
    return not any(at_root.values())
