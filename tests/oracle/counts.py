"""What a run counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from oracle.memory import Block

SECTOR_BYTES = 32


class ThreadIndex(NamedTuple):
    """Which thread of the grid: (x, y, z) of the block and of the thread in it."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ArrayCounts:
    """One array's traffic in bytes: all accesses, distinct bytes, distinct sectors."""

    requested: int
    compulsory: int
    compulsory_sectors: int


@dataclass(frozen=True)
class OracleCounts:
    """Totals over the grid, and each thread's own counts.

    `totals` and the values of `per_thread` have dotted names: `flops.fp32`, `special`,
    `loads.global`, `stores.shared`, `atomics.global`, `barriers`, `shuffles`. `contents` are the
    elements of the global arrays after the run.
    """

    totals: Mapping[str, int]
    threads: int
    active_threads: int
    by_array: Mapping[str, ArrayCounts]
    per_thread: Mapping[ThreadIndex, Mapping[str, int]]
    contents: Mapping[str, list[Any]]

    @property
    def requested(self) -> int:
        """Bytes of every access to global memory."""
        return sum(array.requested for array in self.by_array.values())

    @property
    def compulsory(self) -> int:
        """Distinct bytes read and distinct bytes written."""
        return sum(array.compulsory for array in self.by_array.values())

    @property
    def compulsory_sectors(self) -> int:
        """The same in whole sectors of 32 bytes."""
        return sum(array.compulsory_sectors for array in self.by_array.values())


def collect(
    per_thread: Mapping[ThreadIndex, Mapping[str, int]],
    arrays: Iterable[Block],
    contents: Mapping[str, list[Any]],
) -> OracleCounts:
    """Totals of a finished run; arrays that nobody touched are left out."""
    totals: Counter[str] = Counter()
    for counts in per_thread.values():
        totals.update(counts)
    by_array = {
        array.name: ArrayCounts(
            array.requested,
            len(_distinct(array.reads, 1)) + len(_distinct(array.writes, 1)),
            SECTOR_BYTES * len(_distinct(array.reads, SECTOR_BYTES))
            + SECTOR_BYTES * len(_distinct(array.writes, SECTOR_BYTES)),
        )
        for array in arrays
        if array.requested
    }
    active = sum(1 for counts in per_thread.values() if any(counts.values()))
    return OracleCounts(dict(totals), len(per_thread), active, by_array, per_thread, contents)


def _distinct(accesses: set[tuple[int, int]], unit: int) -> set[int]:
    """The units of so many bytes that accesses, given as (offset, width), touch."""
    return {
        place
        for offset, width in accesses
        for place in range(offset // unit, (offset + width - 1) // unit + 1)
    }
