"""Sizes that a kernel limits itself are taken to be within the limit, where it does its work."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report
from sympy import sympify

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

KERNEL = """__global__ void k(const float *x, float *y, int m, int n)
{{
    int i = blockIdx.x * 8 + threadIdx.x;
    {body}
}}
"""
LAUNCH = "grid=(g) block=(8)"
LOOP = "for (int j = 0; j < m; j++) y[i] += x[j] * 2.f;"
# The FLOPs of the grid, by hand, and what is said of the sizes.
BODIES = {
    f"if (m > 1024) return; {LOOP}": ("16*g*m", "m <= 1024 (line 4)"),
    f"if (m <= 1024) {{ {LOOP} }}": ("16*g*m", "m <= 1024 (line 4)"),
    f"if (n * m > 1024) return; {LOOP}": ("16*g*m", "m·n <= 1024 (line 4)"),
    f'if (m > 1024) {{ if (i == 0) printf("too large"); return; }} {LOOP}': (
        "16*g*m",
        "m <= 1024 (line 4)",
    ),
    # Results that say that there are none.
    f"if (m > 1024) {{ y[i] = -1.f; return; }} {LOOP}": ("16*g*m", "m <= 1024 (line 4)"),
    # What is loaded before is for nothing.
    f"float v = x[i]; if (m > 1024 || n > 32) return; {LOOP} y[i] = v;": (
        "16*g*m",
        "m <= 1024 (line 4); n <= 32 (line 4)",
    ),
    f"if (i >= n || (n + 31) / 32 > 4) return; {LOOP}": ("2*m*n", "n <= 128"),
    # Above the limit another method is used.
    f"if (m > 1024) {{ y[i] = x[i] * 3.f; return; }} {LOOP}": ("8*g", "m >= 1025 (line 4)"),
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_limits_of_the_kernel_itself(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    found = report(path, LAUNCH)
    formula, taken = BODIES[body]
    difference = sympify(sympy_text(found.grid.flops["fp32"].formula)) - sympify(formula)
    assert difference.expand() == 0
    said = "; ".join(a.message for a in found.assumptions if a.code == "conditions")
    assert taken in said
    assert not found.threads.formula or found.active_threads.formula
    for m, n in ((16, 24), (1030, 2), (5, 40)):
        assert not differences(path, LAUNCH, {"n": n, "m": m, "g": 3})


def test_what_a_launch_gives_is_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    host = "void f(float *x, int n) { k<<<4, 8>>>(x, x, 2048, n); }\n"
    path.write_text(KERNEL.format(body=f"if (m > 1024) return; {LOOP}") + host)
    (found,) = analyze(str(path)).kernels
    assert sympy_text(found.grid.flops["fp32"].formula) == "0"


def test_an_intensity_has_no_limit_for_sizes_with_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=f"if (m > 1024) return; {LOOP}"))
    found = report(path, LAUNCH)
    # 16·g·m FLOPs, 64·g + 4·m bytes, for many blocks
    assert sympify(sympy_text(found.intensities.limits["compulsory"])) == sympify("m/4")
