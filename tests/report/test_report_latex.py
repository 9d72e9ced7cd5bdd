"""Conditions in LaTeX and Markdown: words are text, relations have signs."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.atoms import Log2, Role, Select, Symbol
from estimator.algebra.condition import Compare, Data, Relation
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.printing import LATEX, condition_text, text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.latex import render as latex
from estimator.report.markdown import render as markdown

SOURCE = """__global__ void k(float *x, int n, int m)
{
    if (threadIdx.x == 0) x[blockIdx.x] *= 2;
    if (threadIdx.x < 31 && m > n) x[blockIdx.x] *= 3;
}
void h(float *x, int n, int m) { k<<<n, 64>>>(x, n, m); }
"""
FIRST = r"1\text{ if }\mathit{threadIdx.x} = 0\text{; else }0"
GUARD = r"1\text{ if }(30 \ge \mathit{threadIdx.x}\text{ and }m \ge n + 1)\text{; else }0"


def test_conditions(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    report = analyze(str(path))
    expected = rf"\left({FIRST}\right) + \left({GUARD}\right)"
    (kernel,) = report.kernels
    assert kernel.variation is not None
    assert text(kernel.variation.formulas["flops.fp32"], LATEX) == expected
    assert rf"FP32 FLOPs & ${expected}$ \\" in latex(report)
    assert f"| FP32 FLOPs | ${expected}$ |" in markdown(report)


def test_choices_and_other_signs() -> None:
    n, p = Poly.of(Symbol("n", Role.PARAMETER)), Symbol("p@4", Role.UNKNOWN)
    choice = Select(Compare(n, Relation.NONZERO), n, ONE)
    assert text(Poly.of(choice), LATEX) == r"\left(n\text{ if }n \ne 0\text{ else }1\right)"
    assert condition_text(Data(p, False), LATEX) == r"\text{not }\mathit{p\text{@}4}"
    assert text(Poly.of(Log2(n)), LATEX) == (r"\left\lfloor \log_{2}\left(n\right) \right\rfloor")


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
