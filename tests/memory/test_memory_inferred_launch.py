"""Launches that are assumed: what a kernel's own indices and limits say about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.report.model import KernelReport

SAMPLES = Path(__file__).parents[2] / "samples"


def report_of(folder: Path, source: str) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(source)
    file = analyze(str(path)).files[0]
    assert [str(one) for one in file.diagnostics] == []
    (kernel,) = file.kernels
    return kernel


def extents(kernel: KernelReport) -> tuple[list[str], list[str]]:
    """Grid and block, without extents of 1 at the end."""
    both: list[list[str]] = []
    for shape in (kernel.launch.grid, kernel.launch.block):
        texts = [text(extent, HUMAN) for extent in shape]
        while len(texts) > 1 and texts[-1] == "1":
            texts.pop()
        both.append(texts)
    return both[0], both[1]


def block_of(folder: Path, body: str, bounds: str = "", before: str = "") -> list[str]:
    kernel = f"__global__ void {bounds} k(float *x, float *y, int n) {{ {body} }}"
    return extents(report_of(folder, before + kernel))[1]


def test_a_warp_for_each_tile(tmp_path: Path) -> None:
    """The guard on a warp's tile says how many there are: N/16 along both axes."""
    source = (SAMPLES / "wmma_matmul.cu").read_text()
    kernel = report_of(tmp_path, source[: source.index("int main")])
    grid, block = extents(kernel)
    assert grid == ["⌊(N + 15)/16⌋", "⌊(⌊(N + 15)/16⌋ + 7)/8⌋"]
    assert block == ["32", "8"]
    assert text(kernel.grid.flops["tensor_fp16"].formula, HUMAN) == "2N³"
    assert kernel.intensities.compulsory is not None
    assert text(kernel.intensities.compulsory.formula, HUMAN) == "N/4"


def test_what_nothing_says_is_a_parameter(tmp_path: Path) -> None:
    body = "y[blockIdx.y * n + blockIdx.x * 256 + threadIdx.x] = x[blockIdx.y];"
    kernel = report_of(tmp_path, f"__global__ void k(float *x, float *y, int n) {{ {body} }}")
    assert extents(kernel)[0] == ["⌊n/256⌋", "gridDim.y"]
    assert "gridDim.y is a parameter of the launch" in [one.message for one in kernel.assumptions]


INDEX_2D = """
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * n + i] = 0;
"""


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [("", ["16", "16"]), ("__launch_bounds__(128)", ["16", "8"])],
)
def test_launch_bounds_are_kept(tmp_path: Path, bounds: str, expected: list[str]) -> None:
    assert block_of(tmp_path, INDEX_2D, bounds) == expected
