"""Functions that belong to the types of a call's arguments, beside those that are seen."""

from __future__ import annotations

import pytest
from simplify.simplifying import item

BEFORE = """
namespace geo {
    struct T { float v; friend __device__ float near(T t) { return t.v * t.v; } };
    struct U : T { float w; };
    enum Color { red };
    __device__ float f(T t, float s) { return t.v * s; }
    __device__ float g(const T *t) { return t->v; }
    __device__ int h(Color c) { return 1; }
}
enum class E { a };
__device__ float f(float a, float b) { return a * b; }
__device__ float g(const float *a) { return *a; }
__device__ int h(int n) { return n; }
__device__ int h(E e) { return 3; }
__device__ float near(float v) { return v; }
"""
CALLS = {
    "an object": ("f(t, n) + f(x[0], n)", "geo__f(t, n) + f__float_float(x[0], n)"),
    "of a derived class": ("f(u, n)", "geo__f(u, n)"),
    "a pointer": ("g(&t) + g(x)", "geo__g(&t) + g__floatp(x)"),
    "an enumerator": ("h(geo::red) + h(E::a) + h(7)", "geo__h(red) + h__E(E__a) + h__int(7)"),
    "a friend": ("near(t) + near(x[0])", "T__near(t) + near(x[0])"),
}


@pytest.mark.parametrize(("call", "expected"), CALLS.values(), ids=CALLS)
def test_calls(call: str, expected: str) -> None:
    text = f"{BEFORE}__global__ void k(float *x, int n) {{ geo::T t; geo::U u; x[1] = {call}; }}"
    assert f"x[1] = {expected};" in item(text, "k")
