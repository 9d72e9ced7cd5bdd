"""Kernels that use CUDA's libraries cost what their twins in plain C cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.report.json_ import report_object

TWINS = Path(__file__).parent / "twins"
NAMES = [
    "assembly_arithmetic",
    "assembly_loads",
    "asynchronous_copy",
    "atomic_reference",
    "bfloat_casts",
    "block_load",
    "block_reduce",
    "grid_group",
    "group_copy",
    "group_reduce",
    "half2_operators",
    "hinted_access",
    "shared_pieces",
    "standard_functions",
    "tile_of_tile",
    "tile_reduction",
    "warp_reduce",
]
COMPARED = ("launch", "per_thread", "grid", "bytes", "intensity")


def formulas(name: str, kind: str) -> dict[str, object]:
    """The formulas of the one kernel in a file, where it lost nothing."""
    (file,) = report_object(analyze(str(TWINS / f"{name}_{kind}.cu")))["files"]
    assert file["diagnostics"] == []
    (kernel,) = file["kernels"]
    launch = {key: kernel["launch"][key] for key in ("grid", "block")}
    return {key: launch if key == "launch" else kernel[key] for key in COMPARED}


@pytest.mark.parametrize("name", NAMES)
def test_twins(name: str) -> None:
    assert formulas(name, "cxx") == formulas(name, "plain")
