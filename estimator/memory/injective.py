"""Footprints of accesses that never meet: as many elements as accesses."""

from __future__ import annotations

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Sum
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.walk import symbols
from estimator.count.cardinality import budget
from estimator.count.domains import DomainCounter
from estimator.count.isl_text import Translator
from estimator.count.shares import parts_of
from estimator.count.threads import index_space
from estimator.ir.kernel import Access, ArrayObject
from estimator.memory.boxes import SECTOR_BYTES
from estimator.memory.chances import UnsayableError
from estimator.memory.images import Image, read_map
from estimator.memory.unknown_footprint import Footprint, unknown_sectors


def injective(
    counter: DomainCounter,
    array: ArrayObject,
    accesses: list[Access],
    unit: int,
    verb: str,
    images: list[Image],
) -> Footprint:
    """No two iterations touch the same element, even on a larger domain: as many as accesses."""
    like = Translator(())
    with budget():
        maps = [read_map(image, like) for image in images]
        for n, one in enumerate(maps):
            if not one.is_injective():
                raise UnsayableError
            for other in maps[n + 1 :]:
                if not one.range().is_disjoint(other.range()):
                    raise UnsayableError
    total = Sum()
    seen: set[tuple[int, str]] = set()
    for access in accesses:
        for piece in access.domain.pieces:
            parts, counters = parts_of(piece.condition), access.domain.counters
            _, unmentioned = index_space(counter.kernel.launch, counters, parts, [access.offset])
            # Threads along an axis that says nothing touch the same elements again.
            if _repeats(piece.weight) or unmentioned != ONE:
                raise UnsayableError
        key = (id(access.domain), access.offset.key)
        if key not in seen:
            seen.add(key)
            total = total + counter.count(access.domain).total.scale(Poly.of(access.width))
    whole = unit % SECTOR_BYTES == 0
    sectors = total if whole else unknown_sectors(counter.kernel, array, accesses, verb)
    return Footprint(total, sectors)


def _repeats(weight: Poly) -> bool:
    """Whether a weight counts iterations that no counter tells apart."""
    return any(s.name.startswith("trips") for s in symbols(weight)) or any(
        not isinstance(atom, Symbol) for atom in weight.atoms()
    )
