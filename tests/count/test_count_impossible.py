"""What no thread of a launch can be is in no formula of one thread."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.printing import text
from estimator.analysis import analyze
from estimator.options import Options

SOURCE = """__global__ void k(float *x, int n) {
    int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    float v = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x >= 32) v += 1.0f;
    if (threadIdx.x < 16) v *= 2.0f;
    if (lane == warp) v *= 3.0f;
    x[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
"""


def _one_thread(tmp_path: Path, block: int) -> str:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    (kernel,) = analyze(str(path), Options(launches=(f"grid=(4) block=({block})",))).kernels
    assert kernel.variation is not None
    return text(kernel.variation.formulas["flops.fp32"])


def test_one_warp_has_no_second(tmp_path: Path) -> None:
    found = _one_thread(tmp_path, 32)
    assert "32" not in found
    assert "threadIdx.x == 0" in found  # the lane that is the warp's number


def test_two_warps(tmp_path: Path) -> None:
    assert "threadIdx.x >= 32" in _one_thread(tmp_path, 64)
