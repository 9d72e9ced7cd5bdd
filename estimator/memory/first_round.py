"""Loops that only touch again what threads touch in their first iterations.

In `for (int i = t; i < n; i += stride)`, whatever the stride, thread t < n touches element t first,
and nothing behind n: all n elements are touched, and no others.
"""

from __future__ import annotations

from estimator.algebra.atoms import Atom
from estimator.algebra.condition import TRUE, Compare, Condition, Earlier, Exists, Relation
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import substitute, substitute_condition
from estimator.count.peel import at_least
from estimator.count.shares import parts_of
from estimator.count.threads import index_space
from estimator.ir.kernel import Access, KernelIR, Piece
from estimator.memory.images import Image
from estimator.memory.overlapping import footprint_of, one_range
from estimator.memory.unknown_footprint import Footprint


def first_round(kernel: KernelIR, accesses: list[Access], unit: int) -> Footprint | None:
    """The footprint of accesses whose first iterations touch one range and the others nothing
    outside it; None where that is not seen."""
    pieces = [(access, piece) for access in accesses for piece in access.domain.pieces]
    images: list[Image] = []
    for access, piece in pieces:
        image = _first(kernel, access, piece, unit)
        if image is None:
            return None
        images.append(image)
    found = one_range(images)
    if found is None or found[1] != TRUE:
        return None
    box = found[0]
    low, high = box.ranges[0].low, box.ranges[0].high
    if not all(_is_inside(access, piece, unit, low, high) for access, piece in pieces):
        return None
    return footprint_of(box, unit)


def _first(kernel: KernelIR, access: Access, piece: Piece, unit: int) -> Image | None:
    """What is touched with all counters at 0; None where data or earlier rounds decide."""
    parts = parts_of(piece.condition)
    if piece.weight != ONE or any(isinstance(part, Earlier | Exists) for part in parts):
        return None
    start: dict[Atom, Poly] = dict.fromkeys(access.domain.counters, ZERO)
    offset = substitute(access.offset / unit, start)
    first = [substitute_condition(part, start) for part in parts]
    space, unmentioned = index_space(
        kernel.launch, (), [part for part in first if part != TRUE], [offset]
    )
    if unmentioned.integer is None:
        return None
    return Image(space, (space.polys[0],), access.width // unit, ONE, False, "")


def _is_inside(access: Access, piece: Piece, unit: int, low: Poly, high: Poly) -> bool:
    """Whether a condition of the access itself keeps it within a range."""
    offset = access.offset / unit
    room = high - offset - (access.width // unit - 1)
    return at_least(offset, low) and (
        at_least(room, ZERO) or any(_says(part, room) for part in parts_of(piece.condition))
    )


def _says(part: Condition, room: Poly) -> bool:
    """Whether a condition says that there is room: that it is not negative."""
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return False
    return at_least(room, part.poly)
