"""How far a formula holds beyond the condition of its piece: where the next piece says the same."""

from __future__ import annotations

from collections.abc import Mapping

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Cases
from estimator.algebra.condition import Compare, Condition, Junction, Relation, conjunction
from estimator.algebra.evaluate import Undecided, evaluate, holds
from estimator.algebra.poly import Number, Poly
from estimator.algebra.walk import condition_symbols, symbols

# Sizes that are tried next to a bound: those of a block.
_MOST_STEPS = 256


def loosened(
    bound: Compare, cases: Cases, chosen: Poly, sample: Mapping[str, Number], fixed: set[str]
) -> Compare:
    """A bound under which the piece `chosen` stands, or a weaker one under which its formula is
    right as well: min(n, 256) is 256 for n >= 256, whether its piece begins there or at 257.

    Looked at next to the bound at the sizes of `sample`, and where the others are larger by 1.
    """
    moved = _to_move(bound, fixed) if bound.relation is Relation.NONNEGATIVE else None
    if moved is None:
        return bound
    symbol, slope = moved
    others = {s.name for s in symbols(bound.poly)} - {symbol.name} - fixed
    samples = [{**sample}, {**sample, **{name: sample[name] + 1 for name in others}}]
    steps = _MOST_STEPS
    for each in samples if others else samples[:1]:
        steps = min(steps, _same_steps(bound.poly, symbol, slope, cases, chosen, each, steps))
    return Compare(bound.poly + abs(slope) * steps, bound.relation, bound.line) if steps else bound


def _to_move(bound: Compare, fixed: set[str]) -> tuple[Symbol, int] | None:
    """The size by which a bound is looked at, and what it is multiplied by: the least."""
    found: list[tuple[int, Symbol]] = []
    for symbol in symbols(bound.poly):
        slope = bound.poly.terms.get(((symbol, 1),))
        alone = sum(symbol in symbols(Poly({m: 1})) for m in bound.poly.terms if m) == 1
        if isinstance(slope, int) and alone and not symbol.is_index and symbol.name not in fixed:
            found.append((slope, symbol))
    if not found:
        return None
    slope, symbol = min(found, key=lambda one: (abs(one[0]), one[1].name))
    return symbol, slope


def _same_steps(
    poly: Poly,
    symbol: Symbol,
    slope: int,
    cases: Cases,
    chosen: Poly,
    sample: Mapping[str, Number],
    most: int,
) -> int:
    """How many sizes in a row beyond a bound have the same value by the chosen piece."""
    step = -1 if slope > 0 else 1
    try:
        rest = evaluate(poly - slope * Poly.of(symbol), sample)
        last = -(rest // slope) if slope > 0 else rest // -slope
        along = _along(cases, symbol, sample)
        here = dict(sample)
        for n in range(1, most + 1):
            size = last + step * n
            if size < 0:
                return most
            here[symbol.name] = size
            piece = along.select(here)
            if piece is not chosen and evaluate(piece, here) != evaluate(chosen, here):
                return n - 1
    except (Undecided, KeyError, ZeroDivisionError):
        return 0
    return most


def _along(cases: Cases, symbol: Symbol, sample: Mapping[str, Number]) -> Cases:
    """The cases at a sample but for one size: what does not depend on it is decided once."""
    pieces: list[tuple[Condition, Poly]] = []
    for condition, poly in cases.pieces:
        parts = condition.parts if isinstance(condition, Junction) and condition.every else ()
        found = {
            part: _decided(part, sample) for part in parts if symbol not in condition_symbols(part)
        }
        if False in found.values():
            continue
        if True in found.values():
            condition = conjunction(*(part for part in parts if not found.get(part)))
        pieces.append((condition, poly))
    return Cases(tuple(pieces))


def _decided(condition: Condition, sample: Mapping[str, Number]) -> bool | None:
    """Whether a condition holds at sizes by name; None where they do not decide it."""
    try:
        return holds(condition, sample)
    except (Undecided, KeyError, ZeroDivisionError):
        return None
