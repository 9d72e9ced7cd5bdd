"""The examples in docs/unknowns.md are what kcost says."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

PAGE = (Path(__file__).parents[2] / "docs" / "unknowns.md").read_text()
HEAD = "\n__global__ void k(float *x, const int *kind, const int *next, const float *field, int n)\n{\n"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def example(first: str) -> str:
    """The indented block of the page that begins so."""
    lines = PAGE[PAGE.index(f"    {first}") :].split("\n")
    return "\n".join(lines[: next(n for n, line in enumerate(lines) if not line)])


def report_of(folder: Path, body: str, **unknowns: float) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(HEAD + body + "\n}\n")
    given = {name.replace("_", "@"): Fraction(str(value)) for name, value in unknowns.items()}
    options = Options(launches=("grid=(G) block=(256)",), unknowns=given)
    (kernel,) = analyze(str(path), options).kernels
    return kernel


def test_cases_of_a_switch(tmp_path: Path) -> None:
    body = f"    {INDEX}\n{example('switch')}"
    count = report_of(tmp_path, body).per_thread.flops["fp32"]
    assert text(count.formula, HUMAN) == "2 − 2·p@6 − p@7"
    valued = report_of(tmp_path, body, p_6=0.5, p_7=0.25).per_thread.flops["fp32"]
    assert valued.value == Fraction(3, 4)


@pytest.mark.parametrize(
    ("p", "times", "flops"),
    [
        (0, 1, 20),
        # The steps are 0.9, 0.9², …: 0.9·(1 − 0.9²⁰)/(1 − 0.9) in all.
        (0.1, 0.9**16, 7.905810),
    ],
)
def test_a_long_chain(tmp_path: Path, p: float, times: float, flops: float) -> None:
    body = f"    {INDEX} int at = i; float sum = 0;\n{example('for (int step')}\n    x[i] = sum;"
    kernel = report_of(tmp_path, body, p_7=p, times_7=round(times, 9))
    value = kernel.per_thread.flops["fp32"].value
    assert value is not None
    assert float(value) == pytest.approx(flops, rel=1e-4)
