"""Reports of one kernel put together: formulas of the one, numbers of the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from estimator.algebra.poly import ZERO
from estimator.report.model import (
    ArrayBytes,
    Assumption,
    Bytes,
    Count,
    Counts,
    Intensity,
    KernelReport,
)


def lacks_values(report: KernelReport) -> bool:
    """Whether some count has no number."""
    counts = [report.active_threads, report.bytes.compulsory, report.bytes.compulsory_sectors]
    for group in (report.grid.flops, report.grid.loads, report.grid.stores, report.grid.atomics):
        counts.extend(group.values())
    counts += [report.grid.special, report.grid.barriers, report.grid.shuffles]
    return any(count.value is None for count in counts)


def with_values(report: KernelReport, at_sizes: KernelReport, *, keep: bool = True) -> KernelReport:
    """The report with the numbers of another, made of the same kernel at the sizes given.

    Where that has none the report's own are kept, but for sectors: those of its formulas take
    rows to start at sectors. Not to `keep` them is for sizes that formulas are not meant for.
    """
    merged = _merged(report, at_sizes, _with_value_or_own if keep else _with_value)
    bytes_ = merged.bytes
    others = at_sizes.bytes.by_array
    arrays = {
        name: replace(array, compulsory_sectors=_sectors(array, others.get(name)))
        for name, array in bytes_.by_array.items()
    }
    whole = _with_value(bytes_.compulsory_sectors, at_sizes.bytes.compulsory_sectors)
    ratio = merged.intensities.compulsory_sectors
    other = at_sizes.intensities.compulsory_sectors
    if ratio is not None:
        ratio = replace(ratio, value=None if other is None else other.value)
    return replace(
        merged,
        assumptions=tuple(_of_formulas(one) for one in merged.assumptions),
        bytes=replace(bytes_, compulsory_sectors=whole, by_array=arrays),
        intensities=replace(merged.intensities, compulsory_sectors=ratio),
    )


def _of_formulas(assumption: Assumption) -> Assumption:
    """What formulas take for rows, and numbers do not."""
    if assumption.code != "aligned-rows":
        return assumption
    return replace(assumption, message=f"{assumption.message}, in formulas")


def _sectors(array: ArrayBytes, other: ArrayBytes | None) -> Count:
    if array.compulsory.value is None:
        return replace(array.compulsory_sectors, value=None)
    return _with_value(
        array.compulsory_sectors, None if other is None else other.compulsory_sectors
    )


def with_exact(report: KernelReport, general: KernelReport) -> KernelReport:
    """The report with the exact formulas of another, made of the kernel in all its variants."""
    return _merged(report, general, _with_exact)


# What a report lacks counts as nothing, for any size that formulas are meant for.
_NONE = Count(ZERO, ZERO, 0)
# Takes a count and its counterpart, None if the other report has none.
_Merge = Callable[[Count, Count | None], Count]


def _with_value(count: Count, other: Count | None) -> Count:
    return replace(count, value=0 if other is None else other.value)


def _with_value_or_own(count: Count, other: Count | None) -> Count:
    if other is not None and other.value is None and count is not _NONE:
        return count
    return _with_value(count, other)


def _with_exact(count: Count, other: Count | None) -> Count:
    return count if other is None else replace(count, exact=other.exact)


def _merged(report: KernelReport, other: KernelReport, merge: _Merge) -> KernelReport:
    return replace(
        report,
        per_thread=_counts(report.per_thread, other.per_thread, merge),
        grid=_counts(report.grid, other.grid, merge),
        threads=merge(report.threads, other.threads),
        active_threads=merge(report.active_threads, other.active_threads),
        bytes=_bytes(report.bytes, other.bytes, merge),
        intensities=_intensities(report.intensities, other.intensities, merge),
    )


def _counts(counts: Counts, others: Counts, merge: _Merge) -> Counts:
    def mapping(own: Mapping[str, Count], theirs: Mapping[str, Count]) -> dict[str, Count]:
        found = {key: merge(count, theirs.get(key)) for key, count in own.items()}
        more = {key: merge(_NONE, other) for key, other in theirs.items() if key not in own}
        return found | {key: count for key, count in more.items() if count.value != 0}

    return Counts(
        flops=mapping(counts.flops, others.flops),
        special=merge(counts.special, others.special),
        loads=mapping(counts.loads, others.loads),
        stores=mapping(counts.stores, others.stores),
        atomics=mapping(counts.atomics, others.atomics),
        shuffles=merge(counts.shuffles, others.shuffles),
        barriers=merge(counts.barriers, others.barriers),
    )


def _bytes(bytes_: Bytes, others: Bytes, merge: _Merge) -> Bytes:
    open_ = {
        name
        for name, array in bytes_.by_array.items()
        if merge is not _with_exact and name not in others.by_array and _may_be_another(array)
    }

    def of_array(name: str, array: ArrayBytes) -> ArrayBytes:
        other = others.by_array.get(name)
        # What an open one stands for has its share of them at sizes, and not in formulas.
        has_more = open_ and other is not None and other.requested.value != array.requested.value
        if name in open_ or has_more:
            unknown = (array.requested, array.compulsory, array.compulsory_sectors)
            return ArrayBytes(*(replace(count, value=None) for count in unknown))
        return ArrayBytes(
            merge(array.requested, None if other is None else other.requested),
            merge(array.compulsory, None if other is None else other.compulsory),
            merge(array.compulsory_sectors, None if other is None else other.compulsory_sectors),
        )

    return Bytes(
        merge(bytes_.requested, others.requested),
        merge(bytes_.compulsory, others.compulsory),
        merge(bytes_.compulsory_sectors, others.compulsory_sectors),
        {
            name: of_array(name, bytes_.by_array.get(name, ArrayBytes(_NONE, _NONE, _NONE)))
            for name in (bytes_.by_array if open_ else {**bytes_.by_array, **others.by_array})
        },
    )


def _may_be_another(array: ArrayBytes) -> bool:
    """Whether this stands for arrays that have names of their own once the sizes are known.

    Something of it is touched, nobody knows what.
    """
    return array.compulsory.value is None and array.requested.value != 0


def _intensities(own: Intensity, others: Intensity, merge: _Merge) -> Intensity:
    def merged(count: Count | None, other: Count | None) -> Count | None:
        if count is None:
            return None
        # A ratio without its counterpart has no number: nothing moves.
        return replace(merge(count, other), value=None) if other is None else merge(count, other)

    return Intensity(
        merged(own.requested, others.requested),
        merged(own.compulsory, others.compulsory),
        merged(own.compulsory_sectors, others.compulsory_sectors),
        own.limits,
    )
