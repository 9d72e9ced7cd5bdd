"""Accesses that several threads make together: each element of a tile, shared out evenly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from estimator.algebra.condition import nonnegative
from estimator.algebra.poly import Poly
from estimator.ir.kernel import Domain, Piece
from estimator.lower.machine import Machine
from estimator.lower.pieces import narrowed

WARP = 32


@contextmanager
def shared_out(
    m: Machine, extents: Sequence[Poly | int], threads: int | Fraction
) -> Iterator[list[Poly]]:
    """Execute what follows once for every element of a tile with these extents, each of the
    `threads` doing an equal part of it; gives the element's indices.

    Every one of the threads must be here, as warp-wide operations demand: then the sum over
    the threads is exact.
    """
    before = m.live
    counters = [m.fresh_counter() for _ in extents]
    share = Poly.of(1 / Fraction(threads))
    pieces = tuple(Piece(p.condition, p.weight * share) for p in before.pieces)
    domain = Domain((*before.counters, *counters), pieces)
    for counter, extent in zip(counters, extents, strict=True):
        domain = narrowed(domain, nonnegative(Poly.of(counter)))
        domain = narrowed(domain, nonnegative(Poly.of(extent) - Poly.of(counter) - 1))
    m.live = domain
    try:
        yield [Poly.of(counter) for counter in counters]
    finally:
        m.live = before
