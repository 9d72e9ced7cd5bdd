"""Windows around a point have an odd size, where only its half says how far they reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report
from sympy import sympify

from estimator.algebra.printing import sympy_text

KERNEL = """__global__ void k(const float *x, const float *f, float *y, int n, int m)
{{
    int i = blockIdx.x * 8 + threadIdx.x;
    float s = 0.f;
    {body}
    y[i] = s;
}}
"""
LAUNCH = "grid=(g) block=(8)"
# The FLOPs of a thread, by hand, and whether m is taken to be odd.
BODIES = {
    "int r = m / 2; for (int a = -r; a <= r; a++) s += x[i + m + a] * f[a + r];": ("2*m", True),
    "int r = m / 2; for (int b = -r; b <= r; b++) for (int a = -r; a <= r; a++)"
    " s += x[i + m + a + b] * f[(b + r) * m + a + r];": ("2*m**2", True),
    "int r = (m - 1) / 2; for (int a = -r; a <= r; a++) s += x[i + m + a] * f[a + r];": (
        "2*m",
        True,
    ),
    # A sum over the window, and one more.
    "int r = m / 2; for (int a = -r; a <= r; a++) s += x[i + m + a]; s *= 2.f;": ("m + 1", True),
    # Half of the data is no window.
    "for (int a = 0; a < m / 2; a++) s += x[i + a];": ("m/2", False),
    # A window, and something that divides by another number.
    "int r = m / 2; for (int a = -r; a <= r; a++) s += x[i + m + a];"
    " for (int a = 0; a < m / 4; a++) s += x[i + a];": ("5*m/4 + 1", False),
}


@pytest.mark.parametrize("body", BODIES)
def test_windows(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    found = report(path, LAUNCH)
    formula, odd = BODIES[body]
    difference = sympify(sympy_text(found.per_thread.flops["fp32"].formula)) - sympify(formula)
    assert difference.expand() == 0
    said = "; ".join(a.message for a in found.assumptions)
    assert ("m is odd" in said) == odd
    assert not odd or "m by" not in said
    for m in (3, 4, 7):
        assert not differences(path, LAUNCH, {"n": 64, "m": m, "g": 2})


def test_an_even_value_is_not_odd(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=next(iter(BODIES))))
    found = report(path, LAUNCH, {"m": 4})
    assert sympy_text(found.per_thread.flops["fp32"].formula) == "2*m + 2"
    assert found.per_thread.flops["fp32"].value == 10
