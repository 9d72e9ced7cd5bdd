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
