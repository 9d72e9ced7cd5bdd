"""What host code says of a kernel's arguments before the launch: locals, structures, equal ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

# Three rows are read for each of the OH rows written, as far as there are any.
COLUMNS = """__global__ void k(const float *in, float *out, int H, int W, int OH)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= W || y >= OH) return;
    float a = 0;
    for (int i = 0; i < 3; i++) if (y + i < H) a += in[(y + i) * W + x];
    out[y * W + x] = a;
}
"""
PART = """__global__ void k(const float *x, float *y, int n, int lo, int hi)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i >= lo && i < hi) y[i] = x[i] * 2.f;
}
"""
GRID = """struct Grid { float *d; int nx, ny; };
__global__ void k(Grid g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < g.nx && j < g.ny) g.d[j * g.nx + i] *= 2.f;
}
"""


def reports(path: Path, text: str) -> list[KernelReport]:
    file = path / "k.cu"
    file.write_text(text)
    return list(analyze(str(file)).kernels)


def flops(report: KernelReport) -> str:
    return sympy_text(report.grid.flops["fp32"].formula)


def said(report: KernelReport) -> list[str]:
    return [note.message for note in report.assumptions if note.code == "related"]


def columns(before: str, rows: str) -> str:
    return (
        f"{COLUMNS}void f(const float *in, float *o, int H, int W) {{ {before} "
        f"k<<<dim3((W + 63) / 64, {rows}), 64>>>(in, o, H, W, {rows}); }}"
    )


# 3 FLOPs for each of (H - 2) W elements.
@pytest.mark.parametrize(
    ("before", "rows"),
    [
        ("const int oh = H - 2;", "oh"),
        ("int oh(H - 2);", "oh"),
        ("auto oh{H - 2};", "oh"),
        ("int cut = 2; int oh = H - cut;", "oh"),
        ("int half = 1; half = half + 1; const int oh = H - half;", "oh"),
        ("", "H - 2"),
    ],
)
def test_locals(tmp_path: Path, before: str, rows: str) -> None:
    (report,) = reports(tmp_path, columns(before, rows))
    assert flops(report) == "3*W*(H - 2)"
    assert said(report) == ["OH = H − 2, as launched"]


# The value at the launch is not known, or is no formula of other sizes of the launch.
@pytest.mark.parametrize(
    "before",
    [
        "int oh = H - 2; if (H > 100) oh = 50;",
        "int oh = H - 2; oh = rows();",
        "int oh = H - 2; change(&oh);",
        "int oh = H - 2; for (int t = 0; t < 3; t++) oh--;",
        "int oh = other - 2;",
        "const int oh = 1024;",
    ],
)
def test_locals_of_no_one_value_stay_sizes(tmp_path: Path, before: str) -> None:
    (report,) = reports(tmp_path, columns(before, "oh"))
    assert said(report) == []
    assert "OH" in sympy_text(report.threads.formula)


def test_rows_that_are_as_many_are_one_size(tmp_path: Path) -> None:
    """3 H - 3 rows are read for H."""
    (report,) = reports(tmp_path, columns("", "H"))
    assert flops(report) == "3*W*(H - 1)"
    assert said(report) == ["OH = H, as launched"]


def test_a_call_says_what_the_launch_passes(tmp_path: Path) -> None:
    text = (
        f"{COLUMNS}void g(const float *in, float *o, int H, int W, int OH) {{"
        " k<<<dim3((W + 63) / 64, OH), 64>>>(in, o, H, W, OH); }"
        "void f(const float *in, float *o, int H, int W) { g(in, o, H, W, H - 2); }"
    )
    (report,) = reports(tmp_path, text)
    assert flops(report) == "3*W*(H - 2)"


# n - 2 elements; 0 and 1 are no sizes, but other numbers are.
@pytest.mark.parametrize(
    ("before", "given", "expected"),
    [
        ("", "1, n - 1", "n - 2"),
        ("const int lo = 1; int hi = n - 1;", "lo, hi", "n - 2"),
        ("", "0, n", "n"),
        ("", "4, n - 1", "n - lo - 1"),
        ("int lo = 1; lo = choose();", "lo, n - 1", "n - lo - 1"),
        ("int lo = 1; read(lo);", "lo, n - 1", "n - lo - 1"),
        ("int lo = 1; for (int t = 0; t < n; t++) lo *= 2;", "lo, n - 1", "n - lo - 1"),
    ],
)
def test_small_numbers(tmp_path: Path, before: str, given: str, expected: str) -> None:
    text = (
        f"{PART}void f(const float *x, float *y, int n) {{ {before} "
        f"k<<<(n + 127) / 128, 128>>>(x, y, n, {given}); }}"
    )
    (report,) = reports(tmp_path, text)
    assert flops(report) == expected


def test_sizes_in_main_stay_parameters(tmp_path: Path) -> None:
    text = (
        f"{PART}int main() {{ const int n = 1024; float *x; int hi = n / 2; "
        "k<<<n / 128, 128>>>(x, x, n, 0, hi); }"
    )
    (report,) = reports(tmp_path, text)
    assert sympy_text(report.threads.formula) == "n"
    assert flops(report) == "n/2"
    assert said(report) == ["lo = 0, as launched", "hi = ⌊n/2⌋, as launched"]


# FLOPs of nx*ny elements.
@pytest.mark.parametrize(
    ("before", "grid", "expected"),
    [
        ("Grid p{a, nx, ny};", "(nx + 31) / 32, (ny + 3) / 4", "g_nx*g_ny"),
        ("Grid p = {a, nx, ny};", "(nx + 31) / 32, (ny + 3) / 4", "g_nx*g_ny"),
        ("Grid p = Grid{a, nx, ny};", "(p.nx + 31) / 32, (p.ny + 3) / 4", "g_nx*g_ny"),
        ("Grid p = {.d = a, .nx = nx, .ny = ny};", "(nx + 31) / 32, (ny + 3) / 4", "g_nx*g_ny"),
        (
            "Grid p; p.nx = nx; p.ny = ny; cudaMalloc(&p.d, 4 * nx * ny);",
            "(nx + 31) / 32, (ny + 3) / 4",
            "g_nx*g_ny",
        ),
        ("Grid p{a, nx, nx};", "(nx + 31) / 32, (nx + 3) / 4", "g_nx**2"),
        ("Grid p{a, nx, 1};", "(nx + 31) / 32, 1", "g_nx"),
    ],
)
def test_structures(tmp_path: Path, before: str, grid: str, expected: str) -> None:
    text = (
        f"{GRID}void f(float *a, int nx, int ny) {{ {before} "
        f"k<<<dim3({grid}), dim3(32, 4)>>>(p); }}"
    )
    (report,) = reports(tmp_path, text)
    assert flops(report) == expected


@pytest.mark.parametrize(
    "before",
    [
        "Grid p{a, nx, ny}; p = other();",
        "Grid p{a, nx, ny}; change(p);",
        "Grid p{a, nx, ny}; change(&p);",
        "Grid p{a, nx, ny}; cudaMemcpy(&p.nx, a, 4); change(&p.ny);",
        "Grid p{a, nx, ny}; if (nx > 4) { p.nx = 4; p.ny = 4; }",
    ],
)
def test_structures_that_may_have_been_changed(tmp_path: Path, before: str) -> None:
    """The grid's sizes are then others than the kernel's."""
    text = (
        f"{GRID}void f(float *a, int nx, int ny) {{ {before} "
        "k<<<dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4)>>>(p); }"
    )
    (report,) = reports(tmp_path, text)
    assert "g" not in sympy_text(report.threads.formula)


def test_quotients_of_what_grows_are_rounded_down(tmp_path: Path) -> None:
    """(n - 1)/2 + 1 elements: n/2 of an even n, 4 of 7."""
    text = (
        f"{PART}void f(const float *x, float *y, int n) {{ int hi = (n - 1) / 2 + 1; "
        "k<<<(n + 127) / 128, 128>>>(x, y, n, 0, hi); }"
    )
    (report,) = reports(tmp_path, text)
    assert flops(report) == "n/2"
    (at,) = analyze(str(tmp_path / "k.cu"), Options(values={"n": 7})).kernels
    assert at.grid.flops["fp32"].value == 4


def test_relations_that_nothing_depends_on_are_no_other_launch(tmp_path: Path) -> None:
    text = (
        "__global__ void k(float *x, int n, int unused)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }\n"
        "void f(float *x, int n) { int m = n / 2;"
        " k<<<(n + 63) / 64, 64>>>(x, n, m); k<<<(n + 63) / 64, 64>>>(x, n, n); }"
    )
    (report,) = reports(tmp_path, text)
    assert (flops(report), said(report)) == ("n", [])
