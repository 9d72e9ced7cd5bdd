"""How often a loop runs at most, where nothing says how often it runs.

A window cut at the borders, `max(a, 0) <= h < min(a + k, H)`, has k rows or fewer: of a minimum
every operand is a bound from above, and of a maximum from below.
"""

from __future__ import annotations

from collections.abc import Iterator

from estimator.algebra.atoms import Extremum, Role, Symbol
from estimator.algebra.condition import Compare, Condition, Junction, Relation
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.walk import is_nonnegative, symbols

_MOST_CHOICES = 4
_SIZES = (Role.PARAMETER, Role.LAUNCH)


def most_iterations(part: Condition, counter: Symbol) -> Poly | None:
    """A formula in sizes alone that the iterations of `counter`, which `part` ends, stay within.

    None if none is seen.
    """
    if isinstance(part, Junction) and part.every:
        found = (most_iterations(each, counter) for each in part.parts)
        return next((bound for bound in found if bound is not None), None)
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return None
    slope = part.poly.coefficient(counter)
    length = part.poly + Poly.of(counter) + 1
    if slope != -ONE or counter in symbols(length):
        return None
    for bound in _bounds_above(length, _MOST_CHOICES):
        if all(symbol.role in _SIZES for symbol in symbols(bound)) and is_nonnegative(bound):
            return bound
    return None


def _bounds_above(poly: Poly, choices: int) -> Iterator[Poly]:
    """The polynomial, and those that are no less, an operand in the place of each extremum."""
    for monomial, coefficient in poly.terms.items():
        if len(monomial) != 1 or not choices:
            continue
        ((atom, power),) = monomial
        if power != 1 or not isinstance(atom, Extremum) or atom.largest != (coefficient < 0):
            continue
        rest = poly - Poly({monomial: coefficient})
        for operand in (atom.left, atom.right):
            yield from _bounds_above(rest + operand * coefficient, choices - 1)
        return
    yield poly
