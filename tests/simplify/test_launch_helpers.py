"""Functions of host code that say a launch's sizes from objects are written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

KERNEL = """struct Grid {
    float *d; int nx, ny;
    static constexpr int kBlock = 64;
    int width() const { return nx; }
    int across(int block) const { return (nx + block - 1) / block; }
    int rounded(int block) { const int more = nx + block - 1; return more / block; }
    static int up(int n) { return (n + kBlock - 1) / kBlock; }
    static int twice(int n) { return 2 * up(n); }
};
__global__ void k(Grid g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < g.nx) g.d[j * g.nx + i] *= 2.f;
}
inline int cdiv(int a, int b) { return (a + b - 1) / b; }
inline dim3 byReference(const Grid &g, dim3 b) { return dim3((g.nx + b.x - 1) / b.x, g.ny); }
dim3 byValue(Grid grid, int b) { return {(unsigned)cdiv(grid.nx, b), (unsigned)grid.ny, 1}; }
dim3 byPointer(const Grid *g, dim3 b) { dim3 r(cdiv(g->nx, b.x), g->ny); return r; }
static dim3 inSteps(int block, const Grid &g)
{
    int x = (g.nx + block - 1) / block; // of blocks
    const int y = g.ny;
    return dim3(x, y);
}
"""


def grids(path: Path, host: str) -> tuple[list[str], list[str]]:
    file = path / "k.cu"
    file.write_text(KERNEL + host)
    (report,) = analyze(str(file)).files
    return (
        [", ".join(sympy_text(one) for one in k.launch.grid) for k in report.kernels],
        [one.code.id for one in report.diagnostics],
    )


WHOLE = "floor((g_nx + 63)/64), g_ny, 1"


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("byReference(p, block)", WHOLE),
        ("byReference(p, dim3(64))", WHOLE),
        ("byValue(p, 64)", WHOLE),
        ("inSteps(block.x, p)", WHOLE),
        ("dim3(p.across(64), p.ny)", WHOLE),
        ("dim3(p.rounded(block.x), p.ny)", WHOLE),
        ("dim3(cdiv(p.width(), 64), p.ny)", WHOLE),
        ("dim3(Grid::up(p.nx), p.ny)", WHOLE),
        ("dim3(Grid::twice(p.nx), p.ny)", "2*floor((g_nx + 63)/64), g_ny, 1"),
    ],
)
@pytest.mark.parametrize("before", ["", "Grid p{a, nx, ny};"])
def test_helpers(tmp_path: Path, grid: str, expected: str, before: str) -> None:
    parameters = "float *a, int nx, int ny" if before else "Grid p"
    launch = f"dim3 block(64); k<<<{grid}, block>>>(p);"
    assert grids(tmp_path, f"void f({parameters}) {{ {before} {launch} }}") == ([expected], [])


def test_a_grid_in_a_variable(tmp_path: Path) -> None:
    host = "void f(Grid p) { const dim3 b(64); dim3 g = byReference(p, b); k<<<g, b>>>(p); }"
    assert grids(tmp_path, host) == ([WHOLE], [])


def test_members_that_the_host_sets(tmp_path: Path) -> None:
    host = (
        "struct Cfg { int b; int grid(int n) const { return (n + b - 1) / b; } };\n"
        "void f(Grid p) { Cfg c{32}; k<<<c.grid(p.nx), 32>>>(p); }"
    )
    assert grids(tmp_path, host) == (["floor((g_nx + 31)/32), 1, 1"], [])


def test_methods_of_the_class_around_the_launch(tmp_path: Path) -> None:
    host = (
        "struct Run { int block; int grid(int n) const { return (n + block - 1) / block; }\n"
        "void go(Grid p) { k<<<grid(p.nx), block>>>(p); } };"
    )
    assert grids(tmp_path, host) == (["floor((g_nx - 1)/block) + 1, 1, 1"], [])


@pytest.mark.parametrize("grid", ["byPointer(&p, block)", "other(p)", "p.missing(4)", "loops(p)"])
def test_others_are_warned_of(tmp_path: Path, grid: str) -> None:
    host = (
        "int loops(const Grid &g) { int n = 1; while (n < g.nx) n *= 2; return n; }\n"
        f"void f(Grid p) {{ dim3 block(64); k<<<{grid}, block>>>(p); }}"
    )
    assert grids(tmp_path, host)[1] == ["K401"]
