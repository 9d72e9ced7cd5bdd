"""Sizes that divide evenly by a block whose size is a symbol: block·⌈n/block⌉ is n."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from estimator.algebra.atoms import Atom, Floor, Quotient, Role
from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.poly import ZERO, Number, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import symbols

_SIZES = frozenset({Role.PARAMETER, Role.LAUNCH})


def whole_blocks(
    poly: Poly, sample: Mapping[str, Number]
) -> tuple[Poly, tuple[tuple[Poly, Poly], ...]]:
    """The formula with block·⌊(n − 1)/block⌋ = n − block and the like, and what has to divide
    by what for that. `sample` has typical sizes, by symbol name.
    """
    taken: list[tuple[Poly, Poly]] = []
    for atom in poly.atoms():
        if not isinstance(atom, Floor | Quotient) or not _is_size(atom.denominator):
            continue
        if not any(True for _ in _multiples(poly, atom, atom.denominator)):
            continue
        found = _divided(atom, sample)
        if found is None:
            continue
        quotient, parts = found
        poly = poly.replace({atom: quotient})
        for part in parts:
            whole = Floor(part, atom.denominator)
            for term, rest in list(_multiples(poly, whole, atom.denominator)):
                poly = poly - term + rest * part
            taken.append((part, atom.denominator))
    return poly, tuple(taken)


def _is_size(denominator: Poly) -> bool:
    inside = symbols(denominator)
    return len(denominator.terms) == 1 and bool(inside) and {s.role for s in inside} <= _SIZES


def _multiples(poly: Poly, atom: Atom, denominator: Poly) -> Iterator[tuple[Poly, Poly]]:
    """The terms in which the atom is multiplied by its denominator, and what else is in each."""
    for monomial, coefficient in poly.terms.items():
        if (atom, 1) not in monomial:
            continue
        others = tuple(pair for pair in monomial if pair[0] != atom)
        rest = divide_exactly(Poly({others: coefficient}), denominator)
        if rest is not None:
            yield Poly({monomial: coefficient}), rest


def _divided(
    atom: Floor | Quotient, sample: Mapping[str, Number]
) -> tuple[Poly, list[Poly]] | None:
    """The quotient where the sizes in the numerator divide by the denominator, and these sizes."""
    quotient, parts = ZERO, []
    for monomial, coefficient in atom.numerator.terms.items():
        term = Poly({monomial: coefficient})
        exact = divide_exactly(term, atom.denominator) if monomial else None
        if exact is not None:
            quotient = quotient + exact
        elif monomial:
            part = Poly({monomial: 1})
            if not isinstance(coefficient, int) or {s.role for s in symbols(part)} - _SIZES:
                return None
            parts.append(part)
            quotient = quotient + coefficient * Poly.of(Floor(part, atom.denominator))
        else:
            try:
                size = evaluate(atom.denominator, sample)
            except (Undecided, KeyError):
                return None
            if not -size < coefficient < size:
                return None
            quotient = quotient - (1 if coefficient < 0 else 0)
    return quotient, parts
