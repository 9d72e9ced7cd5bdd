"""Loops inside loops that are left by `return`: numbers at sizes, also where none leaves."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

KERNEL = """__global__ void k(const float *a, float *o, int n, int m) {
    int i = blockIdx.x * 8 + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int q = 1; q < n; q *= 2)
        for (int r = 1; r < m; r += 3) {
            s += a[q + i];
            if (r + 2 < m) return;
        }
    o[i] = s;
}
"""
LAUNCH = "grid=((n+31)/32) block=(32)"


@pytest.mark.parametrize(("n", "m"), [(32, 1), (32, 3), (32, 4), (32, 5), (5, 4), (1, 2)])
def test_return_from_an_inner_loop(tmp_path: Path, n: int, m: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    assert not differences(path, LAUNCH, {"n": n, "m": m})


def test_none_returns(tmp_path: Path) -> None:
    """32 threads, q = 1, 2, 4, 8, 16 and r = 1, of which r + 2 < 3 is false."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    at = report(path, "k: " + LAUNCH, {"n": 32, "m": 3})
    assert at.grid.flops["fp32"].value == 160
    assert at.grid.stores["global"].value == 32
