"""What a loop of unknown length has at most: windows that borders cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.to_sympy import parse, to_sympy
from estimator.analysis import analyze

LOOPS = {
    # Symbolic strides leave the length unknown; the window's size is a bound.
    "for (int h = max(i * s - p, 0); h < min(i * s - p + k, n); h++)": "k",
    "for (int h = i * s; h < min(i * s + 2 * k, n); h++)": "2*k",
    "for (int h = max(i * s - k, 0); h <= min(i * s + k, n - 1); h++)": "2*k + 1",
    # No operand leaves sizes alone.
    "for (int h = 0; h < min(i * s * i, i * i * k); h++)": None,
}


@pytest.mark.parametrize("loop", LOOPS)
def test_longest(loop: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void f(const float *a, float *y, int n, int s, int p, int k)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"
        f"    float t = 0.0f;\n    {loop}\n        t += a[h];\n    y[i] = t;\n}}\n"
    )
    (kernel,) = analyze([str(file)]).kernels
    (trips,) = [unknown for unknown in kernel.unknowns if unknown.name == "trips@6"]
    if LOOPS[loop] is None:
        assert trips.upper is None
    else:
        assert trips.upper is not None
        assert to_sympy(trips.upper) - parse(LOOPS[loop] or "") == 0
