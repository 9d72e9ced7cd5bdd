"""Global-memory traffic in bytes: requested by every access, and compulsory."""

from __future__ import annotations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.poly import ZERO, Poly
from estimator.count.domains import DomainCounter
from estimator.count.quantities import Quantity
from estimator.immutable import immutable
from estimator.ir.kernel import (
    Access,
    AccessKind,
    ArrayObject,
    Space,
    UnknownCost,
    UnknownInfo,
)
from estimator.memory.boxes import SECTOR_BYTES
from estimator.memory.footprint import Notes, Shapes, footprint
from estimator.memory.unknown_footprint import Footprint

_NOTHING = Footprint(Sum(), Sum())


@immutable(slots=False)
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
    """The traffic of every global array and texture of a kernel, in order of first use, and
    then that of functions that nobody knows.

    A kernel at given sizes has the shapes that are `known` of it.
    """
    arrays: dict[ArrayObject, list[Access]] = {}
    for access in counter.kernel.accesses:
        if access.array.space in (Space.GLOBAL, Space.TEXTURE):
            arrays.setdefault(access.array, []).append(access)
    notes = Notes(known=known or {})
    found = [_of_array(counter, array, listed, notes) for array, listed in arrays.items()]
    calls: dict[Symbol, list[UnknownCost]] = {}
    for call in counter.kernel.unknown_costs:
        if call.moved is not None:
            calls.setdefault(call.moved, []).append(call)
    return [*found, *(_of_calls(counter, moved, listed) for moved, listed in calls.items())], notes


def _of_calls(counter: DomainCounter, moved: Symbol, calls: list[UnknownCost]) -> ArrayTraffic:
    """What an unknown function may move: the bytes of a call, and which of them are distinct."""
    requested = Quantity()
    for call in calls:
        requested.add(call.domain, Poly.of(moved))
    total = requested.total(counter)
    most = total.parts[0].single if len(total.parts) == 1 else None
    first, short = calls[0], moved.name.removeprefix("bytes_")
    infos = counter.kernel.unknowns

    def unknown(prefix: str, what: str, upper: Poly | None) -> Sum:
        symbol = Symbol(f"{prefix}_{short}", Role.UNKNOWN)
        meaning = f"distinct {what} that {first.function} reads or writes"
        infos.setdefault(symbol, UnknownInfo(symbol, first.position, meaning, ZERO, upper))
        return Sum((Cases.of(Poly.of(symbol)),))

    distinct = unknown("distinct", "bytes of global memory", most)
    sectors = unknown("sectors", "32-byte sectors", None).scale(Poly.of(SECTOR_BYTES))
    return ArrayTraffic(f"({first.function})", total, Footprint(distinct, sectors), _NOTHING)


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
