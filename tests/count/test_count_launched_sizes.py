"""Sizes that the launch decides: as numbers, and as a choice between two block sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sympy import sympify

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
    assert taken in ([f"n = {n}, as launched"], ["n >= 1024"])
    assert (taken == ["n >= 1024"]) == (n > 1024)


def test_a_block_size_that_a_condition_chooses(tmp_path: Path) -> None:
    kernel = report_of(tmp_path, CHOICE)
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "n"
    assert sympy_text(kernel.bytes.compulsory.formula) == "8*n"
    assert "sizes divide evenly: n by 512" in [a.message for a in kernel.assumptions]


WINDOW = """__global__ void window(const float *in, float *out, int n, int half)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int d = max(0, i - half); d <= min(n - 1, i + half); d++) s += in[d];
    out[i] = s;
}
"""


def test_a_number_launched_is_less_than_sizes(tmp_path: Path) -> None:
    """2*half + 1 additions, fewer at the two ends: n*(2*half + 1) - half*(half + 1)."""
    kernel = report_of(
        tmp_path,
        WINDOW + "void run(float *a, float *b, int n) { window<<<n / 64, 64>>>(a, b, n, 2); }\n",
    )
    flops = sympify(sympy_text(kernel.grid.flops["fp32"].formula))
    assert (flops.subs("half", 2) - sympify("5*n - 6")).expand() == 0


def test_what_a_loop_steps_has_no_value_at_the_launch(tmp_path: Path) -> None:
    kernel = report_of(
        tmp_path,
        "__global__ void rest(float *a, int n, int t)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n - 1 - t) a[i] *= 2.0f;\n}\n"
        "void run(float *a, int n)\n{\n"
        "    for (int t = 0; t < n - 1; t++) rest<<<(n + 63) / 64, 64>>>(a, n, t);\n}\n",
    )
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "n - t - 1"
    assert not any("as launched" in one.message for one in kernel.assumptions)


@pytest.mark.parametrize("flag", ["full", "full != 0"])
def test_a_flag_that_a_formula_takes_is_said(tmp_path: Path, flag: str) -> None:
    kernel = report_of(
        tmp_path,
        "__global__ void rows(const float *x, float *y, int n, int full)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
        f"    int m = {flag} ? i + 1 : n;\n"
        "    float s = 0;\n    for (int j = 0; j < m; j++) s += x[i * n + j];\n    y[i] = s;\n}\n"
        "void run(float *x, float *y, int n, int full)"
        " { rows<<<(n + 63) / 64, 64>>>(x, y, n, full); }\n",
    )
    flops = sympify(sympy_text(kernel.grid.flops["fp32"].formula))
    assert (flops - sympify("n*(n + 1)/2")).expand() == 0
    assert "full != 0" in "; ".join(one.message for one in kernel.assumptions)


def test_a_size_as_launched_where_nothing_happens_for_large_ones(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *a, float *o, int n, int m) {\n"
        "int i = blockIdx.x * blockDim.x + threadIdx.x, c = 0; if (i >= n) return; float s = 0;\n"
        "while (c < m) c += 3;\n"
        "for (;;) { if (++c > 100) break; if (c & 1) continue; s *= 1.5f; }\n"
        "o[i] = s; }\n"
        "void run(float *a, float *o, int n) { k<<<(n + 255) / 256, 256>>>(a, o, n, 30); }\n"
    )
    (kernel,) = analyze(str(path)).kernels
    # c is 30 after the first loop, and even for 32, 34, … 100.
    assert sympy_text(kernel.per_thread.flops["fp32"].formula) == "35"
    assert "m = 30, as launched" in [one.message for one in kernel.assumptions]
