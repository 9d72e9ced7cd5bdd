"""What holds for every thread of a launch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from estimator.algebra.atoms import Atom, Floor, Symbol
from estimator.algebra.cases import Cases
from estimator.algebra.condition import Compare, Condition, Relation
from estimator.algebra.poly import ZERO, Number, Poly
from estimator.algebra.walk import condition_polys, is_nonnegative, substitute_condition
from estimator.count.threads import thread_symbols
from estimator.ir.kernel import LaunchShape


def extents_of(launch: LaunchShape) -> dict[Symbol, int]:
    """How many values each index of a launch has, where that is a number."""
    known = ((symbol, extent.integer) for symbol, extent in thread_symbols(launch))
    return {symbol: extent for symbol, extent in known if extent is not None}


def holds_everywhere(part: Condition, extents: Mapping[Symbol, int]) -> bool:
    """Whether a condition is certain for indices below their extents, sizes being 0 or more:
    ⌊(67 - i)/256⌋ + 2 >= 0 for i up to 255."""
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return False
    least = _least(part.poly, extents)
    return least is not None and least >= 0


def without_zeros(
    cases: Cases, condition: Condition, extents: Mapping[Symbol, int]
) -> tuple[Cases, Condition]:
    """Both without quotients that are 0 for all indices below their extents: ⌊threadIdx.x/32⌋
    in blocks of 32."""
    conditions = [condition, *(own for own, _ in cases.pieces)]
    polys = [poly for _, poly in cases.pieces]
    zeros = _zeros((*polys, *(one for own in conditions for one in condition_polys(own))), extents)
    if not zeros:
        return cases, condition
    condition, *own = (substitute_condition(one, zeros) for one in conditions)
    return Cases(tuple(zip(own, (poly.replace(zeros) for poly in polys), strict=True))), condition


def _zeros(polys: Iterable[Poly], extents: Mapping[Symbol, int]) -> dict[Atom, Poly]:
    found: dict[Atom, Poly] = {}
    for atom in {atom for poly in polys for atom in poly.atoms()}:
        if isinstance(atom, Floor):
            sides = (atom.numerator, atom.denominator - 1 - atom.numerator)
            least = [_least(side, extents) for side in sides]
            if all(one is not None and one >= 0 for one in least):
                found[atom] = ZERO
    return found


def _least(poly: Poly, extents: Mapping[Symbol, int]) -> Number | None:
    """A number that a formula is not below; None if none is seen."""
    total: Number = 0
    for monomial, coefficient in poly.terms.items():
        atom = Poly({monomial: 1}).atom
        if not monomial:
            total += coefficient
        elif atom is not None and (least := _least_of(atom, coefficient, extents)) is not None:
            total += least
        elif coefficient < 0 or not is_nonnegative(Poly({monomial: 1})):
            return None
    return total


def _least_of(atom: Atom, factor: Number, extents: Mapping[Symbol, int]) -> Number | None:
    """A number that `factor` times an atom is not below; None if none is seen."""
    if isinstance(atom, Symbol) and atom in extents:
        return min(0, factor * (extents[atom] - 1))
    if isinstance(atom, Floor) and (divisor := atom.denominator.integer) and divisor > 0:
        if factor > 0:
            least = _least(atom.numerator, extents)
            return None if least is None else factor * (least // divisor)
        least = _least(-atom.numerator, extents)
        return None if least is None else factor * (-least // divisor)
    return None
