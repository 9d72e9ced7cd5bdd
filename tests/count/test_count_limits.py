"""Sets that barvinok would count for minutes are unknown at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from estimator.analysis import analyze


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i += 100) x[i] = 1.0f; unsigned char c = n;"
        " for (int i = 0; i < c; i++) x[i] += 1.0f;",
        "for (int i = 0; i < n; i += 50) x[i] = 1.0f;"
        " for (int i = 0; i < n % 128; i++) x[i] += 1.0f;",
    ],
)
def test_long_periods_of_sizes_and_indices(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *x, int n) {{ {body} }}\n")
    start = time.process_time()
    (kernel,) = analyze(str(file)).kernels
    assert time.process_time() - start < 5
    assert [u.name for u in kernel.unknowns] == ["distinct_x@1.written", "sectors_x@1.written"]
