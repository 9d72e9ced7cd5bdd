"""What is said of classes, templates and lambdas stands at the user's own place."""

from __future__ import annotations

import pytest
from simplifying import messages, simplified

PLACES = {
    "in a method": (
        "struct S { float a;\n  __device__ float f() { return *new float; } };\n"
        "__global__ void k(S s, float *x) { x[0] = s.f(); }",
        "2:34 K202",
    ),
    "in a method of a class template": (
        "template <typename T> struct S { T a;\n  __device__ T f() { return *new T; } };\n"
        "__global__ void k(S<float> s, float *x) { x[0] = s.f(); }",
        "2:30 K202",
    ),
    "in a constructor": (
        "struct S { float a;\n  __device__ S(int n) : a(n) { throw n; } };\n"
        "__global__ void k(float *x) { S s(1); }",
        "2:32 K202",
    ),
    "in a lambda": (
        "__global__ void k(float *x) {\n  auto f = [=](int n) {\n    throw n; }; f(1); }",
        "3:5 K202",
    ),
    "a constructor that does not fit": (
        "struct S { float a; __device__ S(float b, float c) : a(b) {} };\n"
        "__global__ void k(float *x) {\n  S s(1);\n}",
        "3:6 K202",
    ),
    "a variable called self": (
        "struct S { float a;\n  __device__ float f() { float self = a; return self; } };\n"
        "__global__ void k(S s, float *x) { x[0] = s.f(); }",
        "2:32 K202",
    ),
    "a destructor": (
        "struct S { float *p;\n  __device__ ~S() { p[0] = 1; } };\n__global__ void k(S s) { }",
        "2:3 K202",
    ),
}


@pytest.mark.parametrize(("text", "place"), PLACES.values(), ids=PLACES)
def test_places(text: str, place: str) -> None:
    assert [one[: len(place)] for one in messages(text)] == [place]


def test_an_operand_stands_where_it_was_written() -> None:
    text = (
        "struct S { float a; __device__ S operator+(S o) const { return {a + o.a}; } };\n"
        "__global__ void k(S *s) { s[0] = s[1] + s[2]; }\n"
    )
    unit = simplified(text)
    for word in ("s[1]", "s[2]", "a + o"):
        position = unit.positions.position(unit.text.rindex(word))
        line = text.splitlines()[position.line - 1]
        expected = "a + o" if word == "a + o" else word
        assert line[position.column - 1 :].startswith(expected)
