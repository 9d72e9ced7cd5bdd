"""Domains in pieces: splitting conditions on data off, and joining branches again."""

from __future__ import annotations

from estimator.algebra.condition import (
    FALSE,
    TRUE,
    Condition,
    Data,
    Junction,
    conjunction,
    depends_on_data,
    negate,
    without_implied,
)
from estimator.algebra.poly import ONE, Poly
from estimator.ir.kernel import Domain, Piece
from estimator.lower.events import together


def split(condition: Condition) -> list[tuple[Condition, Poly]]:
    """Disjoint (condition without data, weight) whose sum says how often `condition` holds."""
    if not depends_on_data(condition):
        return [(condition, ONE)]
    match condition:
        case Data(probability, positive):
            weight = Poly.of(probability)
            return [(TRUE, weight if positive else 1 - weight)]
        case Junction(parts, every):
            first, rest = parts[0], parts[1:]
            if not rest:
                return split(first)
            if every:
                return _both(split(first), split(conjunction(*rest)))
            others = parts[1] if len(rest) == 1 else Junction(rest, every=False)
            return split(first) + _both(split(negate(first)), split(others))
    raise TypeError(f"condition on data inside {condition!r}")


def _both(
    left: list[tuple[Condition, Poly]], right: list[tuple[Condition, Poly]]
) -> list[tuple[Condition, Poly]]:
    return [(conjunction(a, b), together(v, w)) for a, v in left for b, w in right]


def narrowed(domain: Domain, condition: Condition) -> Domain:
    """The part of a domain where `condition` holds; conditions on data become weights."""
    pieces = tuple(
        Piece(whole, chance)
        for piece in domain.pieces
        for part, weight in split(condition)
        if (whole := conjunction(without_implied(piece.condition, part), part)) != FALSE
        and (chance := together(piece.weight, weight))
    )
    return Domain(domain.counters, pieces)


def union(before: Domain, ends: list[Domain]) -> Domain:
    """The domain of what follows branches that started in `before` and arrived in `ends`.

    Where a piece of `before` arrived whole, in however many parts, it is that piece again.
    """
    if len(ends) == 1:
        return ends[0]
    pieces: list[Piece] = []
    for end in ends:
        pieces.extend(end.pieces)
    return Domain(before.counters, tuple(_merge(pieces)))


def _merge(pieces: list[Piece]) -> list[Piece]:
    """Pieces with the same condition become one, their weights added."""
    merged: dict[str, Piece] = {}
    for piece in pieces:
        key = piece.condition.key
        known = merged.get(key)
        if known is None:
            merged[key] = piece
        else:
            merged[key] = Piece(piece.condition, known.weight + piece.weight)
    return [piece for piece in merged.values() if piece.weight]


def otherwise(domain: Domain, conditions: list[Condition]) -> Domain:
    """The part of a domain where none of some conditions holds that exclude each other."""
    weight = ONE
    rest: list[Condition] = []
    for condition in conditions:
        if isinstance(condition, Data) and condition.positive:
            weight = weight - Poly.of(condition.probability)
        else:
            rest.append(negate(condition))
    none = conjunction(*rest)
    pieces = (
        Piece(conjunction(piece.condition, part), together(piece.weight, together(weight, share)))
        for piece in domain.pieces
        for part, share in split(none)
    )
    return Domain(domain.counters, tuple(p for p in pieces if p.condition != FALSE and p.weight))
