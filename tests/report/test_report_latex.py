"""Conditions in LaTeX and Markdown: words are text, relations have signs."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import LATEX, text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.latex import render as latex
from estimator.report.markdown import render as markdown

FIRST = """__global__ void k(float *x)
{
    if (threadIdx.x == 0) x[blockIdx.x] *= 2;
}
"""
GUARD = """__global__ void k(float *x, int m, int n)
{
    if (threadIdx.x < 31 && m > n) x[blockIdx.x * 64 + threadIdx.x] *= 2;
}
"""
LAUNCH = "void h(float *x, int m, int n) { k<<<n, 64>>>(x%s); }"
THREADS = [
    (FIRST + LAUNCH % "", r"1\text{ if }\mathit{threadIdx.x} = 0\text{; else }0"),
    (
        GUARD + LAUNCH % ", m, n",
        r"1\text{ if }(30 \ge \mathit{threadIdx.x}\text{ and }m \ge n + 1)\text{; else }0",
    ),
]


@pytest.mark.parametrize(("source", "expected"), THREADS)
def test_conditions(tmp_path: Path, source: str, expected: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(source)
    report = analyze(str(path), Options(exact=True))
    (kernel,) = report.kernels
    assert kernel.variation is not None
    assert text(kernel.variation.formulas["flops.fp32"], LATEX) == expected
    for render in (latex, markdown):
        shown = render(report, exact=True)
        assert expected in shown
        assert "1 if" not in shown


def test_no_flops_are_an_intensity_of_0(tmp_path: Path) -> None:
    """The bytes depend on n, and 0 over them is 0."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float *x, const float *y, int n)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) x[i] = i < 4096 ? y[i * 30] : 1;\n}\n"
        "void h(float *x, float *y, int n) { k<<<(n + 255) / 256, 256>>>(x, y, n); }\n"
    )
    (kernel,) = analyze(str(path), Options(exact=True)).kernels
    assert kernel.intensities.compulsory is not None
    assert text(kernel.intensities.compulsory.exact) == "0"
