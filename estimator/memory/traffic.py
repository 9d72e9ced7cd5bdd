"""Global-memory traffic in bytes: requested by every access, and compulsory."""

from __future__ import annotations

from dataclasses import dataclass

from estimator.algebra.cases import Sum
from estimator.algebra.poly import Poly
from estimator.count.domains import DomainCounter
from estimator.count.quantities import Quantity
from estimator.ir.kernel import Access, AccessKind, ArrayObject, Space
from estimator.memory.footprint import Notes, Shapes, footprint
from estimator.memory.unknown_footprint import Footprint

_NOTHING = Footprint(Sum(), Sum())


@dataclass(frozen=True)
class ArrayTraffic:
    """One array's bytes over the grid. An atomic operation reads and writes its element."""

    name: str
    requested: Sum
    read: Footprint
    written: Footprint

    @property
    def compulsory(self) -> Sum:
        return self.read.bytes + self.written.bytes

    @property
    def sectors(self) -> Sum:
        return self.read.sector_bytes + self.written.sector_bytes


def traffic(
    counter: DomainCounter, known: Shapes | None = None
) -> tuple[list[ArrayTraffic], Notes]:
    """The traffic of every global array and texture of a kernel, in order of first use.

    A kernel at given sizes has the shapes that are `known` of it.
    """
    arrays: dict[ArrayObject, list[Access]] = {}
    for access in counter.kernel.accesses:
        if access.array.space in (Space.GLOBAL, Space.TEXTURE):
            arrays.setdefault(access.array, []).append(access)
    notes = Notes(known=known or {})
    return [_of_array(counter, array, listed, notes) for array, listed in arrays.items()], notes


def _of_array(
    counter: DomainCounter, array: ArrayObject, accesses: list[Access], notes: Notes
) -> ArrayTraffic:
    requested = Quantity()
    for access in accesses:
        both = 2 if access.kind is AccessKind.ATOMIC else 1
        requested.add(access.domain, Poly.of(both * access.width))
    reads = [a for a in accesses if a.kind is not AccessKind.STORE]
    writes = [a for a in accesses if a.kind is not AccessKind.LOAD]
    read = footprint(counter, array, reads, "read", notes) if reads else _NOTHING
    written = footprint(counter, array, writes, "written", notes) if writes else _NOTHING
    return ArrayTraffic(array.name, requested.total(counter), read, written)
