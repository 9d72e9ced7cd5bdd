"""A colour or offset that is small against the sizes that it is added to, and divided with."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.options import Options

RED_BLACK = """__global__ void k(double *u, const double *f, int n, int c) {
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n - 1 && j < n - 1 && (i + j) % 2 == c)
        u[i * n + j] = u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1]
            + u[i * n + j + 1] - f[i * n + j];
}
"""


@pytest.mark.parametrize("values", [{}, {"c": 0}, {"c": 1}, {"n": 32, "c": 1}, {"n": 32, "c": 0}])
def test_half_the_points_of_either_colour(tmp_path: Path, values: dict[str, int]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(RED_BLACK)
    (kernel,) = analyze(str(path), Options(values=values)).kernels
    # Half of the (n - 2)² inner points, four additions and loads of u each.
    assert text(kernel.grid.flops["fp64"].formula, HUMAN) == "2(n − 2)²"
    moved = kernel.bytes.by_array["f"].compulsory
    assert text(moved.formula, HUMAN) == "4(n − 2)²"
    said = [one.message for one in kernel.assumptions]
    assert not [message for message in said if "c by" in message or "⌊(c" in message]
    if "n" in values:
        assert kernel.grid.flops["fp64"].value == 2 * 30 * 30
        assert moved.value == 8 * 450
