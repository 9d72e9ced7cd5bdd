"""Grid extents in the form that people write them: host code computes them in many ways."""

from __future__ import annotations

from estimator.algebra.atoms import Atom, Floor, Quotient, Select
from estimator.algebra.condition import Compare, Relation
from estimator.algebra.integer import floor_divide, maximum, minimum, quotient
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.walk import is_nonnegative


def plain_extent(poly: Poly) -> Poly:
    """An extent with its divisions rounded down, since a launch has no negative ones.

    `n/64 + (n % 64 ? 1 : 0)` is ⌊(n + 63)/64⌋, and `a < b ? a : b` is min(a, b).
    """
    values: dict[Atom, Poly] = {}
    for atom in poly.atoms():
        if isinstance(atom, Quotient):
            above, below = plain_extent(atom.numerator), atom.denominator
            # C rounds towards 0: -(-n/32) is ⌊n/32⌋, whatever it was meant to be.
            negative = not is_nonnegative(above) and is_nonnegative(-above)
            values[atom] = -floor_divide(-above, below) if negative else floor_divide(above, below)
        elif isinstance(atom, Select):
            found = _selected(atom)
            if found is not None:
                values[atom] = found
    return poly.replace(values) if values else poly


def _selected(atom: Select) -> Poly | None:
    condition = atom.condition
    if not isinstance(condition, Compare):
        return None
    then, otherwise = plain_extent(atom.then), plain_extent(atom.otherwise)
    if condition.relation is Relation.ZERO:
        condition = Compare(condition.poly, Relation.NONZERO)
        then, otherwise = otherwise, then
    remains = _remainder(condition)
    if remains is not None and then - otherwise == ONE:
        above, below = remains
        return otherwise + floor_divide(above + below - 1, below) - floor_divide(above, below)
    if condition.relation is Relation.NONNEGATIVE:
        return _extremum(plain_extent(condition.poly), then, otherwise)
    return None


def _remainder(condition: Compare) -> tuple[Poly, Poly] | None:
    """a and b, of `a % b != 0` in any way of saying it."""
    rest = condition.poly + 1 if condition.relation is Relation.NONNEGATIVE else condition.poly
    ways = (rest, -rest) if condition.relation is Relation.NONZERO else (rest,)
    for atom in rest.atoms():
        if not isinstance(atom, (Floor, Quotient)):
            continue
        for way in ways:
            below = -way.coefficient(atom)
            above = way + below * Poly.of(atom)
            # Of (m/4) % 256, too, where m is divided by 4 and by 1024.
            if (
                below
                and is_nonnegative(below)
                and atom
                in (
                    floor_divide(above, below).atom,
                    quotient(above, below).atom,
                )
            ):
                return plain_extent(above), below
    return None


def _extremum(poly: Poly, then: Poly, otherwise: Poly) -> Poly | None:
    """`a <= b ? a : b` and its kind."""
    difference = otherwise - then
    if poly in (difference, difference - 1):
        return minimum(then, otherwise)
    if poly in (-difference, -difference - 1):
        return maximum(then, otherwise)
    return None
