"""What a kernel asks of a GPU: floating-point work and traffic, as formulas over the grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from estimator.algebra.atoms import Atom, Power, Symbol
from estimator.algebra.cases import Average, Cases, Sum
from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.poly import Number, Poly
from estimator.algebra.printing import Formula
from estimator.algebra.ratio import Ratio
from estimator.algebra.walk import condition_polys, condition_symbols, parts_of, symbols
from estimator.immutable import immutable


class Quantity(Protocol):
    """A formula for sizes that divide evenly, and the exact one for every size."""

    @property
    def formula(self) -> Formula: ...

    @property
    def exact(self) -> Formula: ...


@immutable()
class Work:
    """One launch of a kernel: FLOPs by precision, special functions, and bytes.

    `requested` is the traffic of every access, `compulsory` each distinct element read once
    and written once.
    """

    flops: Mapping[str, Quantity]
    special: Quantity
    requested: Quantity
    compulsory: Quantity

    def quantities(self) -> Iterator[Quantity]:
        """All of its formulas."""
        yield from self.flops.values()
        yield from (self.special, self.requested, self.compulsory)


def as_poly(formula: Formula) -> Poly | None:
    """The formula as one polynomial, None where it has pieces or a formula as denominator."""
    match formula:
        case Poly():
            return formula
        case Ratio():
            return formula.poly
        case Cases():
            return formula.single
        case Sum():
            parts = formula.merged().parts
            return parts[0].single if len(parts) == 1 else None
        case Average():
            return None


def is_zero(quantity: Quantity) -> bool:
    """Whether the quantity is 0 for every size."""
    return as_poly(quantity.formula) == 0 and as_poly(quantity.exact) == 0


def symbols_of(formula: Formula) -> set[Symbol]:
    """All symbols of a formula, those in its conditions too."""
    found: set[Symbol] = set()
    for poly in _polys(formula):
        found |= symbols(poly)
    for cases in _cases(formula):
        for condition, _ in cases.pieces:
            found |= condition_symbols(condition)
    return found


def has_powers(formula: Formula) -> bool:
    """Whether some exponent is a symbol: such a formula must not be evaluated at huge sizes."""
    return any(_is_power(atom) for poly in _polys(formula) for atom in poly.atoms())


def value_of(formula: Formula, values: Mapping[str, Number]) -> Number | None:
    """The number that the formula has; None for a missing value or a division by zero."""
    try:
        return evaluate(formula, values) if isinstance(formula, Poly) else formula.evaluate(values)
    except (Undecided, ZeroDivisionError, KeyError):
        return None


def _is_power(atom: Atom) -> bool:
    if isinstance(atom, Power):
        return True
    return any(_is_power(inner) for part in parts_of(atom) for inner in part.atoms())


def _polys(formula: Formula) -> Iterator[Poly]:
    match formula:
        case Poly():
            yield formula
        case Ratio():
            yield from (formula.numerator, formula.denominator)
        case _:
            for cases in _cases(formula):
                for condition, poly in cases.pieces:
                    yield poly
                    yield from condition_polys(condition)


def _cases(formula: Formula) -> tuple[Cases, ...]:
    match formula:
        case Cases():
            return (formula,)
        case Sum():
            return formula.parts
        case Average():
            return (*formula.total.parts, *formula.count.parts)
    return ()
