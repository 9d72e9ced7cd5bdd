"""Numbers from a count made at the sizes given, where the general formulas have none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from estimator.report.model import ArrayBytes, Bytes, Count, Counts, Intensity, KernelReport


def lacks_values(report: KernelReport) -> bool:
    """Whether some count has no number."""
    counts = [report.active_threads, report.bytes.compulsory, report.bytes.compulsory_sectors]
    for group in (report.grid.flops, report.grid.loads, report.grid.stores, report.grid.atomics):
        counts.extend(group.values())
    counts += [report.grid.special, report.grid.barriers, report.grid.shuffles]
    return any(count.value is None for count in counts)


def with_values(report: KernelReport, at_sizes: KernelReport) -> KernelReport:
    """The report with the numbers of another, made of the same kernel at the sizes given."""
    return replace(
        report,
        per_thread=_counts(report.per_thread, at_sizes.per_thread),
        grid=_counts(report.grid, at_sizes.grid),
        threads=_count(report.threads, at_sizes.threads),
        active_threads=_count(report.active_threads, at_sizes.active_threads),
        bytes=_bytes(report.bytes, at_sizes.bytes),
        intensities=_intensities(report.intensities, at_sizes.intensities),
    )


def _count(count: Count, other: Count | None) -> Count:
    return replace(count, value=0 if other is None else other.value)


def _mapping(counts: Mapping[str, Count], others: Mapping[str, Count]) -> dict[str, Count]:
    return {key: _count(count, others.get(key)) for key, count in counts.items()}


def _counts(counts: Counts, others: Counts) -> Counts:
    return Counts(
        flops=_mapping(counts.flops, others.flops),
        special=_count(counts.special, others.special),
        loads=_mapping(counts.loads, others.loads),
        stores=_mapping(counts.stores, others.stores),
        atomics=_mapping(counts.atomics, others.atomics),
        shuffles=_count(counts.shuffles, others.shuffles),
        barriers=_count(counts.barriers, others.barriers),
    )


def _bytes(bytes_: Bytes, others: Bytes) -> Bytes:
    def of_array(name: str, array: ArrayBytes) -> ArrayBytes:
        other = others.by_array.get(name)
        return ArrayBytes(
            _count(array.requested, None if other is None else other.requested),
            _count(array.compulsory, None if other is None else other.compulsory),
            _count(array.compulsory_sectors, None if other is None else other.compulsory_sectors),
        )

    return Bytes(
        _count(bytes_.requested, others.requested),
        _count(bytes_.compulsory, others.compulsory),
        _count(bytes_.compulsory_sectors, others.compulsory_sectors),
        {name: of_array(name, array) for name, array in bytes_.by_array.items()},
    )


def _intensities(own: Intensity, others: Intensity) -> Intensity:
    def value(count: Count | None, other: Count | None) -> Count | None:
        if count is None:
            return None
        return replace(count, value=None if other is None else other.value)

    return Intensity(
        value(own.requested, others.requested),
        value(own.compulsory, others.compulsory),
        value(own.compulsory_sectors, others.compulsory_sectors),
        own.limits,
    )
