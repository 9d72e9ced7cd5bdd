"""Launches that name an instance of a kernel by a class template's instance, or by an alias."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

SOURCE = """template <typename T, int N> struct Vec {{ T v[N]; }};
template <typename T> struct Wrap {{ using type = T; }};
template <typename V> __global__ void copy(const V *a, V *b, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}}
template <typename V> void run_on(void *a, void *b, int n)
{{
    using U = V;
    copy<U><<<(n + 63) / 64, 64>>>((U *)a, (U *)b, n);
}}
void run(void *a, void *b, int n)
{{
    {launch}
}}
"""
GRID = "<<<(n + 63) / 64, 64>>>"
# How the instance is called, and its size in bytes.
LAUNCHES = {
    f"copy<Vec<float, 4>>{GRID}((Vec<float, 4> *)a, (Vec<float, 4> *)b, n);": (
        "copy<Vec<float, 4>>",
        16,
    ),
    f"copy<Vec<Vec<double, 2>, 3> >{GRID}((Vec<Vec<double, 2>, 3> *)a, nullptr, n);": (
        "copy<Vec<Vec<double, 2>, 3>>",
        48,
    ),
    f"using V = Vec<short, 8>; copy<V>{GRID}((V *)a, (V *)b, n);": ("copy<Vec<short, 8>>", 16),
    f"typedef double V; copy<V>{GRID}((V *)a, (V *)b, n);": ("copy<double>", 8),
    f"copy<typename Wrap<double>::type>{GRID}((double *)a, (double *)b, n);": ("copy<double>", 8),
    "run_on<Vec<char, 3>>(a, b, n);": ("copy<Vec<char, 3>>", 3),
}


@pytest.mark.parametrize("launch", LAUNCHES)
def test_instances(tmp_path: Path, launch: str) -> None:
    name, size = LAUNCHES[launch]
    file = tmp_path / "k.cu"
    file.write_text(SOURCE.format(launch=launch))
    (kernel,) = (one for one in analyze(str(file)).kernels if one.name == name)
    assert sympy_text(kernel.bytes.requested.formula) == f"{2 * size}*n"
    assert "template" not in {one.code for one in kernel.assumptions}


def test_functors_of_class_templates(tmp_path: Path) -> None:
    """One addition for each of n threads, wherever the functor's type is said."""
    file = tmp_path / "k.cu"
    file.write_text(
        "template <typename T> struct Add { __device__ T operator()(T a, T b) const { return a + b; } };\n"
        "template <typename Op, int B> __global__ void zip(const float *a, float *o, int n, Op op)\n"
        "{ int i = blockIdx.x * B + threadIdx.x; if (i < n) o[i] = op(a[i], 1.0f); }\n"
        "template <typename Op> __global__ void own(const float *a, float *o, int n)\n"
        "{ Op op; int i = blockIdx.x * 64 + threadIdx.x; if (i < n) o[i] = op(a[i], 1.0f); }\n"
        "void run(float *a, float *o, int n) {\n"
        "  zip<Add<float>, 64><<<(n + 63) / 64, 64>>>(a, o, n, Add<float>());\n"
        "  own<Add<float>><<<(n + 63) / 64, 64>>>(a, o, n);\n}\n"
    )
    found = {k.name: sympy_text(k.grid.flops["fp32"].formula) for k in analyze(str(file)).kernels}
    assert found == {"zip<Add<float>, 64>": "n", "own<Add<float>>": "n"}
