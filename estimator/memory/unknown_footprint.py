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
    least: Footprint | None = None,
) -> Footprint:
    """As many distinct elements as a named unknown says, at most one for each access.

    `most` is how many there are if every condition on data holds, where that is known, and `least`
    what some of the accesses touch. Without conditions on data one element is touched at least.
    """
    kernel = counter.kernel
    first = accesses[0]
    name = f"distinct_{array.name.lstrip('*')}@{first.position.line}"
    symbol = Symbol(name if verb == "read" else f"{name}.{verb}", Role.UNKNOWN)
    upper: Poly | None = ZERO
    for access in accesses:
        each = _as_one(counter.count(access.domain).total)
        upper = None if upper is None or each is None else upper + each * (access.width // unit)
    size = f"{unit}-byte elements" if unit != 1 else "bytes"
    meaning = f"distinct {size} of {array.name} that are {verb} ({_why(accesses)})"
    everything = None if most is None else _as_one(most)
    if everything is not None and (upper is None or _grows(everything) < _grows(upper)):
        upper = everything
    lower = _least(accesses) if least is None else _bound(least.bytes, unit, accesses)
    kernel.unknowns.setdefault(symbol, UnknownInfo(symbol, first.position, meaning, lower, upper))
    count = Sum((Cases.of(Poly.of(symbol)),)).scale(Poly.of(unit))
    if unit % SECTOR_BYTES == 0:
        return Footprint(count, count)
    within = upper if upper is not None and SECTOR_BYTES % unit == 0 else None
    touched = least.sector_bytes if least is not None else None
    return Footprint(count, unknown_sectors(kernel, array, accesses, verb, within, touched))


def _grows(bound: Poly) -> int:
    """The degree in sizes and trip counts: shares make a bound no larger."""
    shares = {symbol for symbol in symbols(bound) if symbol.name.startswith("p@")}
    return bound.degree(atom for atom in bound.atoms() if atom not in shares)


def _as_one(count: Sum) -> Poly | None:
    """A count as one formula where there is anything to count; None if it has several."""
    total = ZERO
    for part in count.merged().parts:
        if len(part.pieces) > 1:
            return None
        total = total + (part.pieces[0][1] if part.pieces else ZERO)
    return total


def _bound(least: Sum, unit: int, accesses: list[Access]) -> Poly:
    known = _as_one(least)
    return _least(accesses) if known is None else known / unit


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


def unknown_sectors(
    kernel: KernelIR,
    array: ArrayObject,
    accesses: list[Access],
    verb: str,
    most: Poly | None = None,
    least: Sum | None = None,
) -> Sum:
    """As many bytes as a named unknown says that there are sectors: `most` at most, and those of
    the `least` bytes at least."""
    position = accesses[0].position
    name = f"sectors_{array.name.lstrip('*')}@{position.line}"
    symbol = Symbol(name if verb == "read" else f"{name}.{verb}", Role.UNKNOWN)
    meaning = f"distinct 32-byte sectors of {array.name} that are {verb}"
    lower = _least(accesses) if least is None else _bound(least, SECTOR_BYTES, accesses)
    kernel.unknowns.setdefault(symbol, UnknownInfo(symbol, position, meaning, lower, most))
    return Sum((Cases.of(Poly.of(symbol)),)).scale(Poly.of(SECTOR_BYTES))
