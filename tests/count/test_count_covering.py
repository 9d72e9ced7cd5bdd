"""A grid of no known size: taken to cover the data where a guard lets it through, and said so."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze

KERNEL = """
__global__ void k(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    BODY
}
void go(float *x, int n, dim3 grid) { k<<<grid, 128>>>(x, n); }
"""


def flops(folder: Path, body: str) -> tuple[str, list[str]]:
    file = folder / "k.cu"
    file.write_text(KERNEL.replace("BODY", body))
    kernel = analyze(str(file)).kernels[0]
    said = [one.message for one in kernel.assumptions if one.code == "conditions"]
    return text(kernel.grid.flops["fp32"].formula, HUMAN), said


def test_a_guard_lets_all_elements_through(tmp_path: Path) -> None:
    assert flops(tmp_path, "if (i < n) x[8 * i] += 1;") == ("n", ["128·grid.x >= n"])


def test_a_stride_does_so_in_any_grid(tmp_path: Path) -> None:
    body = "for (; i < n; i += gridDim.x * blockDim.x) x[i] += 1;"
    assert flops(tmp_path, body)[0] == "n"


def test_without_a_guard_threads_decide(tmp_path: Path) -> None:
    assert flops(tmp_path, "x[i] += 1;") == ("128·grid.x", [])
