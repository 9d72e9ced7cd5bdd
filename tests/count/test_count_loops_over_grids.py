"""Loops that step over a grid whose size does not look positive, and guards in them that no set
of integers says."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.options import Options

ROWS = """__global__ void k(const float *a, float *b, int ny) {
    for (int y = 1 + blockIdx.x; y < ny - 1; y += gridDim.x)
        b[y * 128 + threadIdx.x] = 2.0f * a[y * 128 + threadIdx.x];
}
"""


@pytest.mark.parametrize("rows", [3, 4, 9])
def test_rows_between_borders(tmp_path: Path, rows: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(ROWS)
    launch = "grid=(ny - 2) block=(128)"
    (kernel,) = analyze(str(path), Options(launches=(launch,))).kernels
    assert text(kernel.grid.flops["fp32"].formula, HUMAN) == "128·ny − 256"
    assert text(kernel.active_threads.formula, HUMAN) == "128·ny − 256"
    assert not compare(path, "k", launch, {"ny": rows}).differences


IM2COL = """__global__ void k(int n, const float *im, int h, int w, float *col) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int x = i % w - 1, y = i / w % h - 1, c = i / w / h;
        col[i] = x >= 0 && y >= 0 && x < w && y < h ? im[(c * h + y) * w + x] : 0.0f;
    }
}
"""


def test_a_guard_that_cannot_be_said_is_a_share_of_the_iterations(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(IM2COL)
    (kernel,) = analyze(str(path), Options(launches=("grid=((n+255)/256) block=(256)",))).kernels
    assert text(kernel.grid.stores["global"].formula, HUMAN) == "n"
    assert text(kernel.grid.loads["global"].formula, HUMAN) == "n·p@4"
    assert not [one.name for one in kernel.unknowns if one.name.startswith("trips")]
    # 7 of 8 columns and 4 of 5 rows, in 3 channels.
    values = {"n": 120, "h": 5, "w": 8}
    options = Options(launches=("grid=((n+255)/256) block=(256)",), values=values)
    (kernel,) = analyze(str(path), options).kernels
    assert kernel.grid.loads["global"].value == 3 * 7 * 4
