"""Elements touched under conditions on data: numbers only where the conditions decide them."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

KERNEL = """__global__ void k(const int *a, const int *b, const float *x, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        {body}
    }}
}}
"""
# The compulsory bytes of x (read) and y (written), by hand.
BODIES = {
    "if (a[i] > 0) y[i] = x[i]; else y[i] = -x[i];": ("4*n", "4*n"),
    "if (a[i] > 0) y[i] = x[i]; else y[i] = x[n + i];": ("4*n", "4*n"),
    "if (a[i] > 0) y[i] = x[i]; else y[i] = 1.0f;": ("4*n*p_5", "4*n"),
    "if (a[i] > 0) { y[i] = x[i]; if (b[i] > 0) y[i] = 2 * x[i]; }": ("4*n*p_5", "4*n*p_5"),
    # One element, two threads whose conditions have nothing to do with each other.
    "if (a[i] > 0) y[i] = x[i]; else y[i] = x[i + 1];": ("4*distinct_x_5", "4*n"),
    "if (a[i] > 0) y[i] = x[i] + x[i + 1];": ("4*distinct_x_5", "4*n*p_5"),
    # One thread, two conditions.
    "if (a[i] > 0) y[i] = x[i]; if (b[i] > 0) y[i] = 1.0f;": ("4*n*p_5", "4*distinct_y_5_written"),
    "y[i] = 0.0f; if (a[i] > 0) y[i] = x[i];": ("4*n*p_5", "4*n"),
}


@pytest.mark.parametrize("body", BODIES)
def test_compulsory_bytes(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    (kernel,) = analyze(str(path)).kernels
    arrays = kernel.bytes.by_array
    found = tuple(sympy_text(arrays[name].compulsory.formula) for name in "xy")
    assert found == BODIES[body]


SHARED = """__global__ void k(const int *flag, const float *x, float *y, int m)
{
    int r = blockIdx.x;
    if (flag[r])
        for (int i = threadIdx.x; i < m; i += blockDim.x) y[r * m + i] = x[i];
}
void run(const int *flag, const float *x, float *y, int m, int rows)
{
    k<<<rows, 128>>>(flag, x, y, m);
}
"""


def test_blocks_that_decide_for_themselves_share_elements(tmp_path: Path) -> None:
    # One flag that is set is enough to read all of x; y has a row for each block.
    path = tmp_path / "k.cu"
    path.write_text(SHARED)
    (kernel,) = analyze(str(path)).kernels
    arrays = kernel.bytes.by_array
    assert sympy_text(arrays["x"].compulsory.formula) == "4*distinct_x_5"
    assert sympy_text(arrays["y"].compulsory.formula) == "4*m*p_4*rows"
    unknown = next(u for u in kernel.unknowns if u.name == "distinct_x@5")
    assert unknown.lower is not None
    assert unknown.upper is not None
    assert (sympy_text(unknown.lower), sympy_text(unknown.upper)) == ("0", "m")


def test_the_most_where_rows_may_overlap(tmp_path: Path) -> None:
    """Every thread may write an element of its own: the bound is the stores, not nothing."""
    text = """__global__ void k(int it, const int *src, int *res, int border)
{
    int x = (256 - it * 2) * blockIdx.x - border + threadIdx.x;
    if (src[threadIdx.x] > 3) res[x] = 1;
}
void go(int it, int *s, int *r, int d, int b) { k<<<b, 256>>>(it, s, r, d); }
"""
    (tmp_path / "k.cu").write_text(text)
    kernel = analyze(str(tmp_path / "k.cu")).kernels[0]
    (unknown,) = [one for one in kernel.unknowns if one.name.startswith("distinct_res")]
    assert unknown.upper is not None
    assert sympy_text(unknown.upper) == "256*b*p_4"
