"""A scan in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from estimator.immutable import immutable
from estimator.scan.merge import ScanReport
from estimator.scan.rows import Found


@immutable()
class Reason:
    """A code, and of how many kernels or files it was the reason."""

    code: str
    title: str
    count: int


@immutable()
class Summary:
    """How many files and kernels there are, and why some are not analysed.

    `reasons` count kernels; `others` count errors that are no single kernel's, such as a file
    that cannot be read; `warnings` count those.
    """

    files: int
    kernels: int
    analysed: int
    not_analysed: int
    reasons: tuple[Reason, ...]
    others: tuple[Reason, ...]
    warnings: tuple[Reason, ...]


def summary_of(report: ScanReport) -> Summary:
    """The summary of a scan."""
    return Summary(
        files=report.files,
        kernels=report.kernels,
        analysed=report.analysed,
        not_analysed=len(report.lost),
        reasons=_counted(kernel.reason for kernel in report.lost),
        others=_counted(report.errors),
        warnings=_counted(found for found in report.diagnostics if not found.is_error),
    )


def _counted(found: Iterable[Found]) -> tuple[Reason, ...]:
    """The most frequent first."""
    counts = Counter((one.code, one.title) for one in found)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Reason(code, title, count) for (code, title), count in ranked)
