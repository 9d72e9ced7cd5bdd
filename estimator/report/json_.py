"""The report as JSON, schema kcost/1: `schema.json` beside this file, explained in docs/json.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from estimator.algebra.atoms import Symbol
from estimator.algebra.printing import Formula, sympy_text
from estimator.report.json_gpu import gpu_object
from estimator.report.model import (
    ArrayBytes,
    Bytes,
    Count,
    Counts,
    FileReport,
    Intensity,
    KernelReport,
    Report,
    ThreadVariation,
    Unknown,
)
from estimator.report.version import VERSION
from estimator.source.diagnostics import Diagnostic
from estimator.source.position import Position

SCHEMA = "kcost/1"

Object = dict[str, Any]
# What stands for a count: its formula, its exact formula, or its value.
Leaf = Callable[[Count], Any]


def render(report: Report, *, exact: bool = False) -> str:
    """The report as JSON text; with `exact` the formulas for every size are the main ones."""
    return json.dumps(report_object(report, exact=exact), indent=2) + "\n"


def report_object(report: Report, *, exact: bool = False) -> Object:
    """The report as plain objects, in the shape of the schema."""
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "files": [_file(file, exact) for file in report.files],
    }


def _file(file: FileReport, exact: bool) -> Object:
    return {
        "path": file.path,
        "diagnostics": [_diagnostic(found, file.lost_to(found)) for found in file.diagnostics],
        "kernels": [_kernel(kernel, exact) for kernel in file.kernels],
    }


def _diagnostic(diagnostic: Diagnostic, lost: tuple[str, ...]) -> Object:
    return {
        "code": diagnostic.code.id,
        "severity": diagnostic.code.severity.value,
        "path": diagnostic.position.path,
        "line": diagnostic.position.line,
        "column": diagnostic.position.column,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "lost": list(lost),
    }


def _kernel(kernel: KernelReport, exact: bool) -> Object:
    found: Object = {
        "name": kernel.name,
        "line": kernel.position.line,
        "column": kernel.position.column,
        "parameters": {
            parameter.name: {"type": parameter.type, "value": number(parameter.value)}
            for parameter in kernel.parameters
        },
        "launch": _launch(kernel),
        "assumptions": [
            {"code": assumption.code, "message": assumption.message}
            for assumption in kernel.assumptions
        ],
        **_measures(kernel, _exact if exact else _even),
    }
    found["per_thread"]["uniform"] = kernel.uniform
    if kernel.variation is not None:
        found["per_thread"]["in_thread_index"] = _in_thread_index(kernel.variation)
    found["intensity"]["limits"] = {
        kind: None if limit is None else sympy_text(limit)
        for kind, limit in kernel.intensities.limits.items()
    }
    if not exact:
        _add(found, "exact", _pruned(_measures(kernel, _exact_if_different)))
    _add(found, "values", _pruned(_measures(kernel, lambda count: number(count.value))))
    found["unknowns"] = [_unknown(u) for u in (*kernel.unknowns, *kernel.exact_unknowns)]
    found["gpus"] = {name: gpu_object(verdict) for name, verdict in kernel.gpus.items()}
    return found


# Conditions on all rounds of a loop, for which sympy has no form.
_OVER_ROUNDS = re.compile(r"\b(?:once|never) ")


def _in_thread_index(variation: ThreadVariation) -> dict[str, Any]:
    """The formulas under the keys that the counts have: `flops.fp32` is flops → fp32.

    Those that sympy cannot parse are left out.
    """
    found: dict[str, Any] = {
        "index": {Symbol(name).identifier: text for name, text in variation.index.items()}
    }
    for key, formula in variation.formulas.items():
        group, _, inner = key.partition(".")
        text = sympy_text(formula)
        if _OVER_ROUNDS.search(text):
            continue
        if inner:
            found.setdefault(group, {})[inner] = text
        else:
            found[group] = text
    return found


def _add(target: Object, key: str, value: Object) -> None:
    if value:
        target[key] = value


def _even(count: Count) -> str:
    return sympy_text(count.formula)


def _exact(count: Count) -> str:
    return sympy_text(count.exact)


def _exact_if_different(count: Count) -> str | None:
    text = sympy_text(count.exact)
    return None if text == sympy_text(count.formula) else text


def _pruned(item: Object) -> Object:
    """Without what is None, and without objects that this leaves empty."""
    kept: Object = {}
    for key, value in item.items():
        if isinstance(value, dict):
            value = _pruned(value)
        if value is not None and value != {}:
            kept[key] = value
    return kept


def _measures(kernel: KernelReport, leaf: Leaf) -> Object:
    grid = _counts(kernel.grid, leaf)
    grid["threads"] = leaf(kernel.threads)
    grid["active_threads"] = leaf(kernel.active_threads)
    return {
        "per_thread": _counts(kernel.per_thread, leaf),
        "grid": grid,
        "bytes": _bytes(kernel.bytes, leaf),
        "intensity": _intensity(kernel.intensities, leaf),
    }


def _counts(counts: Counts, leaf: Leaf) -> Object:
    return {
        "flops": _each(counts.flops, leaf),
        "special": leaf(counts.special),
        "loads": _each(counts.loads, leaf),
        "stores": _each(counts.stores, leaf),
        "atomics": _each(counts.atomics, leaf),
        "shuffles": leaf(counts.shuffles),
        "barriers": leaf(counts.barriers),
    }


def _each(counts: Mapping[str, Count], leaf: Leaf) -> Object:
    return {key: leaf(count) for key, count in counts.items()}


def _bytes(moved: Bytes, leaf: Leaf) -> Object:
    by_array = {name: _traffic(array, leaf) for name, array in moved.by_array.items()}
    return {**_traffic(moved, leaf), "by_array": by_array}


def _traffic(moved: Bytes | ArrayBytes, leaf: Leaf) -> Object:
    return {
        "requested": leaf(moved.requested),
        "compulsory": leaf(moved.compulsory),
        "compulsory_sectors": leaf(moved.compulsory_sectors),
    }


def _intensity(intensities: Intensity, leaf: Leaf) -> Object:
    kinds = ("requested", "compulsory", "compulsory_sectors")
    counts = {kind: getattr(intensities, kind) for kind in kinds}
    return {kind: None if count is None else leaf(count) for kind, count in counts.items()}


def _launch(kernel: KernelReport) -> Object:
    launch = kernel.launch
    found: Object = {
        "grid": [sympy_text(extent) for extent in launch.grid],
        "block": [sympy_text(extent) for extent in launch.block],
        "origin": launch.origin.value,
    }
    if launch.position is not None:
        found |= _place(launch.position)
    if launch.calls:
        found["calls"] = [_place(place) for place in launch.calls]
    if launch.also:
        found["also"] = [_place(place) for place in launch.also]
    return found


def _place(position: Position) -> Object:
    return {"path": position.path, "line": position.line, "column": position.column}


def _unknown(unknown: Unknown) -> Object:
    def bound(formula: Formula | None) -> str | None:
        return None if formula is None else sympy_text(formula)

    return {
        "name": unknown.name,
        "symbol": Symbol(unknown.symbol).identifier,
        "line": unknown.position.line,
        "column": unknown.position.column,
        "meaning": unknown.meaning,
        "lower": bound(unknown.lower),
        "upper": bound(unknown.upper),
        "value": number(unknown.value),
    }


def number(value: Fraction | int | None) -> int | float | None:
    """An integer where the value is one, else the nearest float."""
    if value is None or isinstance(value, int):
        return value
    return value.numerator if value.denominator == 1 else float(value)
