"""Rough sizes of kernels, to put first what matters; only the order comes from them.

A size without a value counts as 1,024, a trip count too, and a share of cases as 1. Time is the
roofline's lower bound (Williams, Waterman, Patterson, CACM 2009): the longer of computing and of
moving the compulsory bytes, on the slowest of the GPUs asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from estimator.algebra.atoms import Symbol
from estimator.algebra.poly import ONE
from estimator.algebra.printing import Formula
from estimator.report.model import Count, KernelReport
from estimator.roofline.work import has_powers, symbols_of, value_of

_SIZE, _SIZE_IN_POWERS = 1024, 8
_LARGEST = 1e300
# Without a GPU: FLOPs that take as long as moving a byte, about an H100's in FP32.
_FLOPS_PER_BYTE = 20.0


def weights(report: KernelReport) -> dict[str, float]:
    """`flops`, `bytes`, `intensity` and `time` of a kernel at the sizes given or assumed."""
    given = _values(report)
    by_precision = {name: _at(count, given) for name, count in report.grid.flops.items()}
    flops = min(sum(by_precision.values()), _LARGEST)
    moved = _at(report.bytes.compulsory, given)
    return {
        "flops": flops,
        "bytes": moved,
        "intensity": flops / moved if moved else 0.0,
        "time": _time(report, by_precision, moved),
    }


def _time(report: KernelReport, flops: Mapping[str, float], moved: float) -> float:
    times = [
        max(
            sum(count / gpu.peaks_flops_per_s.get(name, _LARGEST) for name, count in flops.items()),
            moved / gpu.bandwidth_bytes_per_s,
        )
        for gpu in report.gpus.values()
    ]
    if not times:
        times = [max(sum(flops.values()) / _FLOPS_PER_BYTE, moved)]
    return min(max(times), _LARGEST)


def _values(report: KernelReport) -> dict[str, int | Fraction]:
    formulas = [report.bytes.compulsory.exact, *(c.exact for c in report.grid.flops.values())]
    size = _SIZE_IN_POWERS if any(map(has_powers, formulas)) else _SIZE
    values: dict[str, int | Fraction] = {symbol.name: size for symbol in _symbols(formulas)}
    for unknown in report.unknowns:
        if unknown.upper == ONE:
            values[unknown.symbol] = 1
        if unknown.value is not None:
            values[unknown.symbol] = unknown.value
    given = {p.name: p.value for p in report.parameters if p.value is not None}
    return {**values, **given}


def _symbols(formulas: Iterable[Formula]) -> set[Symbol]:
    return {symbol for formula in formulas for symbol in symbols_of(formula)}


def _at(count: Count, values: Mapping[str, int | Fraction]) -> float:
    value = count.value if count.value is not None else value_of(count.exact, values)
    try:
        return max(0.0, min(float(value or 0), _LARGEST))
    except OverflowError:
        return _LARGEST
