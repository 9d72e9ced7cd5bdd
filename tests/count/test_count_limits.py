"""Sets that barvinok would count for minutes are unknown at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from memory.counting import differences

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i += 100) x[i] = 1.0f; unsigned char c = n;"
        " for (int i = 0; i < c; i++) x[i] += 1.0f;",
        "for (int i = 0; i < n; i += 50) x[i] = 1.0f;"
        " for (int i = 0; i < n % 128; i++) x[i] += 1.0f;",
    ],
)
def test_long_periods_of_sizes_and_indices(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *x, int n) {{ {body} }}\n")
    start = time.process_time()
    (kernel,) = analyze(str(file)).kernels
    assert time.process_time() - start < 5
    assert [u.name for u in kernel.unknowns] == ["distinct_x@1.written", "sectors_x@1.written"]


@pytest.mark.parametrize(
    "body",
    [
        "float s = 0; int c = i; int t = (i % 5) ? c++ : c--; s += a[c + 1] * t;"
        " if (i % 3 == 0 || c++ > 10) s += a[c + 2]; o[i] = s + a[c + 3];",
        "int g = blockIdx.x % 2 ? gridDim.x - 1 - blockIdx.x : blockIdx.x;"
        " o[i] = a[g * 32 + (threadIdx.x ^ 3)];",
        "float s = 0; int c = i; if (i % 2 && ++c % 3) s += a[c]; int t = (i % 5) ? c++ : c--;"
        " s += a[c + 1] * t; if (i % 3 == 0 || c++ > 10) s += a[c + 2]; o[i] = s + a[c + 3];",
    ],
)
def test_parts_with_steps_of_their_own(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, float *o, int n) {\n"
        "    int i = blockIdx.x * 32 + threadIdx.x;\n"
        f"    if (i < n) {{ {body} }}\n}}\n"
    )
    launch = "grid=((n+31)/32) block=(32)"
    start = time.process_time()
    (kernel,) = analyze(str(file), Options(launches=("k: " + launch,))).kernels
    assert time.process_time() - start < 5
    assert sympy_text(kernel.bytes.by_array["a"].compulsory.formula) == "4*distinct_a_3"
    assert not differences(file, launch, {"n": 64})
