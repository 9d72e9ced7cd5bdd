"""The verdict where one size has no value: a search for the size at which it turns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.evaluate import evaluate
from estimator.algebra.poly import Number, Poly
from estimator.roofline.question import Bound, Question, Verdict
from estimator.roofline.turn import last_turn
from estimator.roofline.work import has_powers, value_of

# Doublings of the size that are searched for a turn, and where an exponent is a symbol.
_DOUBLINGS, _DOUBLINGS_OF_EXPONENTS = 50, 6

# A turn at no more blocks or threads than this is passed by every launch worth the name.
_SMALL_LAUNCH = 64

Fixed = Mapping[Atom, Poly]


def search(
    question: Question, size: Symbol, fixed: Fixed, balances: list[Poly] | None = None
) -> Verdict:
    """The verdict for all values of `size`, with `fixed` standing in for unknowns.

    `balances` has it as the only symbol where other sizes cancel out. A size of the launch is
    not one that grows with the data: there the verdict is what holds for a small launch, and
    where that ends.
    """
    at = state_at(question, fixed)
    polys = _coefficients(balances or question.balances(fixed, exact=True), size)

    def slow(number: int) -> bool | None:
        return at({**question.values, size.name: number})

    def balanced(number: int) -> list[Number]:
        if polys is not None:
            return [_horner(poly, number) for poly in polys]
        return [evaluate(poly, {**question.values, size.name: number}) for poly in balances or ()]

    def fast(number: int) -> bool | None:
        values = balanced(number)
        # A balance of 0 is the ridge itself, or a size at which nothing runs.
        if any(value > 0 for value in values):
            return True
        return (balances is not None or slow(number)) if 0 in values else False

    powers = any(has_powers(quantity.exact) for quantity in question.quantities())
    final, turn = last_turn(
        fast if polys or balances else slow,
        _DOUBLINGS_OF_EXPONENTS if powers else _DOUBLINGS,
        turns_once=polys is not None and len(polys) == 1 and _sign_changes(polys[0]) <= 1,
    )
    if final is None:
        return Verdict(Bound.DEPENDS, depends_on=(size.name,))
    bound = bound_of(final)
    if turn is None:
        return Verdict(bound)
    _, largest = question.bounds.get(size.name, (None, None))
    if largest is not None and (value_of(largest, {}) or turn) < turn:
        return Verdict(bound.opposite)  # no value of its type is that large
    if size.role is Role.LAUNCH and turn > _SMALL_LAUNCH:
        return Verdict(bound.opposite, turns_at={size.name: turn}, turn_bound=bound)
    return Verdict(bound, turns_at={size.name: turn})


def state_at(question: Question, fixed: Fixed) -> Callable[[Mapping[str, Number]], bool | None]:
    """`question.state` with the `fixed` symbols at the values that their formulas have."""

    def state(values: Mapping[str, Number]) -> bool | None:
        ends: dict[str, Number] = {}
        for symbol, poly in fixed.items():
            value = value_of(poly, values)
            if value is None:
                return None
            ends[symbol.key] = value
        return question.state({**values, **ends})

    return state


def bound_of(compute: bool) -> Bound:
    """The limit that a state stands for."""
    return Bound.COMPUTE if compute else Bound.MEMORY


def _coefficients(polys: list[Poly] | None, size: Symbol) -> list[list[int]] | None:
    """The balances as integer coefficients of falling powers of `size`, up to a factor."""
    if not polys:
        return None
    found: list[list[int]] = []
    for poly in polys:
        powers = poly.collect(size)
        constants = {power: part.constant for power, part in powers.items()}
        scale = lcm(*(Fraction(value or 0).denominator for value in constants.values()))
        if any(value is None for value in constants.values()):
            return None
        degree = max(powers, default=0)
        found.append([int((constants.get(p) or 0) * scale) for p in range(degree, -1, -1)])
    return found


def _horner(coefficients: list[int], number: int) -> int:
    total = 0
    for coefficient in coefficients:
        total = total * number + coefficient
    return total


def _sign_changes(coefficients: list[int]) -> int:
    """By Descartes' rule no polynomial has more positive roots than its coefficients do this."""
    signs = [coefficient > 0 for coefficient in coefficients if coefficient]
    return sum(left != right for left, right in itertools.pairwise(signs))
