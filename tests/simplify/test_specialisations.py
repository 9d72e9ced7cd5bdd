"""Explicit specialisations of function templates, also where the call leaves types out."""

from __future__ import annotations

import pytest
from simplify.simplifying import item, messages, output

BEFORE = """
template <typename T> __device__ T f(T v) { return v; }
template <> __device__ float f<float>(float v) { return v * v; }
template <> __device__ int f(int v) { return v + 1; }
template <> __device__ unsigned char f<uint8_t>(unsigned char v) { return 2; }
template <typename T, typename U> __device__ T two(U v) { return v; }
template <> __device__ float two<float>(float v) { return v * v; }
template <typename T> __device__ T outer(T v) { return f(v); }
template <typename T> struct S { static constexpr int n = 1; };
template <> struct S<unsigned char> { static constexpr int n = 2; };
typedef unsigned char byte;
"""
RESULTS = {
    "with its arguments": ("x[0] = f(x[1]);", "f__float", "return v * v;"),
    "without": ("x[0] = f(n);", "f__int", "return v + 1;"),
    "by another name of the type": ("byte b = 1; x[0] = f(b);", "f__unsigned_char", "return 2;"),
    "of other types": ("x[0] = f(1.0);", "f__double", "return v;"),
    "some of its arguments": ("x[0] = two<float>(x[1]);", "two__float_float", "return v * v;"),
    "not with other types": ("x[0] = two<float>(n);", "two__float_int", "return v;"),
    "in another template": ("x[0] = outer(x[1]);", "f__float", "return v * v;"),
}  # fmt: skip


def kernel(body: str) -> str:
    return f"{BEFORE}__global__ void k(float *x, int n) {{ {body} }}"


@pytest.mark.parametrize(("body", "name", "expected"), RESULTS.values(), ids=RESULTS)
def test_the_meant_definition_is_taken(body: str, name: str, expected: str) -> None:
    assert expected in item(kernel(body), name)


def test_class_templates_by_another_name_of_the_type() -> None:
    assert "constexpr int S__uint8_t__n = 2;" in output(kernel("x[0] = S<uint8_t>::n;"))


def test_a_call_that_does_not_say_which_is_refused() -> None:
    text = "template <int N> __device__ int g() { return N; } template <> __device__ int g<2>() { return 7; }\n"
    text += "template <int N> __global__ void k(int *x) { x[0] = g<N>(); }"
    assert messages(text) == ["2:53 K206 which specialisation of 'g' is meant is not known here"]


def test_specialisations_of_members_are_refused() -> None:
    text = (
        "template <typename T> struct S { __device__ int f() { return 1; } };\n"
        "template <> __device__ int S<float>::f() { return 2; }\n"
        "__global__ void k(int *x) { S<float> s; x[0] = s.f(); }"
    )
    message = "an explicit specialisation of the member 'S::f' is not supported"
    assert messages(text) == [f"2:13 K202 {message}"]
