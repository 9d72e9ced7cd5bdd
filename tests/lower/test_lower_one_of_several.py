"""Assignments to one of several places: counted where they may go, or refused, never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options

KERNEL = "__global__ void k(const float *a, float *out, int M)\n{{\nint i = threadIdx.x;\n{}\n}}\n"
ELEMENTS = {
    "(i < M ? out[i] : out[i + 64]) = a[i];": (1, 1),
    "(i < M ? out[i] : out[i + 64]) += a[i];": (2, 1),
    "float &r = i < M ? out[i] : out[i + 64]; r = a[i];": (1, 1),
    "*(i < M ? &out[i] : &out[i + 64]) = a[i];": (1, 1),
    "float x[2] = {1, 2}, y[2] = {3, 4}; float *p = i < M ? x : y; p[1] += a[i]; out[i] = p[0];": (
        1,
        1,
    ),
    "float x = 1, y = 2; (i < M ? x : y) = a[i]; out[i] = x + y;": (1, 1),
}
# What the thread's own variables are afterwards: M of 32 threads have c = 5, the others 1.
VARIABLES = [
    "int c = 1, d = 2; int *p = i < M ? &c : &d; *p = 5;",
    "int c = 1, d = 2; int &p = i < M ? c : d; p = 5;",
    "int c = 1, d = 2; int *p = &d; if (i < M) p = &c; *p = 5;",
    "int c = 1, d = 2; (i < M ? c : d) = 5;",
    "int c = 3, d = 2; (i < M ? c : d) += 2; if (i >= M) c = 1;",
    "int x[2] = {1, 9}, y[2] = {1, 1}; int *p = i < M ? x : y; p[0] = 5; int c = x[0];",
    "int x[2] = {1, 9}, y[2] = {1, 1}; int *p = y; if (i < M) p = x; *p = 5; int c = x[0];",
]
UNKNOWN = "int *p = &c; for (int j = 0; j < M; j++) if (a[j] > .5f) p = &d; "


@pytest.mark.parametrize("body", ELEMENTS)
def test_one_of_several_elements(body: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL.format(body))
    (kernel,) = analyze(str(tmp_path / "k.cu")).kernels
    each = kernel.per_thread
    found = [counts["global"].formula for counts in (each.loads, each.stores)]
    assert tuple(count.integer for count in found) == ELEMENTS[body]  # type: ignore[union-attr]


@pytest.mark.parametrize("first", VARIABLES)
def test_one_of_several_variables(first: str, tmp_path: Path) -> None:
    body = f"{first} float s = 0; for (int k = 0; k < c; k++) s += a[k]; out[i] = s;"
    (tmp_path / "k.cu").write_text(KERNEL.format(body))
    options = Options(launches=("grid=(1) block=(32)",), values={"M": 10})
    (kernel,) = analyze(str(tmp_path / "k.cu"), options).kernels
    assert kernel.grid.flops["fp32"].value == 10 * 5 + 22 * 1


def test_one_of_several_variables_as_data_says(tmp_path: Path) -> None:
    body = f"int c = 1, d = 2; {UNKNOWN} *p = 5; out[c] = a[i];"
    (tmp_path / "k.cu").write_text(KERNEL.format(body))
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert not file.kernels
    assert [(d.code.id, d.position.line) for d in file.diagnostics] == [("K202", 4)]
    assert "is one of several variables" in file.diagnostics[0].message


def test_a_reference_to_one_of_several_may_be_read(tmp_path: Path) -> None:
    body = "int c = 1, d = 2; const int &r = i < M ? c : d; out[r * 0 + i] = a[i];"
    (tmp_path / "k.cu").write_text(KERNEL.format(body))
    (kernel,) = analyze(str(tmp_path / "k.cu")).kernels
    assert kernel.per_thread.stores["global"].formula.integer == 1  # type: ignore[union-attr]
