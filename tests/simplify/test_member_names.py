"""Names of members ask for nothing: a function of the host may have the same name."""

from __future__ import annotations

import pytest
from simplifying import messages, names, output

HOST = "void f(float *x, int n) { k<<<n / 64, 64>>>(x, n); }\n"
KERNELS = {
    "union in a kernel": (
        "__global__ void k(float *x, int n) { union { float f; int i; } u; u.f = x[0]; x[1] = u.f; }"
    ),
    "shared union": (
        "__global__ void k(float *x, int n) { __shared__ union { float f[64]; int i[64]; } u;"
        " u.f[threadIdx.x] = x[0]; x[0] = u.f[0]; }"
    ),
    "structure in a kernel": (
        "__global__ void k(float *x, int n) { struct { float f; } s; s.f = x[0]; x[1] = s.f; }"
    ),
    "structure of the file": (
        "struct S { float f, g; };\n__global__ void k(float *x, int n) { S s; s.f = x[0]; x[1] = s.f; }"
    ),
    "by its name": (
        "struct S { float f; };\n__global__ void k(float *x, int n) { S s = {.f = 1}; x[0] = s.f; }"
    ),
    "local enumerator": ("__global__ void k(float *x, int n) { enum { e, f }; x[0] = x[f]; }"),
    "local variable": "__global__ void k(float *x, int n) { float f = x[0]; x[1] = f; }",
}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_functions(kernel: str) -> None:
    text = f"{kernel}\n{HOST}"
    assert messages(text) == []
    assert "k" in names(text)
    assert "f" not in names(text)


def test_template_parameters() -> None:
    """A member may be called as a template parameter elsewhere is."""
    text = output(
        "struct S { int N; };\n"
        "template <int N> __global__ void k(float *x) { union { int i; float N; } u; u.N = x[N]; }\n"
        "template __global__ void k<4>(float *);"
    )
    assert "{ union { int i; float N; } u; u.N = x[4]; }" in text


def test_templates() -> None:
    text = "template <class T> struct h { T x; };\nstruct S { int h; };\n"
    assert messages(text + "__global__ void k(float *x, S s) { x[s.h] = 1; }") == []
