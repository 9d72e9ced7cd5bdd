"""A scan as JSON, schema kcost-scan/1: `schema.json` beside this file, see docs/json.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from estimator.report.version import VERSION
from estimator.scan.merge import ScanReport
from estimator.scan.rows import Amount, Found, KernelRow, LostKernel
from estimator.scan.summary import summary_of

SCHEMA = "kcost-scan/1"

Object = dict[str, Any]


def render(report: ScanReport, rows: Sequence[KernelRow]) -> str:
    """The report as JSON text, its kernels in the order of `rows`."""
    return json.dumps(scan_object(report, rows), indent=2) + "\n"


def scan_object(report: ScanReport, rows: Sequence[KernelRow]) -> Object:
    """The report as plain objects, in the shape of the schema."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "summary": asdict(summary_of(report)),
        "kernels": [_kernel(row) for row in rows],
        "not_analysed": [_lost(kernel) for kernel in report.lost],
        "diagnostics": [_diagnostic(found) for found in report.diagnostics],
    }


def _kernel(row: KernelRow) -> Object:
    launch: Object = {"origin": row.origin, "grid": list(row.grid), "block": list(row.block)}
    if row.launch is not None:
        launch.update(asdict(row.launch))
    return {
        "name": row.name,
        **asdict(row.place),
        "launch": launch,
        "flops": _amount(row.flops),
        "flops_by_precision": {
            name: _amount(amount) for name, amount in row.flops_by_precision.items()
        },
        "bytes": _amount(row.bytes),
        "bytes_requested": _amount(row.bytes_requested),
        "intensity": None if row.intensity is None else _amount(row.intensity),
        "unknowns": list(row.unknowns),
        "gpus": {name: asdict(cell) for name, cell in row.gpus.items()},
    }


def _amount(amount: Amount) -> Object:
    return {"formula": amount.formula, "value": amount.value}


def _lost(kernel: LostKernel) -> Object:
    return {"name": kernel.name, **_diagnostic(kernel.reason)}


def _diagnostic(found: Found) -> Object:
    return {
        "code": found.code,
        "severity": found.severity.value,
        "title": found.title,
        **asdict(found.place),
        "message": found.message,
        "help": found.help,
    }
