"""Formulas in pieces: what counting gives before a piece is chosen for large sizes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from estimator.algebra.condition import TRUE, Condition, Truth, conjunction
from estimator.algebra.evaluate import evaluate, holds
from estimator.algebra.poly import ZERO, Number, Poly
from estimator.immutable import immutable


@immutable()
class Cases:
    """`pieces` of (condition, value), no two of which hold at once; 0 outside them."""

    pieces: tuple[tuple[Condition, Poly], ...]

    @staticmethod
    def of(poly: Poly) -> Cases:
        """The one formula for all sizes."""
        return Cases(((TRUE, poly),))

    @property
    def single(self) -> Poly | None:
        """The formula if it holds for all sizes."""
        if not self.pieces:
            return ZERO
        condition, poly = self.pieces[0]
        if len(self.pieces) == 1 and isinstance(condition, Truth) and condition.value:
            return poly
        return None

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """The value at these sizes; raises Undecided when a symbol has none."""
        for condition, poly in self.pieces:
            if holds(condition, values):
                return evaluate(poly, values)
        return 0

    def scale(self, factor: Poly) -> Cases:
        """Every piece times `factor`."""
        return Cases(tuple((condition, poly * factor) for condition, poly in self.pieces))

    def select(self, values: Mapping[str, Number]) -> Poly:
        """The piece that holds at these sizes, as a formula; 0 if none does.

        A condition that divides by zero there holds in no case.
        """
        for condition, poly in self.pieces:
            try:
                if holds(condition, values):
                    return poly
            except ZeroDivisionError:
                continue
        return ZERO


@immutable(slots=False)
class Sum:
    """A sum of piecewise formulas, kept in its parts."""

    parts: tuple[Cases, ...] = ()

    @cached_property
    def _hash(self) -> int:
        return hash(self.parts)

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.parts + other.parts)

    def scale(self, factor: Poly) -> Sum:
        """Every part times `factor`."""
        return Sum(tuple(part.scale(factor) for part in self.parts))

    def where(self, condition: Condition) -> Sum:
        """The sum where `condition` holds too; 0 elsewhere."""
        return Sum(tuple(restrict(part, condition) for part in self.parts))

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """The value at these sizes; raises Undecided when a symbol has none."""
        total: Number = 0
        for part in self.parts:
            total = total + part.evaluate(values)
        return total

    def select(self, values: Mapping[str, Number]) -> Poly:
        """The sum of the pieces that hold at these sizes, as one polynomial."""
        total = ZERO
        for part in self.parts:
            total = total + part.select(values)
        return total

    def merged(self) -> Sum:
        """The parts that hold for all sizes added up, the others behind them."""
        return self._merged

    @cached_property
    def _merged(self) -> Sum:
        if len(self.parts) == 1 and self.parts[0].pieces:
            return self
        plain, rest = ZERO, []
        for part in self.parts:
            single = part.single
            if single is None:
                rest.append(part)
            else:
                plain = plain + single
        return Sum((Cases.of(plain), *rest) if plain or not rest else tuple(rest))


def restrict(cases: Cases, condition: Condition) -> Cases:
    """The cases where `condition` holds too; 0 elsewhere."""
    return Cases(tuple((conjunction(given, condition), poly) for given, poly in cases.pieces))


@immutable()
class Average:
    """One sum for each of what another counts: the exact share of a thread, or of a byte."""

    total: Sum
    count: Sum

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """The value; raises Undecided for a missing symbol, ZeroDivisionError for none."""
        return Fraction(self.total.evaluate(values)) / self.count.evaluate(values)
