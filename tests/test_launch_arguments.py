"""What a launch passes ties its host variables to the kernel's own parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

STRUCT = """struct Image { int w, h; float *data; };
__global__ void k(Image in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < in.w) in.data[i] *= 2;
}
"""
ROWS = """__global__ void k(float *x, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) x[i] *= 2;
}
"""
SCALE = """__global__ void k(const float *x, float *y, int w, int dw)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < dw) y[i] = x[i / 2] * 2;
}
"""
# FLOPs of the whole grid, by hand.
LAUNCHES = [
    (STRUCT, "void h(Image a) { k<<<(a.w + 255) / 256, 256>>>(a); }", "in_w"),
    (STRUCT, "void h(Image *p) { k<<<(p->w + 255) / 256, 256>>>(*p); }", "in_w"),
    (STRUCT, "void h(Image in) { k<<<(in.w + 255) / 256, 256>>>(in); }", "in_w"),
    (ROWS, "void h(float *x, int n) { k<<<(2 * n + 255) / 256, 256>>>(x, 2 * n); }", "2*n"),
    (ROWS, "void h(float *x, int n) { k<<<(n + 256) / 256, 256>>>(x, n + 1); }", "rows"),
    (SCALE, "void h(float *x, int w) { k<<<(2 * w + 255) / 256, 256>>>(x, x, w, 2 * w); }", "2*w"),
    (
        ROWS,
        "void h(float *x, int n) { dim3 blockDim(256), gridDim((n + 255) / 256);"
        " k<<<gridDim, blockDim>>>(x, n); }",
        "rows",
    ),
]


@pytest.mark.parametrize(("kernel", "host", "flops"), LAUNCHES)
def test_arguments(tmp_path: Path, kernel: str, host: str, flops: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(kernel + host)
    (report,) = analyze(str(path)).kernels
    assert sympy_text(report.grid.flops["fp32"].formula) == flops
    assert not [a for a in report.assumptions if a.code == "conditions" and ">=" in a.message]


def test_a_radius_that_is_launched_as_a_number_is_small(tmp_path: Path) -> None:
    """(w - 4)(h - 4) threads lie two from all edges."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float *a, int w, int h, int pitch, int r) {"
        " int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;"
        " if (x >= r && y >= r && x < w - r && y < h - r) a[y * pitch + x] += 1; }"
        " void f(float *a, int w, int h, int p) {"
        " k<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, w, h, p, 2); }"
    )
    (report,) = analyze(str(path)).kernels
    assert sympy_text(report.grid.flops["fp32"].formula) == "h*w - 2*h*r + 4*r**2 - 2*r*w"


def test_launches_that_relate_sizes_in_two_ways_are_two(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        SCALE + "void h(float *x, int w) { k<<<(w + 255) / 256, 256>>>(x, x, w, 2 * w);"
        " k<<<(w + 255) / 256, 256>>>(x, x, w, w - 8); }"
    )
    reports = analyze(str(path)).kernels
    assert [sympy_text(one.grid.flops["fp32"].formula) for one in reports] == ["w", "w - 8"]
