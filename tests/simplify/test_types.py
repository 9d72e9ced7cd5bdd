"""Structs, enumerations and aliases."""

from __future__ import annotations

import pytest
from simplifying import messages, names, output, simplified

TYPES = {
    "struct": ("struct S { float a, b; };", "typedef struct S { float a, b; } S;"),
    "class": (
        "class S {\npublic:\n    int a;\nprivate:\n    int b = 3;\n};",
        "typedef struct S {\n    int a;\n    int b;\n} S;",
    ),
    "methods": (
        (
            "struct S {\n    int a;\n    __device__ S() {}\n    __device__ int f() const { return a; }"
            "\n    S &operator=(const S &);\n    ~S() {}\n};"
        ),
        "typedef struct S {\n    int a;\n} S;",
    ),
    "to itself": (
        "struct S { int a; S *next; };",
        "typedef struct S { int a; struct S *next; } S;",
    ),
    "union": ("union S { int a; float b; };", "typedef union S { int a; float b; } S;"),
    "typedef": ("typedef struct { int a; } S;", "typedef struct { int a; } S;"),
    "using": ("using S = float2;", "typedef float2 S;"),
    "enum": ("enum S { A, B = 4 };", "typedef enum S { A, B = 4 } S;"),
    "enum class": (
        "enum class S : int { A, B };",
        "enum S { S__A, S__B }; typedef int S;",
    ),
    "array of struct": (
        "struct S { struct { int a; } b[2]; };",
        "typedef struct S { struct { int a; } b[2]; } S;",
    ),
}


@pytest.mark.parametrize(("source", "expected"), TYPES.values(), ids=TYPES)
def test_types(source: str, expected: str) -> None:
    kernel = "__global__ void k(const S *s) { }"
    assert output(f"{source}\n{kernel}").split("\n\n")[0] == expected


def test_enumerators() -> None:
    source = (
        "enum E { A, B };\nenum class F { A, C };\nenum { SIZE = 4 };\n"
        "__global__ void k(int *x, F f) { x[SIZE] = A + E::B; if (f == F::A) x[0] = int(F::C); }"
    )
    assert "x[SIZE] = A + B; if (f == F__A) x[0] = ((int)(F__C));" in output(source)
    assert names(source) == ["E", "F", "SIZE", "k"]


def test_constants_of_a_struct() -> None:
    source = (
        "struct S { static constexpr int N = 4; float a[N]; };\n"
        "__global__ void k(S *s) { s->a[0] = S::N; }"
    )
    text = output(source)
    assert "constexpr int S__N = 4;" in text
    assert "s->a[0] = S__N;" in text


def test_class_templates() -> None:
    source = (
        "template <typename T, int N = 2> struct Vec { T v[N]; };\n"
        "template <typename T> using Pointer = const T *;\n"
        "__global__ void k(Vec<float, 4> a, Vec<double> b, Pointer<float> p) { }"
    )
    assert output(source).splitlines() == [
        "typedef struct Vec__float_4 { float v[4]; } Vec__float_4;",
        "typedef struct Vec__double_2 { double v[2]; } Vec__double_2;",
        "typedef const float * Pointer__float;",
        "",
        "[[cuda::global]] void k(Vec__float_4 a, Vec__double_2 b, Pointer__float p) { }",
    ]


def test_a_type_is_made_before_the_template_that_uses_it() -> None:
    source = (
        "template <typename T> __global__ void k(T *x) { }\nstruct S { int a; };\n"
        "template __global__ void k<S>(S *);\n"
    )
    assert names(source) == ["S", "k__S"]


LOST = {
    "method": ("struct S { int f(); };", "s->f();", "2:27 K202", "member function, 's->f',"),
    "constructor": ("struct S { int a; S(int b); };", "S t(3);", "1:19 K202", "'S::S' has no body"),
    "base": ("struct T { virtual int f(); }; struct S : T { };", "", "1:12 K202", "a virtual"),
    "reference": ("struct S { int &a; };", "", "1:16 K202", "a reference as a member"),
    "standard": ("typedef int S;", "std::vector<int> v;", "2:32 K202", "'vector<int>'"),
}


@pytest.mark.parametrize(("before", "body", "place", "message"), LOST.values(), ids=LOST)
def test_lost(before: str, body: str, place: str, message: str) -> None:
    (found,) = messages(f"{before}\n__global__ void k(S *s) {{ {body} }}")
    assert found.startswith(place)
    assert message in found


def test_a_lost_type_keeps_the_kernels_that_do_not_need_it() -> None:
    source = "struct S { int &a; };\n__global__ void j(S s) { }\n__global__ void k() { }"
    assert names(source) == ["j", "k"]
    assert [one.name for one in simplified(source).lost] == ["S"]
