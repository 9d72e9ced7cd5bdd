"""The numbers that polynomials and conditions have for values of their symbols."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from estimator.algebra.atoms import (
    Atom,
    Bits,
    Extremum,
    Floor,
    Log2,
    Power,
    Quotient,
    Select,
    Symbol,
)
from estimator.algebra.between import between
from estimator.algebra.condition import (
    Compare,
    Condition,
    Data,
    Earlier,
    Exists,
    Junction,
    Relation,
    Truth,
)
from estimator.algebra.integer import LARGEST_EXPONENT, floor_of, truncated
from estimator.algebra.poly import Number, Poly
from estimator.algebra.walk import parts_of


class Undecided(LookupError):
    """A value needs a symbol that was not given; its name is the argument."""


class TooLargeError(Undecided):
    """A power with so large an exponent that it is no number of anything."""


def evaluate(poly: Poly, values: Mapping[str, Number]) -> Number:
    """The number that a polynomial has for values by symbol name.

    Raises Undecided for a symbol without a value, ZeroDivisionError for x/0.
    """
    total: Number = 0
    shares: dict[int, int] = {}  # by denominator: Fractions are slow, and few results are one
    for monomial, coefficient in poly.terms.items():
        product: Number = 1
        for atom, exponent in monomial:
            # A symbol is its own name.
            number = values.get(atom)
            if number is None:
                number = evaluate_atom(atom, values)
            product = product * (number if exponent == 1 else number**exponent)
        if type(coefficient) is int:
            total = total + coefficient * product
        elif type(product) is int:
            below = coefficient.denominator
            shares[below] = shares.get(below, 0) + coefficient.numerator * product
        else:
            total = total + coefficient * product
    for below, above in shares.items():
        whole, rest = divmod(above, below)
        total = total + (whole + Fraction(rest, below) if rest else whole)
    if type(total) is Fraction and total.denominator == 1:
        return total.numerator
    return total


def evaluate_atom(atom: Atom, values: Mapping[str, Number]) -> Number:
    """`evaluate` for one atom."""
    if isinstance(atom, Symbol):
        if atom.name in values:
            return values[atom.name]
        raise Undecided(atom.name)
    if isinstance(atom, Select):
        return evaluate(atom.then if holds(atom.condition, values) else atom.otherwise, values)
    numbers = [evaluate(part, values) for part in parts_of(atom)]
    match atom:
        case Floor():
            return floor_of(numbers[0], numbers[1])
        case Quotient():
            return truncated(numbers[0], numbers[1])
        case Extremum():
            return max(numbers) if atom.largest else min(numbers)
        case Log2():
            return floor(numbers[0]).bit_length() - 1
        case Power():
            if numbers[0] > LARGEST_EXPONENT:
                raise TooLargeError(atom.key)
            return Fraction(atom.base) ** int(numbers[0])
        case Bits():
            left, right = int(numbers[0]), int(numbers[1])
            return {"&": left & right, "|": left | right, "^": left ^ right}[atom.operator]
    raise TypeError(f"atom without a value: {atom!r}")


def holds(condition: Condition, values: Mapping[str, Number]) -> bool:
    """Whether a condition is true for values by symbol name. Raises as `evaluate` does."""
    match condition:
        case Truth(value):
            return value
        case Compare(poly, relation, _):
            number = evaluate(poly, values)
            if relation is Relation.NONNEGATIVE:
                return number >= 0
            return (number == 0) == (relation is Relation.ZERO)
        case Junction(parts, every):
            return (all if every else any)(holds(part, values) for part in parts)
        case Data(probability, _):
            raise Undecided(probability.name)
        case Earlier(counter, inner, including, negated):
            present = int(values[counter.name]) + including
            some = any(holds(inner, {**values, counter.name: k}) for k in range(present))
            return some != negated
        case Exists(counter, inner, negated):
            tried = between(counter, inner, lambda poly: evaluate(poly, values))
            if tried is not None:
                return any(holds(inner, {**values, counter.name: k}) for k in tried) != negated
    raise Undecided(condition.key)
