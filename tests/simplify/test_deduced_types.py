"""Types that calls deduce choose specialisations, sizes and overloads as written ones do."""

from __future__ import annotations

import pytest
from simplifying import messages, output

from estimator.simplify.mask import mask

_CNT = (
    "template <class T> struct cnt { static const int n = 1; };\n"
    "template <> struct cnt<float> { static const int n = 2; };\n"
    "template <> struct cnt<double> { static const int n = 3; };\n"
    "template <> struct cnt<int> { static const int n = 4; };\n"
    "template <> struct cnt<char> { static const int n = 5; };\n"
    "template <> struct cnt<long> { static const int n = 6; };\n"
    "template <> struct cnt<bool> { static const int n = 7; };\n"
    "template <class T> struct cnt<T *> { static const int n = 8; };\n"
)
_F = _CNT + "template <class T> __device__ int f(T v) { return cnt<T>::n; }\n"
_S = "struct S { float m; char c; double *p; float held[4]; };\n"


def kernel(body: str) -> str:
    return f"__global__ void k(float *x, double d, char c, int n, S s) {{ {body} }}"


@pytest.mark.parametrize(
    ("argument", "instance"),
    [
        ("x[0]", "float"),
        ("x", "float_p"),
        ("x + n", "float_p"),
        ("&d", "double_p"),
        ("s.m", "float"),
        ("s.p", "double_p"),
        ("s.held", "float_p"),
        ("c", "char"),
        ("-c", "int"),
        ("c + c", "int"),
        ("1", "int"),
        ("2.f", "float"),
        ("2.0", "double"),
        ("x[0] * 2", "float"),
        ("x[0] * 2.0", "double"),
        ("n < 3", "bool"),
        ("n ? x[0] : d", "double"),
        ("(char)n", "char"),
        ("static_cast<double>(n)", "double"),
        ("sqrtf(x[0])", "float"),
        ("fmod(x[0], 2.0)", "double"),
        ("fmod(x[0], 2.f)", "float"),
        ("ldexp(x[0], 2)", "float"),
        ("lrintf(x[0])", "long"),
        ("isnan(d)", "bool"),
        ("id(x[0])", "float"),
    ],
)
def test_the_type_of_an_argument(argument: str, instance: str) -> None:
    before = _S + _F + "template <class T> __device__ T id(T v) { return v; }\n"
    text = output(before + kernel(f"x[1] = f({argument});"))
    assert f"int f__{instance}(" in text
    assert "deduced__" not in text


def test_a_pointer_that_nothing_writes_through_keeps_its_const() -> None:
    before = _CNT + "template <class T> __device__ int f(T *v) { return cnt<T>::n; }\n"
    text = output(before + "__global__ void k(const float *x, int *y) { y[0] = f(x) + f(y); }")
    assert "return cnt__const_float__n; }" in text  # the template: no specialisation is for it
    assert "return cnt__int__n; }" in text


def test_an_array_passed_as_a_whole_has_a_type_without_a_name() -> None:
    before = "template <class T> __device__ float f(T &v) { return v[0] + sizeof(T); }\n"
    text = output(before + "__global__ void k(float *x) { float s[4]; x[0] = f(s) + f(x); }")
    assert "float f([[cuda::reference]] f__T v)" in text
    assert "float f__float_p([[cuda::reference]] float * v)" in text
    assert "x[0] = f(s) + f__float_p(x);" in text


def test_decltype_as_a_template_argument() -> None:
    text = output(
        _CNT + "__global__ void k(float *x) { auto v = x[0]; x[1] = cnt<decltype(v)>::n; }"
    )
    assert "x[1] = cnt__float__n;" in text


def test_decltype_outside_functions() -> None:
    before = (
        "using A = decltype(float() + double());\n"
        "template <class T> struct P { T a; using C = decltype(T() + 1.f); };\n"
    )
    text = output(before + "__global__ void k(A *x) { P<double>::C c = 1; x[0] = c; }")
    assert "typedef double A;" in text
    assert "double c = 1;" in text


def test_decltype_behind_an_arrow_and_in_aliases() -> None:
    before = "template <class T> __device__ auto f(T v) -> decltype(v + 1.f) { return v + 1.f; }\n"
    body = "using W = decltype(f(d)); W w = f(n); auto g = [](auto p) -> decltype(p + 1.0) { return p; };"
    text = output(
        f"{before}__global__ void k(double *x, double d, int n) {{ {body} x[0] = g(n) + w; }}"
    )
    assert "float f__int(int v) { return v + 1.f; }" in text
    assert "typedef double W; W w = f__int(n);" in text
    assert "double lambda__1__call__int(" in text


@pytest.mark.parametrize("made", ["typename tag<T>::type()", "typename tag<T>::type{}"])
def test_a_tag_that_a_trait_gives(made: str) -> None:
    before = (
        "struct A {}; struct B {};\n"
        "template <class T> struct tag { using type = A; };\n"
        "template <> struct tag<double> { using type = B; };\n"
        "__device__ float im(float v, A) { return v + 1; }\n"
        "__device__ float im(float v, B) { return v * 2; }\n"
        f"template <class T> __device__ float f(T v) {{ return im(v, {made}); }}\n"
    )
    text = output(before + "__global__ void k(float *x, double d) { x[0] = f(x[1]) + f(d); }")
    assert "float f__float(float v) { return im__float_A(v, (A){}); }" in text
    assert "float f__double(double v) { return im__float_B(v, (B){}); }" in text


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("f(typename T<int>::u(1))", "f(         T<int>::u(1))"),
        ("return typename A::B{};", "return         A::B{};"),
        ("a + typename A<B<C>>::D()", "a +         A<B<C>>::D()"),
        ("void f(typename A::B (&x)[3])", None),
        ("template <class T, class U = typename A<T>::B>", None),
        ("f(typename A::B x, typename A::C)", None),
        ("auto f() -> typename A::B { }", None),
        ("typename A::B (*f)();", None),
    ],
)
def test_typename_in_front_of_values_is_not_read(text: str, parsed: str | None) -> None:
    assert " ".join(mask(text).parsed.split()) == " ".join((parsed or text).split())


_OPEN = "what 'T' stands for is not known, and '{}' depends on it"


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        ("template <class T> __device__ int f(T v) { return cnt<T>::n; }", "cnt<T>"),
        ("template <class T> __device__ int f(T v) { return sizeof(T); }", "sizeof(T)"),
        ("template <class T, int N = sizeof(T)> __device__ int f(T v) { return N; }", "N"),
        ("template <class T, int N = cnt<T>::n> __device__ int f(T v) { return N; }", "cnt<T>"),
        (
            "template <class T> struct W { T v; __device__ T get() { return v; } };"
            "template <class T> __device__ int f(T v) { W<T> w{v}; return w.get(); }",
            "W<T>",
        ),
    ],
)
def test_what_depends_on_an_unknown_type_is_refused(function: str, shown: str) -> None:
    found = messages(f"{_CNT}{function}\n__global__ void k(int *x) {{ x[0] = f(unknown(1)); }}")
    assert [one.partition(" ")[2] for one in found] == ["K206 " + _OPEN.format(shown)]


def test_members_of_an_unknown_type_are_counted() -> None:
    before = (
        "template <class T> struct P { T v; };\n"
        "template <class T> __device__ P<T> f(T v) { return {v}; }\n"
    )
    text = output(before + "__global__ void k(int *x) { x[0] = f(unknown(1)).v; }")
    assert "typedef struct P__f__T { f__T v; } P__f__T;" in text


@pytest.mark.parametrize("argument", ["x[0]", "*x", "(v)", "r", "++v", "unknown(v)"])
def test_decltype_of_what_may_be_a_reference_is_refused(argument: str) -> None:
    body = f"float v = x[0]; float &r = v; x[1] = cnt<decltype({argument})>::n + r;"
    (found,) = messages(f"{_CNT}__global__ void k(float *x) {{ {body} }}")
    assert f"K206 what 'decltype({argument})' stands for is not known here" in found


def test_what_is_forwarded_may_be_a_reference() -> None:
    function = "template <class T> __device__ int f(T &&v) { return cnt<T>::n; }\n"
    (found,) = messages(f"{_CNT}{function}__global__ void k(float *x) {{ x[1] = f(x[0]); }}")
    assert "K206 whether 'T' stands for a reference is not known, and 'cnt<T>' depends" in found
