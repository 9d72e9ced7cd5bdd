"""Parameters that choose between variants of a kernel: one is shown, and said to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

KERNEL = """__global__ void k(const float *a, float *b, int n, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    switch (mode) {
    case 0: b[i] = a[i] + 1; break;
    case 4: b[i] = a[i] * a[i] * a[i]; break;
    case 2: b[i] = sqrtf(a[i]);
    }
}
"""
LAUNCH = "int main() { k<<<(n + 255) / 256, 256>>>(0, 0, n, 2); }\n"


def _kernel(tmp_path: Path, text: str, **values: int) -> KernelReport:
    path = tmp_path / "k.cu"
    path.write_text(text)
    (kernel,) = analyze(str(path), Options(values=values)).kernels
    return kernel


@pytest.mark.parametrize(
    ("text", "values", "flops", "special", "said"),
    [
        (KERNEL, {}, "2", "0", ["mode = 4 (line 7); -D mode=VALUE gives the others"]),
        (KERNEL, {"mode": 0}, "1", "0", []),
        (KERNEL, {"mode": 7}, "0", "0", []),
        (KERNEL + LAUNCH, {}, "0", "1", ["mode = 2, as launched"]),
        (KERNEL + LAUNCH, {"mode": 4}, "2", "0", []),
    ],
)
def test_one_variant(
    tmp_path: Path, text: str, values: dict[str, int], flops: str, special: str, said: list[str]
) -> None:
    kernel = _kernel(tmp_path, text, **values)
    assert sympy_text(kernel.per_thread.flops["fp32"].formula) == flops
    assert sympy_text(kernel.per_thread.special.formula) == special
    assert [a.message for a in kernel.assumptions if a.code == "variant"] == said
    assert "mode" in sympy_text(kernel.grid.flops["fp32"].exact)


def test_numbers_need_no_value_for_the_variant(tmp_path: Path) -> None:
    kernel = _kernel(tmp_path, KERNEL + LAUNCH, n=1000)
    assert kernel.grid.special.value == 1000
    assert kernel.grid.flops["fp32"].value == 0


def test_a_kernel_that_is_there_for_one_size(tmp_path: Path) -> None:
    text = """__global__ void k(const float *a, float *b, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && width == 64)
        b[i] = a[i * width] * 2;
}
"""
    kernel = _kernel(tmp_path, text)
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "n"
    assert [a.message for a in kernel.assumptions if a.code == "variant"] == [
        "width = 64 (line 4); -D width=VALUE gives the others"
    ]
