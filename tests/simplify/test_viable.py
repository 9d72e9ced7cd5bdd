"""Which functions a call can mean: by explicit template arguments, and by deduction.

The functions chosen are those that g++ chooses.
"""

from __future__ import annotations

import pytest
from simplifying import output

_H = (
    "template <class T> __device__ int h(T x) { return 2; }\n"
    "template <class T> __device__ int h(T *x) { return 3; }\n"
    "__device__ int h(int x) { return 5; }\n"
    "template <> __device__ int h<unsigned>(unsigned) { return 7; }\n"
)
_TWO = (
    "template <class T, class U> __device__ int h(T, U) { return 6; }\n"
    "template <class T> __device__ int h(T, T) { return 8; }\n"
    "template <class T> __device__ int h(const T *, T) { return 9; }\n"
    "template <class T> struct V { T x; };\n"
    "template <class T, class U> __device__ int v(V<T>, U) { return 1; }\n"
    "template <class T> __device__ int v(V<T>, T) { return 2; }\n"
)
_KINDS = (
    "template <class T> __device__ int h(int x) { return sizeof(T); }\n"
    "template <int N> __device__ int h(int x) { return N; }\n"
    "template <int N, int M> __device__ int h(int x) { return N + M; }\n"
    "struct S {\n"
    "    int n;\n"
    "    __device__ int g(int x) const { return 1; }\n"
    "    template <class T> __device__ int g(T x) const { return 2; }\n"
    "};\n"
)


def _called(before: str, call: str) -> str:
    """What a call becomes in a kernel."""
    text = output(
        f"{before}__global__ void k(const float *a, int *o, int i, unsigned w, short s)\n{{\n"
        f"    o[0] = {call};\n}}\n"
    )
    line = next(line for line in text.splitlines() if line.startswith("    o[0]"))
    return line.removeprefix("    o[0] = ").partition("(")[0]


@pytest.mark.parametrize(
    ("call", "chosen"),
    [
        ("h(i)", "h__int"),
        ("h<int>(i)", "h__T__int"),
        ("h<>(i)", "h__T__int"),
        ("h<unsigned>(i)", "h__T__unsigned"),
        ("h(w)", "h__T__unsigned_int"),
        ("h(s)", "h__T__short"),
        ("h(s + s)", "h__int"),
        ("h(a)", "h__Tp__const_float"),
        ("h<const float>(a)", "h__Tp__const_float"),
        ("h(1.0)", "h__T__double"),
    ],
)
def test_explicit_arguments_leave_templates_only(call: str, chosen: str) -> None:
    assert _called(_H, call) == chosen


@pytest.mark.parametrize(
    ("call", "chosen"),
    [
        ("h(1, 2u)", "h__T_U"),
        ("h(1, 2)", "h__T_T"),
        ("h(s, s + s)", "h__T_U"),
        ("h(s + 1, i)", "h__T_T"),
        ("h<float>(1, 2u)", "h__T_U__float"),
        ("h(a, 1.f)", "h__Tp_T"),
        ("h(a, 1.0)", "h__T_U"),
        ("v(V<float>{1.f}, 1.f)", "v__V_T__T"),
        ("v(V<float>{1.f}, 1)", "v__V_T__U"),
    ],
)
def test_contradictions_reject_a_template(call: str, chosen: str) -> None:
    assert _called(_TWO, call).startswith(chosen)


@pytest.mark.parametrize(
    ("call", "chosen"),
    [
        ("h<int>(i)", "h__int__int"),
        ("h<3>(i)", "h__int_2__3"),
        ("h<3, 4>(i)", "h__int_3__3_4"),
        ("S{1}.g(i)", "S__g__int"),
        ("S{1}.g<int>(i)", "S__g__T__int"),
        ("S{1}.g<>(s)", "S__g__T__short"),
        ("S{1}.g(s)", "S__g__T__short"),
    ],
)
def test_types_and_values_are_told_apart(call: str, chosen: str) -> None:
    assert _called(_KINDS, call) == chosen


def test_templates_that_call_overloads_have_an_instance_for_each_call_s_types() -> None:
    text = output(
        f"{_TWO}template <class T> __device__ int g(T x) {{ return h(x, 1); }}\n"
        "template <class T> __device__ int f(T x) { return g(x * 2); }\n"
        "__global__ void k(int *o, short s) { o[0] = f(2.f) + f(s) + g(s); }\n"
    )
    assert "o[0] = f__float(2.f) + f__short(s) + g__short(s);" in text
    assert "f__float(float x) { return g__float(x * 2); }" in text
    assert "f__short(short x) { return g__int(x * 2); }" in text
    assert "g__float(float x) { return h__T_U__float_int(x, 1); }" in text
    assert "g__int(int x) { return h__T_T__int(x, 1); }" in text
    assert "g__short(short x) { return h__T_U__short_int(x, 1); }" in text


def test_launches_of_overloaded_kernels() -> None:
    text = output(
        "template <class T> __global__ void k(T *a, T *b) { a[0] = b[0]; }\n"
        "template <class T, class U> __global__ void k(T *a, U *b) { a[0] = b[1]; }\n"
        "__global__ void h(float *a) { a[0] = 1; }\n"
        "template <class T> __global__ void h(T *a) { a[0] = 2; }\n"
        "void run(float *a, double *b)\n{\n"
        "    k<<<1, 1>>>(a, b);\n    k<<<1, 2>>>(a, a);\n"
        "    h<float><<<1, 3>>>(a);\n    h<<<1, 4>>>(a);\n}\n"
    )
    launches = [line.strip() for line in text.splitlines() if "__launch(" in line]
    assert [one.partition(", 0,")[0] for one in launches] == [
        "k__Tp_Up__float_double__launch(1, 1",
        "k__Tp_Tp__float__launch(1, 2",
        "h__Tp__float__launch(1, 3",
        "h__floatp__launch(1, 4",
    ]


def test_a_concept_s_parameter_is_a_type() -> None:
    text = output(
        "template <typename T> concept Scalar = true;\n"
        "template <Scalar T, int N> __global__ void k(T *x) { x[0] = x[N]; }\n"
        "void run(float *x) { k<float, 4><<<1, 32>>>(x); }\n"
    )
    assert "k__float_4__launch(1, 32, 0, unknown__);" in text


def test_an_inferred_result_is_that_of_each_call_s_types() -> None:
    text = output(
        "template <class T> __device__ auto f(T x, int n) { return x * n; }\n"
        "__global__ void k(float *x, short s) { x[0] = f(x[1], 2) + f(s, 2); }\n"
    )
    assert "float f__float(float x, int n)" in text
    assert "int f__short(short x, int n)" in text
