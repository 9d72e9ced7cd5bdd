"""Footprints that nothing says: named unknowns with bounds."""

from __future__ import annotations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import symbols
from estimator.count.domains import DomainCounter
from estimator.immutable import immutable
from estimator.ir.kernel import Access, ArrayObject, KernelIR, UnknownInfo
from estimator.memory.boxes import SECTOR_BYTES


@immutable(slots=False)
class Footprint:
    """Distinct bytes and whole 32-byte sectors of one array, in one direction."""

    bytes: Sum
    sector_bytes: Sum


def unknown_footprint(
    counter: DomainCounter,
    array: ArrayObject,
    accesses: list[Access],
    unit: int,
    verb: str,
    most: Sum | None = None,
) -> Footprint:
    """As many distinct elements as a named unknown says, at most one for each access.

    `most` is how many there are if every condition on data holds, where that is known. Without
    such conditions at least one element is touched.
    """
    kernel = counter.kernel
    first = accesses[0]
    name = f"distinct_{array.name.lstrip('*')}@{first.position.line}"
    symbol = Symbol(name if verb == "read" else f"{name}.{verb}", Role.UNKNOWN)
    upper = ZERO
    single = True
    for access in accesses:
        cases = counter.count(access.domain).total.merged().parts
        for part in cases:
            value = part.single if len(part.pieces) != 1 else part.pieces[0][1]
            single = single and value is not None
            upper = upper + (value or ZERO) * (access.width // unit)
    size = f"{unit}-byte elements" if unit != 1 else "bytes"
    meaning = f"distinct {size} of {array.name} that are {verb} ({_why(accesses)})"
    parts = most.merged().parts if most is not None else ()
    if len(parts) == 1 and parts[0].single is not None:
        upper, single = parts[0].single, True
    bounds = _least(accesses), upper if single else None
    kernel.unknowns.setdefault(symbol, UnknownInfo(symbol, first.position, meaning, *bounds))
    count = Sum((Cases.of(Poly.of(symbol)),)).scale(Poly.of(unit))
    if unit % SECTOR_BYTES == 0:
        return Footprint(count, count)
    return Footprint(count, unknown_sectors(kernel, array, accesses, verb))


def _least(accesses: list[Access]) -> Poly:
    """Nothing is touched where a condition on data holds in no case."""
    certain = any(not symbols(p.weight) for access in accesses for p in access.domain.pieces)
    return ONE if certain else ZERO


def _why(accesses: list[Access]) -> str:
    """Why a footprint is not known."""
    if any(access.offset.has_role(Role.UNKNOWN) for access in accesses):
        return "an index depends on data"
    if any(symbols(p.weight) for access in accesses for p in access.domain.pieces):
        return "whether it is touched depends on data"
    return "its index is not linear, or its pieces are too many"


def unknown_sectors(kernel: KernelIR, array: ArrayObject, accesses: list[Access], verb: str) -> Sum:
    """As many bytes as a named unknown says that there are sectors."""
    position = accesses[0].position
    name = f"sectors_{array.name.lstrip('*')}@{position.line}"
    symbol = Symbol(name if verb == "read" else f"{name}.{verb}", Role.UNKNOWN)
    meaning = f"distinct 32-byte sectors of {array.name} that are {verb}"
    least = _least(accesses)
    kernel.unknowns.setdefault(symbol, UnknownInfo(symbol, position, meaning, least, None))
    return Sum((Cases.of(Poly.of(symbol)),)).scale(Poly.of(SECTOR_BYTES))
