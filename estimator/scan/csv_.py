"""A scan as comma-separated values (RFC 4180): a line a kernel, those not analysed too."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from estimator.scan.merge import ScanReport
from estimator.scan.rows import Amount, KernelRow, LostKernel

_AMOUNTS = ("flops", "bytes", "bytes_requested", "intensity")
_PLACE = ("kernel", "file", "line", "column")
_LAUNCH = ("launch", "launch_file", "launch_line")
_REASON = ("code", "reason")


def render(report: ScanReport, rows: Sequence[KernelRow], gpus: Sequence[str]) -> str:
    """The report as CSV, in the order of `rows`, with columns for the GPUs of these ids.

    Formulas are for sympy; behind each is a column with its number at the sizes given. A kernel
    that was not analysed has a `code` and a `reason`, and nothing in the columns for costs.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, _columns(gpus), restval="", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(_analysed(row, gpus) for row in rows)
    writer.writerows(_lost(kernel) for kernel in report.lost)
    return text.getvalue()


def _columns(gpus: Sequence[str]) -> list[str]:
    amounts = [column for name in _AMOUNTS for column in (name, f"{name}_value")]
    cells = [f"{gpu}_{what}" for gpu in gpus for what in ("verdict", "text", "lower_bound_s")]
    return [*_PLACE, *_LAUNCH, *amounts, "unknowns", *cells, *_REASON]


def _analysed(row: KernelRow, gpus: Sequence[str]) -> dict[str, Any]:
    line: dict[str, Any] = {
        "kernel": row.name,
        "file": row.place.path,
        "line": row.place.line,
        "column": row.place.column,
        "launch": row.origin,
        "unknowns": " ".join(row.unknowns),
    }
    if row.launch is not None:
        line["launch_file"], line["launch_line"] = row.launch.path, row.launch.line
    for name in _AMOUNTS:
        amount: Amount | None = getattr(row, name)
        if amount is not None:
            line[name], line[f"{name}_value"] = amount.formula, amount.value
    for gpu in gpus:
        cell = row.gpus.get(gpu)
        if cell is not None:
            line[f"{gpu}_verdict"], line[f"{gpu}_text"] = cell.bound, cell.text
            line[f"{gpu}_lower_bound_s"] = cell.lower_bound_s
    return line


def _lost(kernel: LostKernel) -> dict[str, Any]:
    return {
        "kernel": kernel.name,
        "file": kernel.place.path,
        "line": kernel.place.line,
        "column": kernel.place.column,
        "code": kernel.reason.code,
        "reason": kernel.reason.message,
    }
