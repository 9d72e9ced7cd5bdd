"""What formulas for large, even sizes took for granted."""

from __future__ import annotations

from estimator.algebra.cases import Sum
from estimator.algebra.condition import Compare
from estimator.algebra.poly import Monomial, Poly
from estimator.immutable import immutable


@immutable()
class Noted:
    """What formulas took for granted up to some point."""

    multiples: dict[Monomial, int]
    multiples_for_sectors: dict[Monomial, int]
    formulas: dict[Sum, Poly]
    blocks: set[tuple[str, str]]
    orders: dict[str, Compare]
    choices: dict[str, tuple[str, int]]
