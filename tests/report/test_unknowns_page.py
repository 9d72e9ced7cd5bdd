"""The examples in docs/unknowns.md are what kcost says."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

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


def test_a_long_loop_that_data_may_end(tmp_path: Path) -> None:
    body = f"    {INDEX} int at = i; float sum = 0;\n{example('for (int step')}\n    x[i] = sum;"
    count = report_of(tmp_path, body).per_thread.flops["fp32"]
    assert text(count.formula, HUMAN) == "trips@5·(1 − p@7)"
    valued = report_of(tmp_path, body, trips_5=20, p_7=0).per_thread.flops["fp32"]
    assert valued.value == 20


def test_many_conditions_one_after_another(tmp_path: Path) -> None:
    body = f"    {INDEX} float sum = 0;\n{example('if (field[0]')}\n    x[i] = sum;"
    count = report_of(tmp_path, body).per_thread.flops["fp32"]
    assert text(count.formula, HUMAN) == "times@9"
    valued = report_of(tmp_path, body, times_9=0.59049).per_thread.flops["fp32"]
    assert valued.value == Fraction("0.59049")
