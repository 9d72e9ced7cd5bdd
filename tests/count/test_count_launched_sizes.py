"""Sizes that the launch decides: as numbers, and as a choice between two block sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.report.model import KernelReport

HALVES = """__global__ void k(float *g, int n)
{{
    int t = threadIdx.x;
    g[t] += 1.0f;
    g[t + n / 2] += 1.0f;
}}
void run(float *g) {{ k<<<1, 512>>>(g, {n}); }}
"""
CHOICE = """__global__ void square(float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] *= b[i];
}
void run(bool big, float *b, int n)
{
    const unsigned t = big ? 512u : 128u;
    square<<<(n + t - 1) / t, t>>>(b, n);
}
"""


def report_of(folder: Path, text: str) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(text)
    (kernel,) = analyze(str(path)).kernels
    return kernel


# Elements 0 to 511 and n/2 to n/2 + 511, each read and written once.
@pytest.mark.parametrize(("n", "elements"), [(1024, 1024), (600, 812), (1000000, 1024)])
def test_rows_that_overlap_at_the_size_launched(tmp_path: Path, n: int, elements: int) -> None:
    kernel = report_of(tmp_path, HALVES.format(n=n))
    assert sympy_text(kernel.bytes.compulsory.formula) == str(2 * 4 * elements)
    taken = [a.message for a in kernel.assumptions if a.code == "conditions"]
    assert taken in ([f"n = {n}, as launched"], ["n >= 1040"])
    assert (taken == ["n >= 1040"]) == (n > 1040)  # for whole sectors, 1026 for elements


def test_a_block_size_that_a_condition_chooses(tmp_path: Path) -> None:
    kernel = report_of(tmp_path, CHOICE)
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "n"
    assert sympy_text(kernel.bytes.compulsory.formula) == "8*n"
    assert "sizes divide evenly: n by 512" in [a.message for a in kernel.assumptions]
