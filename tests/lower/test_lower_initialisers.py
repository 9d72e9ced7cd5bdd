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
