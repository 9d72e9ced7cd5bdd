"""Kernels whose sizes are powers: the exponent is a number of bits, never a large size."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options

SHIFTED = """__global__ void twice(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = x[i] * 2;
}
void run(float *x, float *y, int N) { twice<<<(1 << N) / 256, 256>>>(x, y, N); }
"""
WRAPPING = """__global__ void others(float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        for (int j = 0; j < N; ++j)
            if (j != i) y[i] += 1;
}
void run(float *y, int N) { others<<<(N + 559456692) / 559456693, 559456693>>>(y, N); }
"""


def test_a_grid_of_a_power_of_two_blocks(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SHIFTED)
    (kernel,) = analyze(str(tmp_path / "k.cu")).kernels
    assert str(kernel.grid.flops["fp32"].formula) == "1*N"


@pytest.mark.parametrize("n", [20, 1000])
def test_powers_that_can_be_written_down_are(tmp_path: Path, n: int) -> None:
    (tmp_path / "k.cu").write_text(SHIFTED)
    (kernel,) = analyze(str(tmp_path / "k.cu"), Options(values={"N": n})).kernels
    assert kernel.threads.value == 2**n


def test_a_power_beyond_all_numbers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SHIFTED)
    (file,) = analyze(str(tmp_path / "k.cu"), Options(values={"N": 100_000})).files
    assert not file.kernels
    (found,) = file.diagnostics
    assert (found.code.id, found.position.line) == ("K202", 1)
    assert "a power is too large at the values given" in found.message


def test_counting_that_wraps_around_with_huge_blocks_ends(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WRAPPING)
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert [d.code.id for d in file.diagnostics] == ["K402"]


def test_a_launched_exponent_stays_one(tmp_path: Path) -> None:
    """A number of bits that the launch gives is no large size: n threads, 2**lg additions each."""
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, int n, int lg)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
        "    for (int j = 0; j < (1 << lg); j++) a[i] += 1.0f;\n}\n"
        "void run(float *a, int n) { k<<<(n + 255) / 256, 256>>>(a, n, 10); }\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "n*2**(lg)"
