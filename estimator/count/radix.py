"""Flat indices taken apart: `i / W`, `i % W` as digits of a mixed radix.

Where a domain divides an index v by D, v is D*q + r with 0 ≤ r < D, and q and r take v's
place. A guard v < D*n then reads q < n.
"""

from __future__ import annotations

from estimator.algebra.atoms import Atom, Floor, Role, Symbol
from estimator.algebra.condition import Compare, Condition, Earlier, Relation, nonnegative
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import (
    condition_polys,
    parts_of,
    substitute,
    substitute_condition,
    symbols,
)
from estimator.count.peel import at_least
from estimator.count.threads import IndexSpace

_MOST_DIGITS = 12


def split_digits(space: IndexSpace) -> None:
    """Replace every index that is divided by something symbolic by its digits."""
    for n in range(_MOST_DIGITS):
        found = _divided(space)
        if found is None:
            return
        _split(space, *found, n)


def _divided(space: IndexSpace) -> tuple[Symbol, Poly] | None:
    """A variable that is divided, and the smallest of its symbolic divisors."""
    divisors: dict[Symbol, list[Poly]] = {}
    # An iteration that is compared with earlier ones has to stay one number.
    kept = {part.counter for part in space.parts if isinstance(part, Earlier)}
    for atom in _floors(space):
        variable = atom.numerator.atom
        if isinstance(variable, Symbol) and variable in space.variables and variable not in kept:
            divisors.setdefault(variable, []).append(atom.denominator)
    for variable, listed in divisors.items():
        smallest = min(listed, key=lambda d: (d.degree(), len(d.terms), d.integer or 0, d.key))
        if all(_multiple(d, smallest) for d in listed):
            return variable, smallest
    return None


def _multiple(poly: Poly, of: Poly) -> bool:
    """Whether a divisor is a whole multiple of another."""
    ratio = divide_exactly(poly, of)
    return ratio is not None and all(isinstance(c, int) for c in ratio.terms.values())


def _floors(space: IndexSpace) -> list[Floor]:
    found: list[Floor] = []
    stack = [poly for part in space.parts for poly in condition_polys(part)]
    stack.extend(space.polys)
    while stack:
        for atom in stack.pop().atoms():
            if isinstance(atom, Floor):
                found.append(atom)
            stack.extend(parts_of(atom))
    return found


def _split(space: IndexSpace, variable: Symbol, divisor: Poly, n: int) -> None:
    quotient = Symbol(f"{variable.name}/{n}", Role.COUNTER)
    rest = Symbol(f"{variable.name}%{n}", Role.COUNTER)
    q, r = Poly.of(quotient), Poly.of(rest)
    values: dict[Atom, Poly] = {}
    for atom in _floors(space):
        if atom.numerator.atom != variable:
            continue
        if atom.denominator == divisor:
            values[atom] = q
        else:
            factor = divide_exactly(atom.denominator, divisor)
            if factor is not None:
                values[atom] = Poly.of(Floor(q, factor))
    bounds: list[Poly] = []
    parts: list[Condition] = []
    for part in space.parts:
        bound = _bound(part, variable, divisor)
        if bound is None:
            parts.append(part)
        else:
            bounds.append(bound * divisor)
            parts.append(nonnegative(bound - q - 1, getattr(part, "line", 0)))
    space.parts = parts
    # Whole atoms first: they hold the variable that is replaced next.
    space.polys = [substitute(poly, values) for poly in space.polys]
    space.parts = [substitute_condition(part, values) for part in space.parts]
    space.replace(variable, divisor * q + r)
    bounds.extend(divisor * end for part in space.parts for end in _ends(part, quotient, space))
    place = space.variables.index(variable)
    space.variables[place : place + 1] = [quotient, rest]
    extent = space.extents.pop(variable, None)
    space.extents[rest] = divisor
    space.extents[quotient] = None
    if extent is None or any(at_least(extent, bound) for bound in bounds):
        return
    if _multiple(extent, divisor):
        space.extents[quotient] = divide_exactly(extent, divisor)
    else:
        space.parts.append(nonnegative(extent - divisor * q - r - 1))


def _ends(part: Condition, quotient: Symbol, space: IndexSpace) -> list[Poly]:
    """n where a part says q < n, so that v < D*n."""
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return []
    end = part.poly + Poly.of(quotient) + 1
    indices = {*space.variables, quotient}
    return [] if symbols(end) & indices else [end]


def _bound(part: Condition, variable: Symbol, divisor: Poly) -> Poly | None:
    """n where a part says v < n*D, so that q < n says the same."""
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return None
    powers = part.poly.collect(variable)
    if set(powers) - {0, 1} or powers.get(1, ZERO) != -ONE:
        return None
    bound = divide_exactly(powers.get(0, ZERO) + 1, divisor)
    if bound is None or any(not isinstance(c, int) for c in bound.terms.values()):
        return None
    return bound
