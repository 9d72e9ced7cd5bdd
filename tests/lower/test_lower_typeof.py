"""`decltype` and `typeof`: the type of an expression that is not executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze


@pytest.mark.parametrize(
    ("declared", "precision"),
    [("decltype(s)", "fp32"), ("decltype(d)", "fp64"), ("decltype(s * d)", "fp64")],
)
def test_types_of_expressions(declared: str, precision: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, double d)\n{\n    float s = a[threadIdx.x];\n"
        f"    {declared} v = s;\n    v = v + v;\n    a[threadIdx.x] = v;\n}}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert {k: sympy_text(c.formula) for k, c in kernel.per_thread.flops.items()} == {
        precision: "1"
    }
