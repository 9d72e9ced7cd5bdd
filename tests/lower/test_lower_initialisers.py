"""Initialisers of local arrays: a store for every element, those left out being 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options

KERNEL = """struct P {{ float x; int k; }};
__global__ void k(const float *a, float *b)
{{
    int t = threadIdx.x;
    {body}
}}
int main() {{ k<<<1, 32>>>(0, 0); }}
"""
LOCAL_STORES = {
    "float w[2] = {a[t], a[t + 1]}; b[t] = w[1];": 2,
    "float z[4] = {0.0f}; b[t] = z[3];": 4,
    "float m[2][3] = {1, 2, 3}; b[t] = m[1][1];": 6,
    "float m[2][3] = {{1}, {2}}; b[t] = m[1][1];": 6,
    "P p[2] = {{a[t], 2}, {3.0f, 4}}; b[t] = p[1].x;": 4,
    "float2 q[2] = {make_float2(a[t], 1.0f), make_float2(0, 0)}; b[t] = q[1].y;": 2,
}


@pytest.mark.parametrize("body", LOCAL_STORES)
def test_every_element_is_stored_once(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    (kernel,) = analyze(str(path)).kernels
    assert sympy_text(kernel.per_thread.stores["local"].exact) == str(LOCAL_STORES[body])


# Inner braces may be left out; what is given is evaluated once.
LOADS = {
    "float2 q[2] = {a[t], a[t + 1], 0, 0}; b[t] = q[0].y;": 2,
    "Q q = {a[t], a[t + 1], {3, 4}}; b[t] = q.v[1] * q.p.x;": 2,
    "Q q = {{a[t]}, 3, 4}; b[t] = q.v[1] * q.p.x;": 1,
    "Q q[2] = {{1, 2, 3, 4}, a[t], 2, 3, 4}; b[t] = q[1].v[1];": 1,
    "Q q = {}; b[q.k[1]] = q.v[1]; b[q.p.k] = 1;": 0,
}


@pytest.mark.parametrize("body", LOADS)
def test_values_without_their_braces(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    text = KERNEL.replace("__global__", "struct Q {{ float v[2]; P p; int k[2]; }};\n__global__")
    path.write_text(text.format(body=body))
    (kernel,) = analyze(str(path)).kernels
    loads = kernel.per_thread.loads.get("global")
    assert (sympy_text(loads.exact) if loads else "0") == str(LOADS[body])
    assert kernel.unknowns == ()


def test_too_many_values_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body="P p = {1, 2, 3}; b[t] = p.x;"))
    report = analyze(str(path))
    assert [str(d.position) for d in report.files[0].diagnostics] == [f"{path}:5:7"]


def test_integers_in_an_array_of_an_argument_have_names(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "struct Shape { int sizes[3]; };\n"
        "__global__ void k(float *x, Shape s) { int n = 1; for (int d = 0; d < 3; d++)"
        " n *= s.sizes[d]; for (int i = 0; i < n; i++) x[i] = 1; }"
    )
    (kernel,) = analyze(str(path), Options(launches=("k: grid=(1) block=(1)",))).kernels
    assert sympy_text(kernel.grid.stores["global"].formula) == "s_sizes_0_*s_sizes_1_*s_sizes_2_"
    assert kernel.unknowns == ()


def test_a_constant_table_of_offsets_is_known(tmp_path: Path) -> None:
    """A 3 x 3 stencil: (3W - 2)(3H - 2) of the neighbours lie inside, counted by hand."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__constant__ int off[] = {-1, 0, 1};\n"
        "__global__ void k(const float *a, float *b, int W, int H) {"
        " int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;"
        " if (x >= W || y >= H) return; float s = 0;"
        " for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) {"
        " int p = x + off[j], q = y + off[i];"
        " if (p >= 0 && p < W && q >= 0 && q < H) s += a[q * W + p]; } b[y * W + x] = s; }"
    )
    (kernel,) = analyze(str(path), Options(values={"W": 37, "H": 21})).kernels
    assert kernel.grid.loads["global"].value == (3 * 37 - 2) * (3 * 21 - 2)
    assert [a.code for a in kernel.assumptions if "off" in a.message] == ["initial-values"]


@pytest.mark.parametrize(
    ("array", "stores"),
    [("w[TM * TN] = {0}", "TM*TN"), ("w[TM][TN] = {0}", "TM*TN"), ("w[TM] = {}", "TM")],
)
def test_arrays_of_symbolic_length(tmp_path: Path, array: str, stores: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"template <int TM, int TN> __global__ void k(float *x) {{ float {array}; }}")
    (kernel,) = analyze(str(path)).kernels
    assert sympy_text(kernel.per_thread.stores["local"].formula) == stores
    (kernel,) = analyze(str(path), Options(values={"TM": 3, "TN": 1})).kernels
    assert kernel.grid.stores["local"].value == 3
