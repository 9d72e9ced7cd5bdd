"""Launches that no GPU accepts are said to be so."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options

KERNEL = "__global__ void k(float *a, int n) { a[threadIdx.x] = n; }"


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        ("grid=(1) block=(2048)", "blockDim.x is 2048, more than 1024"),
        ("grid=(1) block=(64, 32)", "a block has 2048 threads, more than 1024"),
        ("grid=(0) block=(64)", "gridDim.x is 0"),
        ("grid=(n - 8) block=(64)", "gridDim.x is -1"),
        ("grid=(n) block=(8, 1, 128)", "blockDim.z is 128, more than 64"),
        ("grid=(n) block=(1024)", None),
    ],
)
def test_impossible_launches(tmp_path: Path, launch: str, said: str | None) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    options = Options(values={"n": 7}, launches=(launch,))
    found = analyze(str(path), options).files[0].diagnostics
    assert [d.code.id for d in found] == (["K402"] if said else [])
    assert all(said and d.message.endswith(said) for d in found)
