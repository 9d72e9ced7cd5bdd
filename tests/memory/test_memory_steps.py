"""Unions of accesses with many different steps are unknown: counting them would not end."""

from __future__ import annotations

from pathlib import Path

from estimator.analysis import analyze
from estimator.options import Options

KERNEL = """__global__ void rows_apart(float *out)
{
    int x = blockIdx.y * 32 + threadIdx.x;
    int y = blockIdx.x * 32 + threadIdx.y;
    for (int n = 0; n < 32; n += 8)
        out[(y + n) * n + x] = 1.0f;
}
"""


def test_rows_that_are_apart_by_four_different_steps(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL)
    launch = "grid=(N/32, N/32) block=(32, 8)"
    (kernel,) = analyze(str(tmp_path / "k.cu"), Options(launches=(launch,))).kernels
    assert "distinct_out@6.written" in {unknown.name for unknown in kernel.unknowns}
    assert kernel.per_thread.stores["global"].formula.integer == 4  # type: ignore[union-attr]
