"""Quotients that are whole numbers for every value: i(i + 1)/2, n(n - 1)(n - 2)/6."""

from __future__ import annotations

from itertools import product as combinations

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.poly import Poly

_LARGEST_DIVISOR = 24  # 4!, of four numbers in a row
_MOST_SYMBOLS = 2
_FRACTIONAL = (Role.UNKNOWN, Role.PROBE)  # shares, and what nobody knows


def is_multiple(poly: Poly, divisor: int) -> bool:
    """Whether a polynomial in whole numbers, of degree 2 or more, is one of `divisor` always.

    A polynomial with whole coefficients repeats with the divisor: all remainders are tried.
    """
    if not 1 < divisor <= _LARGEST_DIVISOR or poly.degree() < 2:
        return False
    atoms: list[Atom] = sorted(set(poly.atoms()))
    if len(atoms) > _MOST_SYMBOLS or not all(_is_whole(atom) for atom in atoms):
        return False
    terms: list[tuple[int, list[tuple[int, int]]]] = []
    for monomial, coefficient in poly.terms.items():
        if not isinstance(coefficient, int):
            return False
        terms.append((coefficient, [(atoms.index(atom), power) for atom, power in monomial]))
    return all(
        sum(c * _power(values, factors, divisor) for c, factors in terms) % divisor == 0
        for values in combinations(range(divisor), repeat=len(atoms))
    )


def _is_whole(atom: Atom) -> bool:
    return isinstance(atom, Symbol) and atom.role not in _FRACTIONAL


def _power(values: tuple[int, ...], factors: list[tuple[int, int]], divisor: int) -> int:
    product = 1
    for n, power in factors:
        product = product * pow(values[n], power, divisor) % divisor
    return product
