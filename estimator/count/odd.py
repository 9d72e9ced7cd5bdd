"""Sizes of windows, which are odd: loops from -⌊k/2⌋ to ⌊k/2⌋ run k times then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from estimator.algebra.atoms import Atom, Floor, Quotient, Role, Symbol
from estimator.algebra.cases import Sum
from estimator.algebra.poly import Number, Poly
from estimator.algebra.walk import symbols


def odd_half(atom: Atom) -> tuple[Symbol, Poly] | None:
    """For ⌊(k + c)/2⌋ of a size k: k, and what that is for an odd k."""
    if not isinstance(atom, Floor | Quotient) or atom.denominator.integer != 2:
        return None
    constant = atom.numerator.constant_term
    size = (atom.numerator - constant).atom
    if not isinstance(size, Symbol) or size.role is not Role.PARAMETER:
        return None
    if not isinstance(constant, int):
        return None
    return size, (Poly.of(size) + constant - (constant + 1) % 2) / 2


def odd_sizes(counted: Iterable[Sum], sample: Mapping[str, Number]) -> set[Symbol]:
    """The sizes whose halves occur only together: 2⌊k/2⌋ + 1 is k, and so is simpler, for odd k."""
    found: set[Symbol] = set()
    others: set[Symbol] = set()
    for poly in (each.select(sample) for each in counted):
        halves: dict[Symbol, dict[Atom, Poly]] = {}
        for atom in poly.atoms():
            half = odd_half(atom)
            if half is not None:
                halves.setdefault(half[0], {})[atom] = half[1]
            elif not isinstance(atom, Symbol):
                others |= symbols(Poly.of(atom))
        for size, values in halves.items():
            longer = len(poly.replace(values).terms) - len(poly.terms)
            if longer:
                (found if longer < 0 else others).add(size)
    return found - others
