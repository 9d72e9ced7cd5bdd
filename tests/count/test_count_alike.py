"""Threads of a grid-stride loop do the same at sizes that divide evenly."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options

LOOP = "for (int j = i; j < n; j += gridDim.x * blockDim.x) x[j] *= 2.0f;"


@pytest.mark.parametrize(
    ("body", "launch", "flops"),
    [
        (LOOP, "grid=((n + 127) / 128) block=(128)", "1"),
        (LOOP, "grid=((n + 255) / 256) block=(128)", "2"),
        (LOOP, "grid=(64) block=(128)", "n/8192"),
        ("for (int j = 0; j < i; j++) x[j] *= 2.0f;", "grid=(2) block=(32)", None),
        ("for (int j = i; j < 100; j += 64) x[j] *= 2.0f;", "grid=(2) block=(32)", None),
    ],
)
def test_threads_alike(body: str, launch: str, flops: str | None, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *x, int n)\n"
        f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; {body} }}\n"
    )
    (kernel,) = analyze(str(file), Options(launches=(launch,))).kernels
    assert kernel.uniform == (flops is not None)
    if flops is not None:
        assert sympy_text(kernel.per_thread.flops["fp32"].formula) == flops


WHOLE_TILES = "grid=((n + 31) / 32, (m + 31) / 32) block=(32, 8)"
TILE = (
    "int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;"
    " for (int j = 0; j < 32; j += 8) if (c < n && r + j < m) x[(r + j) * n + c] *= 2.0f;"
)


@pytest.mark.parametrize(
    ("body", "launch", "flops"),
    [
        # A tile of 32 by 32 for 32 by 8 threads, 4 each where no tile is cut.
        (TILE, WHOLE_TILES, "4"),
        # The tiles of one half only, whole ones for m that divides by 64.
        (TILE.replace("r + j < m", "r + j < m / 2"), WHOLE_TILES, "4"),
        # Rows of whole tiles, of which the last one is always cut.
        (TILE.replace("r + j < m", "r + j < m - 1"), WHOLE_TILES, None),
        # Later threads find less.
        ("for (int j = 0; j < 8; j++) if (threadIdx.x + j < n) x[j] *= 2.0f;", "block=(32)", "8"),
        ("for (int j = 0; j < 8; j++) if (threadIdx.x + j < 32) x[j] *= 2.0f;", "block=(32)", None),
    ],
)
def test_threads_that_all_do_everything(
    body: str, launch: str, flops: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *x, int n, int m)\n{{ {body} }}\n")
    options = Options(launches=(f"grid=(1) {launch}" if "grid" not in launch else launch,))
    (kernel,) = analyze(str(file), options).kernels
    assert kernel.uniform == (flops is not None)
    if flops is not None:
        assert sympy_text(kernel.per_thread.flops["fp32"].formula) == flops
