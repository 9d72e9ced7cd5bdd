"""Threads numbered through along all axes are one index: 288 of them step over n elements."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from memory.counting import differences

KERNEL = """__global__ void k(const float *a, float *o, int n) {
    int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int i = b * blockDim.x * blockDim.y * blockDim.z + t;
    int step = gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
    for (; i < n; i += step) o[i] = a[i] * 2;
}
"""


@pytest.mark.parametrize("n", [1, 100, 288, 289, 1000])
def test_six_axes(tmp_path: Path, n: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    start = time.process_time()
    assert not differences(path, "grid=(3,2,2) block=(4,2,3)", {"n": n})
    assert time.process_time() - start < 10
