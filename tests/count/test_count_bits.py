"""Conditions and indices on single bits of an index are counted exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options

# Threads of 64 that store, and distinct elements that all write, by hand.
BODIES = [
    ("if ((t ^ 1) > t) x[t] = 1.0f;", 32, 32),
    ("if ((t ^ j) > t) x[t ^ j] = 1.0f;", 32, 32),
    ("if ((t & 8) == 0) x[t] = 1.0f;", 32, 32),
    ("if ((t & 12) == 8) x[t & 3] = 1.0f;", 16, 4),
    ("if ((t | 4) == t) x[t | 4] = 1.0f;", 32, 32),
    ("if (t & 33) x[t | 1] = 1.0f;", 48, 32),
    ("unsigned u = t, v = u ^ j; if (v > u) if ((u & k) == 0) x[v] = 1.0f;", 16, 16),
]


@pytest.mark.parametrize(("body", "stores", "distinct"), BODIES)
def test_bits(body: str, stores: int, distinct: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"__global__ void k(float *x, int j, int k) {{ int t = threadIdx.x; {body} }}\n"
    )
    options = Options(launches=("grid=(1) block=(64)",), values={"j": 2, "k": 8})
    (kernel,) = analyze(str(file), options).kernels
    assert kernel.grid.stores["global"].value == stores
    assert kernel.bytes.compulsory.value == 4 * distinct
