"""Pointers in local arrays and from classes' conversions lead where they lead; integers in
constant memory have one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

BEFORE = """
template <class T> struct Shared
{
    __device__ operator T *() { extern __shared__ int bytes[]; return (T *)bytes; }
};
class Window
{
    float *d;
  public:
    __device__ Window(float *p) : d(p) {}
    __device__ operator float *() { return d; }
};
__constant__ int steps;
"""
TURN = "{0}[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = {1}[63 - threadIdx.x];"
# A kernel's body, and its global loads, shared loads and shared stores.
BODIES = {
    "an array of pointers": (
        "__shared__ float a[64], b[64]; float *p[2] = {a, b};" + TURN.format("p[1]", "p[1]"),
        ("1", "1", "1"),
    ),
    "two buffers in turn": (
        "__shared__ float a[64], b[64]; float *p[2] = {a, b};"
        "for (int k = 0; k < n; ++k) {" + TURN.format("p[k & 1]", "p[k & 1]") + "}",
        ("n", "n", "n"),
    ),
    "spaces in one array": (
        "__shared__ float a[64]; float *p[2] = {x, a}; p[1][threadIdx.x] = p[0][threadIdx.x];",
        ("1", "0", "1"),
    ),
    "a temporary's conversion": (
        "float *p = Shared<float>();" + TURN.format("p", "p"),
        ("1", "1", "1"),
    ),
    "a variable's conversion": (
        "Shared<float> s; float *p = s;" + TURN.format("p", "p"),
        ("1", "1", "1"),
    ),
    "an index of a conversion": (
        "__shared__ float a[64]; Window w(a);" + TURN.format("w", "w"),
        ("1", "1", "1"),
    ),
    "a length in constant memory": (
        "for (int k = 0; k < steps; ++k) x[threadIdx.x] += 1;",
        ("steps_16", "0", "0"),
    ),
}


@pytest.mark.parametrize("case", BODIES, ids=str)
def test_where_pointers_lead(case: str, tmp_path: Path) -> None:
    body, expected = BODIES[case]
    (tmp_path / "k.cu").write_text(
        f"{BEFORE}__global__ void k(float *x, int n)\n{{\n    {body}\n}}\n"
        "void go(float *x, int n) { k<<<1, 64>>>(x, n); }\n"
    )
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert not file.diagnostics
    counts = file.kernels[0].per_thread
    found = (counts.loads.get("global"), counts.loads.get("shared"), counts.stores.get("shared"))
    assert tuple("0" if one is None else sympy_text(one.formula) for one in found) == expected
