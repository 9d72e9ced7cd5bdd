"""A report with what each GPU makes of the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from estimator.algebra.poly import Poly
from estimator.algebra.printing import Formula
from estimator.gpus.profile import GpuProfile
from estimator.report.model import Count, KernelReport
from estimator.roofline.verdict import judge
from estimator.roofline.work import Work, value_of


def with_verdicts(
    report: KernelReport,
    gpus: Iterable[GpuProfile],
    values: Mapping[str, int | Fraction],
    largest: Mapping[str, int],
) -> KernelReport:
    """The report with a verdict for each GPU; `values` gives symbols numbers, by name, and
    `largest` the numbers that sizes do not go beyond."""
    work = Work(
        {name: _as_counted(count, values) for name, count in report.grid.flops.items()},
        _as_counted(report.grid.special, values),
        _as_counted(report.bytes.requested, values),
        _as_counted(report.bytes.compulsory, values),
    )
    bounds: dict[str, tuple[Formula | None, Formula | None]] = {
        unknown.name: (unknown.lower, unknown.upper) for unknown in report.unknowns
    }
    bounds |= {name: (None, Poly.of(number)) for name, number in largest.items()}
    return replace(report, gpus={gpu.id: judge(work, gpu, values, bounds) for gpu in gpus})


def _as_counted(count: Count, values: Mapping[str, int | Fraction]) -> Count:
    """The count, as the number that it has where its formulas have another one, or none."""
    if count.value is None or count.value == value_of(count.exact, values):
        return count
    number = Poly.of(count.value)
    return replace(count, formula=number, exact=number)
