"""Threads and blocks numbered through several axes, in a launch whose sizes are not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import compulsory, differences, report

from estimator.algebra.printing import sympy_text

KERNEL = """__global__ void k(const float *a, float *out, int n)
{{
    {numbers}
    if (id < n) out[id] = 2.0f * a[id];
}}
"""
NUMBERS = {
    "int id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;": "(4)",
    "int id = threadIdx.x + blockDim.x * (blockIdx.y * gridDim.x + blockIdx.x);": "(B)",
    "int block = blockIdx.y * gridDim.x + blockIdx.x;"
    " int id = block * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;": "(B,2)",
    "int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;"
    " int id = y * (gridDim.x * blockDim.x) + x;": "(B,2)",
}


@pytest.mark.parametrize("numbers", NUMBERS)
def test_numbered_through(tmp_path: Path, numbers: str) -> None:
    """Each of n threads reads and writes one element: 4n and 4n bytes, n multiplications."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(numbers=numbers))
    launch = f"grid=(G,H) block={NUMBERS[numbers]}"
    found = report(path, launch)
    assert compulsory(found) == {"a": "4*n", "out": "4*n"}
    assert sympy_text(found.grid.flops["fp32"].formula) == "n"
    assert not found.unknowns
    for n, g, h in ((24, 2, 3), (7, 1, 2), (100, 3, 2), (0, 2, 2)):
        values = {"n": n, "G": g, "H": h, **({"B": 4} if "B" in launch else {})}
        assert not differences(path, launch, values)


def test_size_that_cancels_is_no_extent(tmp_path: Path) -> None:
    """`id % c + c * (id / c)` is id, but the kernel names c: no grid is guessed from it."""
    path = tmp_path / "k.cu"
    path.write_text(
        KERNEL.replace("int n", "int n, int c").format(
            numbers="int id = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;"
            " id = id % c + c * (id / c);"
        )
    )
    from estimator.analysis import analyze

    (found,) = analyze(str(path)).kernels
    assert [sympy_text(extent) for extent in found.launch.grid[:2]] == ["gridDim_x", "gridDim_y"]
