"""Sets that barvinok would count for minutes are unknown at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from memory.counting import differences
from sympy import sympify

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


def test_a_star_of_radius_4_is_not_too_much(tmp_path: Path) -> None:
    """Each of nx*ny*nz points and eight layers in front of and behind each of three faces."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void star(const float *a, float *out, int nx, int ny, int nz)\n{\n"
        "    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
        "    if (x >= nx || y >= ny) return;\n"
        "    int row = nx + 8, plane = row * (ny + 8);\n"
        "    for (int z = 0; z < nz; z++) {\n"
        "        int at = (z + 4) * plane + (y + 4) * row + x + 4;\n"
        "        float s = a[at];\n"
        "        for (int r = 1; r <= 4; r++)\n"
        "            s += a[at - r] + a[at + r] + a[at - r * row] + a[at + r * row]\n"
        "                + a[at - r * plane] + a[at + r * plane];\n"
        "        out[at] = s;\n    }\n}\n"
    )
    launch = "grid=((nx+31)/32,(ny+15)/16) block=(32,16)"
    (kernel,) = analyze(str(path), Options(launches=(launch,))).kernels
    read = sympify(sympy_text(kernel.bytes.by_array["a"].compulsory.formula))
    assert (read - sympify("4*nx*ny*nz + 32*(nx*ny + nx*nz + ny*nz)")).expand() == 0
