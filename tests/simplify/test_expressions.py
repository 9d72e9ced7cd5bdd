"""Casts, initialisers, names, references and calls."""

from __future__ import annotations

import pytest
from simplifying import item, messages, output, statement

STATEMENTS = {
    "static cast": ("x[0] = static_cast<float>(n);", "x[0] = ((float)(n));"),
    "pointer cast": (
        "float4 *v = reinterpret_cast<float4 *>(x);",
        "float4 *v = ((float4 *)(x));",
    ),
    "nested casts": (
        "n = static_cast<int>(static_cast<float>(n));",
        "n = ((int)(((float)(n))));",
    ),
    "cast to a reference": (
        "reinterpret_cast<float4 &>(x[0]).x = 1;",
        "(*((float4 *)&(x[0]))).x = 1;",
    ),
    "C cast to a reference": ("((float4 &)x[0]).x = 1;", "((*(float4 *)&(x[0]))).x = 1;"),
    "functional": ("x[0] = float(n) + size_t(n);", "x[0] = ((float)(n)) + ((size_t)(n));"),
    "functional in braces": ("x[0] = float{1} + int{};", "x[0] = ((float)(1)) + ((int)(0));"),
    "vector in braces": ("float4 v = float4{1, 2, 3, 4};", "float4 v = (float4){1, 2, 3, 4};"),
    "dim3": ("dim3 d = dim3(16, n);", "dim3 d = (dim3){16, n};"),
    "constructed dim3": ("dim3 d(16, 16);", "dim3 d = {16, 16};"),
    "constructed from names": ("dim3 d(n, n);", "dim3 d = {n, n};"),
    "constructed number": ("int m(4);", "int m = 4;"),
    "constructed from a product": ("int m(n * n);", "int m = n * n;"),
    "braced number": ("int m{4}, l{};", "int m = 4, l = 0;"),
    "braced vector": ("float2 v{1, 2};", "float2 v = {1, 2};"),
    "array": ("float v[4]{};", "float v[4] = {};"),
    "copied vector": ("float2 v = {1, 2}; float2 w(v);", "float2 v = {1, 2}; float2 w = v;"),
    "assigned list": ("float2 v; v = {1, 2};", "float2 v; v = (float2){1, 2};"),
    "standard names": ("n = std::min(n, ::max(n, 2));", "n = min(n, max(n, 2));"),
    "nested standard": ("x[0] = cuda::std::sqrt(x[0]);", "x[0] = sqrt(x[0]);"),
    "explicit type": ("n = std::max<int>(n, 2);", "n = max(n, 2);"),
    "standard types": ("std::size_t m = 1;", "size_t m = 1;"),
    "comma": ("if ((n = n * 2, n < 3)) x[0] = 1;", "if ((n = n * 2, n < 3)) x[0] = 1;"),
    "comma behind a cast": (
        "while ((n += static_cast<int>(x[0]), n < 3)) x[n] = 1;",
        "while ((n += ((int)(x[0])), n < 3)) x[n] = 1;",
    ),
    "no template": ("if (n < 3 && n > (2)) n = 1;", "if (n < 3 && n > (2)) n = 1;"),
    "words": ("if (n and not (n or 0)) n = 1;", "if (n && ! (n || 0)) n = 1;"),
    "separators": ("n = 1'000'000;", "n = 1'000'000;"),
    "strings": ('printf("a // b {%d}\\n", n);', 'printf("a // b {%d}\\n", n);'),
    "reference": ("float &r = x[0];", "[[cuda::reference]] float r = x[0];"),
    "inferred reference": (
        "const auto &r = x[0];",
        "[[cuda::reference]] const auto r = x[0];",
    ),
    "reference among others": (
        "float &r = x[0], s = 1, &t = x[1];",
        "[[cuda::reference]] float r = x[0]; float s = 1; [[cuda::reference]] float t = x[1];",
    ),
    "inferred pointer": ("auto *p = &x[1];", "auto p = &x[1];"),
    "type of": ("decltype(n) m = 1;", "typeof(n) m = 1;"),
    "largest": ("float m = std::numeric_limits<float>::max();", "float m = 3.402823466e+38f;"),
    "same type": ("n = std::is_same<int, float>::value;", "n = false;"),
    "alias": ("using T = float; T v = 1;", "typedef float T; T v = 1;"),
    "empty assembly": ('asm volatile("" ::: "memory");', ";"),
    "initialiser in if": ("if (int i = n; i > 3) n = 1;", "{ int i = n; if (i > 3) n = 1; }"),
    "assertion": ('static_assert(sizeof(int) == 4, "int"); n = 1;', " n = 1;"),
    "fall through": ("switch (n) { case 1: [[fallthrough]]; default: ; }", None),
    "go to": ("again: if (n--) goto again;", "again: if (n--) goto again;"),
}


@pytest.mark.parametrize(("source", "expected"), STATEMENTS.values(), ids=STATEMENTS)
def test_statements(source: str, expected: str | None) -> None:
    if expected is None:
        expected = source.replace("[[fallthrough]]", "")
    assert statement(source) == expected


def test_references_without_blanks() -> None:
    text = (
        "template <typename T> struct V { T a; };\n"
        "__device__ void f(const V<int>&v,V<int>&&w) { }\n"
        "__global__ void k(int *x) { V<int> v{x[0]}; const V<int>&r=v; f(r, V<int>{1}); }"
    )
    assert item(text, "f") == (
        "[[cuda::device]] void f([[cuda::reference]] const V__int v,[[cuda::reference]] V__int w) { }"
    )
    assert "[[cuda::reference]] const V__int r=v;" in item(text, "k")


def test_reference_parameters() -> None:
    source = "__device__ void f(float &a, const int &b, float (&c)[4], float *&p) {}\n"
    kernel = "__global__ void k(float *x) { float c[4]; f(x[0], 3, c, x); }"
    assert item(source + kernel, "f") == (
        "[[cuda::device]] void f([[cuda::reference]] float a, [[cuda::reference]] const int b, "
        "[[cuda::reference]] float (c)[4], [[cuda::reference]] float *p) {}"
    )


def test_default_arguments_are_filled_in() -> None:
    before = "__device__ float f(float a, float t = 0.5f, int n = 2) { return a * t * n; }"
    assert statement("x[0] = f(x[0]) + f(x[1], 1);", before) == (
        "x[0] = f(x[0], 0.5f, 2) + f(x[1], 1, 2);"
    )


def test_result_types() -> None:
    before = (
        "__device__ auto f(float a) -> float2 { return {a, a}; }\n"
        "__device__ const float &g(const float &a) { return a; }\n"
    )
    text = before + "__global__ void k(float2 *x) { x[0] = f(g(1)); }"
    assert item(text, "f") == "[[cuda::device]] float2 f(float a) { return (float2){a, a}; }"
    assert item(text, "g") == (
        "[[cuda::device]] const float g([[cuda::reference]] const float a) { return a; }"
    )


def test_overloads_by_number_of_arguments() -> None:
    before = (
        "__device__ float f(float a) { return a; }\n"
        "__device__ float f(float a, float b) { return a + b; }\n"
    )
    assert statement("x[0] = f(x[0]) + f(x[0], 2);", before) == "x[0] = f__1(x[0]) + f__2(x[0], 2);"


def test_overloads_by_type() -> None:
    before = (
        "__device__ float f(float a) { return a; }\n__device__ float2 f(float2 a) { return a; }\n"
    )
    assert statement("float2 v; v = f(v); x[0] = f(x[0]);", before) == (
        "float2 v; v = f__float2(v); x[0] = f__float(x[0]);"
    )


def test_overloads_that_cannot_be_told_apart() -> None:
    before = "__device__ int f(int a) { return a; }\n__device__ int f(long a) { return a; }\n"
    kernel = "__global__ void k(int *x) { x[0] = f(unknown()); }"
    assert messages(before + kernel) == ["3:36 K202 the overloaded function 'f' is not supported"]


def test_namespaces() -> None:
    source = (
        "namespace a { __device__ float f(float v) { return v; }\n"
        "__global__ void k(float *x) { x[0] = f(x[0]) + b::f(1) + a::f(2); } }\n"
        "namespace b { __device__ float f(float v) { return 2 * v; } }\n"
    )
    assert "x[0] = a__f(x[0]) + b__f(1) + a__f(2);" in output(source)


def test_a_namespace_alone_leaves_names_as_they_are() -> None:
    source = "namespace a { __device__ float f(float v) { return v; } }\nusing namespace a;\n"
    assert statement("x[0] = f(1) + a::f(2);", source) == "x[0] = f(1) + f(2);"


def test_overloads_stand_beside_functions_of_cuda() -> None:
    before = (
        "__device__ float2 fmaxf(float2 a, float2 b) "
        "{ return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }\n"
        "__device__ int2 min(int2 a, int2 b) { return make_int2(min(a.x, b.x), min(a.y, b.y)); }"
    )
    code = "float2 v = make_float2(0, 0); v = fmaxf(v, v); x[0] = fmaxf(x[1], v.x) + min(n, 3);"
    assert statement(code, before) == (
        "float2 v = make_float2(0, 0); v = fmaxf__2(v, v); x[0] = fmaxf(x[1], v.x) + min(n, 3);"
    )
