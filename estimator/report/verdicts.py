"""A report with what each GPU makes of the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from estimator.algebra.printing import Formula
from estimator.gpus.profile import GpuProfile
from estimator.report.model import KernelReport
from estimator.roofline.verdict import judge
from estimator.roofline.work import Work


def with_verdicts(
    report: KernelReport, gpus: Iterable[GpuProfile], values: Mapping[str, int | Fraction]
) -> KernelReport:
    """The report with a verdict for each GPU; `values` gives symbols numbers, by name."""
    work = Work(
        report.grid.flops, report.grid.special, report.bytes.requested, report.bytes.compulsory
    )
    bounds: dict[str, tuple[Formula | None, Formula | None]] = {
        unknown.name: (unknown.lower, unknown.upper) for unknown in report.unknowns
    }
    return replace(report, gpus={gpu.id: judge(work, gpu, values, bounds) for gpu in gpus})
