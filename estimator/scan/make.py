"""From a kernel's report to its row: formulas become texts here, once."""

from __future__ import annotations

from estimator.algebra.printing import ASCII, HUMAN, sympy_text
from estimator.gpus.kinds import unit_label
from estimator.parse.unit import Function
from estimator.report.document import shortest
from estimator.report.json_ import number
from estimator.report.model import Count, KernelReport
from estimator.report.names import parameter_names
from estimator.roofline.verdict import GpuVerdict
from estimator.scan.rows import Amount, GpuCell, KernelRow, place_of
from estimator.scan.weights import weights


def row_of(kernel: Function, report: KernelReport) -> KernelRow:
    """The row of a kernel under the report's launch."""
    launch = report.launch
    flops = {name: _amount(count) for name, count in report.grid.flops.items() if not count.is_zero}
    intensity = report.intensities.compulsory
    return KernelRow(
        name=report.name,
        symbol=kernel.name,
        place=place_of(report.position),
        is_open=any(assumption.code == "template" for assumption in report.assumptions),
        origin=launch.origin.value,
        launch=None if launch.position is None else place_of(launch.position),
        grid=tuple(sympy_text(extent) for extent in launch.grid),
        block=tuple(sympy_text(extent) for extent in launch.block),
        parameters=tuple(sorted(parameter_names(report))),
        unknowns=tuple(unknown.name for unknown in report.unknowns),
        flops=_total(flops),
        flops_by_precision=flops,
        bytes=_amount(report.bytes.compulsory),
        bytes_requested=_amount(report.bytes.requested),
        intensity=None if intensity is None else _amount(intensity),
        gpus={name: _cell(verdict) for name, verdict in report.gpus.items()},
        weights=weights(report),
    )


def _amount(count: Count) -> Amount:
    return Amount(
        shortest(count.formula, HUMAN),
        shortest(count.formula, ASCII),
        sympy_text(count.formula),
        number(count.value),
    )


def _total(flops: dict[str, Amount]) -> Amount:
    """The sum over precisions; for people each with its name where there are several."""
    if not flops:
        return Amount("0", "0", "0", 0)
    if len(flops) == 1:
        (only,) = flops.values()
        return only
    values = [amount.value for amount in flops.values()]
    known = [value for value in values if value is not None]
    return Amount(
        " + ".join(f"{amount.text} {unit_label(name)}" for name, amount in flops.items()),
        " + ".join(f"{amount.ascii} {unit_label(name)}" for name, amount in flops.items()),
        " + ".join(f"({amount.formula})" for amount in flops.values()),
        sum(known) if len(known) == len(values) else None,
    )


def _cell(verdict: GpuVerdict) -> GpuCell:
    return GpuCell(
        name=verdict.name,
        bound=verdict.compulsory.bound.value,
        text=verdict.compulsory.text,
        turns_at=dict(verdict.compulsory.turns_at),
        requested=verdict.requested.bound.value,
        reuse_decides=verdict.reuse_decides,
        lower_bound_s=getattr(verdict.numbers, "lower_bound_s", None),
    )
