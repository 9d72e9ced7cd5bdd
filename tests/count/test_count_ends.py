"""Between which sizes a formula holds is said, and work that ends with a size is not dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report
from sympy import sympify

from estimator.algebra.printing import sympy_text

KERNEL = """__global__ void k(const float *a, float *out, int n, int m)
{{
    int i = blockIdx.x * 8 + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    {body}
    out[i] = s;
}}
"""
# The FLOPs of the grid, by hand, and what they take to hold, in part.
BODIES = {
    # 7 - m threads, where m is less.
    "if (i + m < 7) s += a[i];": ("7 - m", "m <= 7"),
    # Threads m to 4095 add n numbers each.
    "if (i >= m && i < 4096) for (int t = 0; t < n; t++) s += a[t];": (
        "4096*n - m*n",
        "m <= 4095; n >= 4096",
    ),
    # A padded filter: 7 - m taps of n threads.
    "for (int q = 0; q < 7; q++) { int z = q - m; if (z >= 0) s += a[i + z]; }": (
        "n*(7 - m)",
        "m <= 6",
    ),
    # From half of m on.
    "if (i + i >= m) s += a[i];": ("n - m/2", "2n >= m"),
    # The interior of a row.
    "if (i >= 4 && i < n - 4) s += a[i];": ("n - 8", "n >= 9"),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_what_ends_with_a_size(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    launch = "grid=((n+7)/8) block=(8)"
    found = report(path, launch)
    formula, taken = BODIES[body]
    difference = sympify(sympy_text(found.grid.flops["fp32"].formula)) - sympify(formula)
    assert difference.expand() == 0
    said = "; ".join(a.message for a in found.assumptions if a.code == "conditions")
    assert taken in said
    for n, m in ((16, 2), (24, 100), (5, 0), (40, 7)):
        assert not differences(path, launch, {"n": n, "m": m})


def test_a_size_that_something_is_divided_by_has_an_end_too(tmp_path: Path) -> None:
    """Where k is at least 2, threads of ⌊n/k⌋ add k numbers: at 0 there is no quotient."""
    path = tmp_path / "k.cu"
    path.write_text(
        KERNEL.format(body="if (i < n / m) for (int j = 0; j < m; j++) s += a[i * m + j];").replace(
            "out[i] = s", "if (m >= 2) out[i] = s"
        )
    )
    launch = "grid=((n+7)/8) block=(8)"
    assert report(path, launch).grid.stores
    for n, m in ((16, 2), (24, 5), (5, 7)):
        assert not differences(path, launch, {"n": n, "m": m})
