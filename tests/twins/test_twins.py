"""Kernels in C++ idiom cost what their plain C twins cost: every count and byte formula."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.json_ import report_object

HERE = Path(__file__).parent
PAIRS = sorted(path.name.removesuffix("_plain.cu") for path in HERE.glob("*_plain.cu"))


@pytest.mark.parametrize("name", PAIRS)
def test_twins(name: str) -> None:
    (variant,) = [path for path in HERE.glob(f"{name}_*.cu") if not path.match("*_plain.cu")]
    assert costs(variant) == costs(HERE / f"{name}_plain.cu")


def costs(path: Path) -> list[dict[str, Any]]:
    """What each kernel of a file costs; arrays and instances under their plain names."""
    report = report_object(analyze([str(path)], Options()))
    (file,) = report["files"]
    assert [one for one in file["diagnostics"] if one["severity"] == "error"] == []
    assert file["kernels"], "no kernel was analysed"
    keys = ("per_thread", "grid", "bytes", "exact", "values", "intensity", "unknowns")
    return [{key: _plain(kernel.get(key)) for key in keys} for kernel in file["kernels"]]


def _plain(found: Any) -> Any:
    """Arrays are told apart by what they cost: a lambda's have longer names."""
    if isinstance(found, dict):
        if "by_array" in found:
            arrays = [_plain(one) for one in found["by_array"].values()]
            found = {**found, "by_array": sorted(arrays, key=str)}
        # The same line may be written otherwise: its columns tell nothing.
        return {key: _plain(value) for key, value in found.items() if key != "column"}
    if isinstance(found, list):
        return [_plain(one) for one in found]
    return found
