"""Counting without isl: variables that range between two bounds of their own.

Most domains are boxes. A variable whose bounds hold no other index contributes its extent
as a factor; what is left goes to isl.
"""

from __future__ import annotations

from functools import reduce

from estimator.algebra.atoms import Atom, Floor, Quotient, Symbol
from estimator.algebra.condition import (
    TRUE,
    Compare,
    Condition,
    Earlier,
    Exists,
    Relation,
    conjunction,
    nonnegative,
)
from estimator.algebra.integer import floor_divide, maximum, minimum
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.remembered import remembered
from estimator.algebra.walk import (
    condition_symbols,
    is_nonnegative,
    substitute_condition,
    symbols,
)
from estimator.immutable import immutable

# Divisions inside divisions that a comparison looks into.
_MOST_NESTED = 3


@immutable(slots=False)
class Peeled:
    """What is left of a counting problem: variables, conditions; `factor` times the count.

    `given` must hold for the factor to be right (extents are not negative).
    """

    variables: tuple[Symbol, ...]
    parts: tuple[Condition, ...]
    factor: Poly
    given: Condition


def peel(
    variables: tuple[Symbol, ...], parts: tuple[Condition, ...], *, compare: bool = True
) -> Peeled:
    """Take out every variable that ranges between bounds without other indices.

    To `compare`, one of several bounds must be seen to imply the others; else their minimum
    or maximum is taken.
    """
    left, rest = _solved(list(variables), list(parts))
    factor, given = ONE, conjunction()
    for variable in reversed(variables):
        mine = [part for part in rest if variable in condition_symbols(part)]
        extent = _extent(variable, mine, set(left), compare)
        if extent is None:
            continue
        left.remove(variable)
        rest = [part for part in rest if part not in mine]
        factor = factor * extent
        if not is_nonnegative(extent):
            given = conjunction(given, nonnegative(extent))
    return Peeled(tuple(left), tuple(rest), factor, given)


def _solved(
    variables: list[Symbol], parts: list[Condition]
) -> tuple[list[Symbol], list[Condition]]:
    """The problem without the variables that an equation gives the value of."""
    for variable in list(variables):
        for part in parts:
            if not isinstance(part, Compare) or part.relation is not Relation.ZERO:
                continue
            powers = part.poly.collect(variable)
            slope, others = powers.get(1, ZERO).integer, powers.get(0, ZERO)
            if slope not in (1, -1) or set(powers) - {0, 1} or variable in symbols(others):
                continue
            if not all(isinstance(c, int) for c in others.terms.values()):
                continue
            values: dict[Atom, Poly] = {variable: -others * slope}
            # Ranges of other indices are left as they are: substituting would see that no
            # index is negative, and drop the very bound that says so.
            rest = [
                substitute_condition(other, values)
                if variable in condition_symbols(other)
                else other
                for other in parts
                if other is not part
            ]
            if any(isinstance(other, (Earlier, Exists)) for other in rest):
                continue
            variables.remove(variable)
            parts = [p for p in rest if p != TRUE]
            break
    return variables, parts


def bounds_of(variables: list[Symbol], parts: list[Condition]) -> dict[Symbol, tuple[Poly, Poly]]:
    """Low and high of each variable that ranges between bounds without other indices."""
    found: dict[Symbol, tuple[Poly, Poly]] = {}
    indices = set(variables)
    for variable in variables:
        mine = [part for part in parts if variable in condition_symbols(part)]
        bounds = _bounds(variable, mine, indices)
        if bounds is not None:
            found[variable] = bounds
    return found


def bounds_among(
    variable: Symbol, parts: list[Condition], indices: set[Symbol]
) -> tuple[Poly, Poly] | None:
    """Low and high of a variable by the parts that hold it; the bounds may hold other indices."""
    return _bounds(variable, parts, {variable} & indices)


def _extent(
    variable: Symbol, parts: list[Condition], indices: set[Symbol], compare: bool
) -> Poly | None:
    bounds = _bounds(variable, parts, indices, compare)
    return None if bounds is None else bounds[1] - bounds[0] + 1


def _bounds(
    variable: Symbol, parts: list[Condition], indices: set[Symbol], compare: bool = True
) -> tuple[Poly, Poly] | None:
    """A variable's lowest and highest value, if its parts are bounds free of other indices."""
    lows: list[Poly] = []
    highs: list[Poly] = []
    for part in parts:
        if not isinstance(part, Compare) or part.relation is Relation.NONZERO:
            return None
        powers = part.poly.collect(variable)
        others = powers.get(0, ZERO)
        if set(powers) - {0, 1} or symbols(others) & indices:
            return None
        slope = powers.get(1, ZERO).integer
        if slope is None:
            # Steps of a symbolic size: v*step <= others, or -others <= v*step.
            up = is_nonnegative(-powers[1])
            step = -powers[1] if up else powers[1]
            fixed = not symbols(step) & indices and is_nonnegative(step)
            if not fixed or part.relation is not Relation.NONNEGATIVE:
                return None
            if up:
                highs.append(floor_divide(others, step))
            else:
                lows.append(-floor_divide(others, step))
            continue
        if part.relation is Relation.ZERO:
            if abs(slope) != 1:
                return None
            value = -others * slope
            lows.append(value)
            highs.append(value)
        elif slope == 1:
            lows.append(-others)
        elif slope < 0:
            highs.append(floor_divide(others, Poly.of(-slope)))
        else:
            lows.append(-floor_divide(others, Poly.of(slope)))
    low, high = _tightest(lows, largest=True), _tightest(highs, largest=False)
    if not compare and lows and highs:
        low = low if low is not None else reduce(maximum, lows)
        high = high if high is not None else reduce(minimum, highs)
    if low is None or high is None:
        return None
    return low, high


def _tightest(bounds: list[Poly], *, largest: bool) -> Poly | None:
    """The bound that implies all others; None if none is known to."""
    if len(bounds) == 1:
        return bounds[0]
    for bound in bounds:
        if all(at_least(bound, other) if largest else at_least(other, bound) for other in bounds):
            return bound
    return None


@remembered
def at_least(left: Poly, right: Poly) -> bool:
    """Whether left >= right is certain: ⌈n/b⌉·b is at least n, sizes are not negative."""
    difference = left - right
    if is_nonnegative(difference):
        return True
    bounded = difference
    for _ in range(_MOST_NESTED):
        bounded = _without_floors(bounded)
    over = bounded.constant_term
    if -1 < over < 0 and all(isinstance(c, int) for c in difference.terms.values()):
        bounded = bounded - over  # a whole number above -1 is 0 at least
    return is_nonnegative(bounded)


def _without_floors(poly: Poly) -> Poly:
    """The polynomial or less, its divisions by numbers without their rounding."""
    bounded = ZERO
    for monomial, coefficient in poly.terms.items():
        term = Poly({monomial: coefficient})
        for atom, power in monomial:
            rest = Poly({tuple(factor for factor in monomial if factor[0] != atom): coefficient})
            if power != 1 or not isinstance(atom, (Floor, Quotient)):
                continue
            divisor = atom.denominator.integer
            if divisor is None or not (is_nonnegative(rest) or is_nonnegative(-rest)):
                continue
            # (n - b + 1)/b <= ⌊n/b⌋ <= n/b; rounded towards 0 it may be more than n/b
            above = atom.numerator if coefficient < 0 else atom.numerator - (divisor - 1)
            if coefficient < 0 and isinstance(atom, Quotient):
                above = above + (divisor - 1)
            term = above * rest / divisor
            break
        bounded = bounded + term
    return bounded
