"""One function for each instantiation in use."""

from __future__ import annotations

import pytest
from simplifying import item, messages, names, output, statement

HORNER = "template <typename T, int DEGREE> __global__ void k(const T *x, T *y, int n) { T r = DEGREE; }\n"
AS_FLOAT_512 = (
    '[[cuda::global]] [[cuda::instance("k<float, 512>")]]\n'
    "void k__float_512(const float *x, float *y, int n) { float r = 512; }"
)


def test_explicit_instantiation() -> None:
    text = HORNER + "template __global__ void k<float, 512>(const float *, float *, int);"
    assert output(text) == AS_FLOAT_512


def test_launch_with_arguments() -> None:
    assert item(HORNER + "void h() { k<float, 512><<<1, 2>>>(x, y, 3); }", "k__float_512") == (
        AS_FLOAT_512
    )


def test_values_are_computed() -> None:
    assert names(HORNER + "void h() { k<float, (1 << 8) * 2><<<1, 2>>>(x, y, 3); }")[0] == (
        "k__float_512"
    )


def test_nothing_instantiates_it() -> None:
    assert output(HORNER) == (
        '[[cuda::global]] [[cuda::assumed("T = float")]]\n'
        "void k(const float *x, float *y, int n, [[cuda::template_value]] int DEGREE) "
        "{ float r = DEGREE; }"
    )


DEDUCED = {
    "pointer": ("double *p", "p, p", "k__double"),
    "const pointer": ("const float *p; float *q", "p, q", "k__float"),
    "offset": ("float *p", "p + 4, p", "k__float"),
    "address": ("float p[8]", "&p[1], p", "k__float"),
    "cast": ("void *p", "(half *)p, q", "k__half"),
    "alias": ("typedef float real; real *p", "p, p", "k__float"),
}


@pytest.mark.parametrize(("declared", "passed", "name"), DEDUCED.values(), ids=DEDUCED)
def test_deduced_from_a_launch(declared: str, passed: str, name: str) -> None:
    head, _, local = declared.rpartition("typedef float real;")
    template = "template <typename T> __global__ void k(const T *x, T *y) { }\n"
    text = f"{head}{_}\n{template}void h() {{ {local}; k<<<1, 2>>>({passed}); }}"
    assert name in names(text)


def test_deduced_from_values() -> None:
    template = "template <typename T> __global__ void k(T a) { }\n"
    text = template + "void h(long m) { k<<<1, 2>>>(1.0f); k<<<1, 2>>>(2); k<<<1, 2>>>(m); }"
    assert names(text)[:3] == ["k__float", "k__int", "k__long"]


def test_what_cannot_be_deduced_is_assumed() -> None:
    template = "template <typename T> __global__ void k(T *x) { }\n"
    assert names(template + "void h() { k<<<1, 2>>>(get()); }") == ["k", "launch__1"]


def test_default_arguments() -> None:
    template = (
        "template <typename T = double, int N = 2 * 4> __global__ void k(T *x) { x[0] = N; }\n"
    )
    assert names(template + "template __global__ void k<float>(float *);") == ["k__float_8"]


def test_instantiation_leaves_arguments_to_be_deduced() -> None:
    template = "template <typename T> __global__ void k(const T *x) { }\n"
    assert names(template + "template __global__ void k(const double *);") == ["k__double"]


def test_calls_instantiate_in_turn() -> None:
    before = (
        "template <typename T, int N> __device__ T f(T x) { return x * N; }\n"
        "template <typename T> __global__ void k(T *x) { x[0] = f<T, 4>(x[0]) + f<float, 2>(1); }\n"
        "template __global__ void k<double>(double *);\n"
    )
    text = output(before)
    assert "x[0] = f__double_4(x[0]) + f__float_2(1);" in text
    assert (
        '[[cuda::instance("f<double, 4>")]]\ndouble f__double_4(double x) { return x * 4; }' in text
    )


def test_a_placeholder_passed_on_is_deduced_again() -> None:
    before = (
        "template <int N, typename T> __device__ T f(T x) { return x * N; }\n"
        "template <typename T> __device__ T g(T x) { return f<3, T>(x) + f<2>(x); }\n"
    )
    text = output(before + "__global__ void k(float *x) { x[0] = g(unknown(x[0])); }")
    assert "[[cuda::device]] g__T g(g__T x) { return f__3(x) + f__2(x); }" in text
    assert "[[cuda::device]] f__3__T f__3(f__3__T x) { return x * 3; }" in text


def test_deduced_calls_have_an_instance_for_their_types() -> None:
    before = "template <typename T> __device__ T square(T x) { return x * x; }"
    text = output(before + "__global__ void k(float *x) { x[0] = square(x[0]) + square(1); }")
    assert "float square__float(float x) { return x * x; }" in text
    assert "int square__int(int x) { return x * x; }" in text
    assert "x[0] = square__float(x[0]) + square__int(1);" in text


def test_deduced_calls_stay_generic_for_values_of_an_unknown_type() -> None:
    before = "template <typename T> __device__ T square(T x) { return x * x; }"
    text = output(before + "__global__ void k(float *x) { x[0] = square(unknown(x[0])); }")
    assert text.splitlines()[:3] == [
        "typedef deduced__ square__T;",
        "",
        "[[cuda::device]] square__T square(square__T x) { return x * x; }",
    ]


def test_a_type_that_no_parameter_shows() -> None:
    before = "template <typename T> __device__ T zero() { return T(0); }\n"
    text = before + "template <typename T> __global__ void k(T *x) { x[0] = zero<T>(); }\n"
    text += "template __global__ void k<double>(double *);"
    assert "double zero__double() { return ((double)(0)); }" in output(text)


def test_the_size_of_an_array() -> None:
    before = "template <int N> __device__ float f(const float (&v)[N]) { return v[N - 1]; }"
    assert statement("float a[2 * 4]; x[0] = f(a);", before) == "float a[2 * 4]; x[0] = f__8(a);"


def test_values_that_are_not_known_are_passed() -> None:
    text = output(
        "template <int N> __device__ float f(float x) { return x * N; }\n"
        "template <int M> __global__ void k(float *x) { x[0] = f<M + 1>(x[0]); }\n"
    )
    assert "void k(float *x, [[cuda::template_value]] int M) { x[0] = f__N(x[0], M + 1); }" in text
    assert "float f__N(float x, [[cuda::template_value]] int N) { return x * N; }" in text


def test_explicit_specialisation() -> None:
    text = (
        "template <typename T> __global__ void k(T *x) { x[0] = 1; }\n"
        "template <> __global__ void k<double>(double *x) { x[0] = 2; }\n"
        "template __global__ void k<float>(float *);\n"
    )
    assert "void k__double(double *x) { x[0] = 2; }" in output(text)
    assert names(text) == ["k__float", "k__double"]


CONSTEXPR = {
    "taken": ("if constexpr (N > 3) n = 1; else n = 2;", "if (4 > 3) n = 1;"),
    "not taken": ("if constexpr (N < 3) n = f(); else n = 2;", "if (4 < 3) { } else n = 2;"),
    "open": ("if constexpr (sizeof(n) > 3) n = 1;", "if (sizeof(n) > 3) n = 1;"),
    "pragma": ("#pragma unroll N\nfor (;;) ;", "[[cuda::unroll(4)]]\nfor (;;) ;"),
    "bounds": ("", ""),
}


@pytest.mark.parametrize(("source", "expected"), CONSTEXPR.values(), ids=CONSTEXPR)
def test_values_in_bodies(source: str, expected: str) -> None:
    text = (
        f"template <int N> __global__ void __launch_bounds__(N * 32) k(int n) {{\n{source}\n}}\n"
        "template __global__ void k<4>(int);"
    )
    found = item(text, "k__4")
    assert "[[cuda::launch_bounds(128)]]" in found
    assert found[found.index("{\n") + 2 : found.rindex("\n}")] == expected


def test_recursion_over_a_value_ends() -> None:
    text = (
        "template <int N> __device__ int f() { if constexpr (N > 0) return f<N / 2>(); else return 0; }\n"
        "__global__ void k(int *x) { x[0] = f<4>(); }"
    )
    assert names(text) == ["f__4", "f__2", "f__1", "f__0", "k"]


def test_recursion_without_end() -> None:
    text = "template <int N> __device__ int f() { return f<N + 1>(); }\n"
    found = messages(text + "__global__ void k(int *x) { x[0] = f<0>(); }")
    assert found == ["1:18 K302 'f' has more than 1000 instances"]


LOST = {
    "pack": (
        "template <typename... A> __global__ void k(A... a) { }",
        "1:26 K206 no launch in the file says what the pack 'A' stands for",
    ),
    "template": (
        "template <template <class> class C> __global__ void k() { }",
        "1:37 K206 no launch in the file says which template 'C' stands for",
    ),
    "member": (
        "template <typename T> __global__ void k() { int n = T::size; }",
        "1:53 K206 what 'T' stands for is not known, and 'T::size' depends on it",
    ),
    "argument": (
        "template <int N> __device__ int f() { return N; }\n__global__ void k() { f(); }",
        "2:23 K206 template argument 'N' of 'f' cannot be deduced",
    ),
}


@pytest.mark.parametrize(("source", "message"), LOST.values(), ids=LOST)
def test_lost(source: str, message: str) -> None:
    assert messages(source) == [message]


def test_types_stand_behind_the_instances_they_are_made_of() -> None:
    text = (
        "template <typename F, typename... Fs> struct C { F f; C<Fs...> rest; };\n"
        "template <typename F> struct C<F> { F f; };\n"
        "struct A { };\n"
        "template <class O> __global__ void k(float *x, O op) { x[0] = 1; }\n"
        "void h(float *x) { C<A, A, A> c{}; k<<<1, 1>>>(x, c); }"
    )
    found = [name for name in names(text) if name.startswith(("A", "C"))]
    assert found == ["A", "C__A", "C__A_A", "C__A_A_A"]
    output(text)


CONDITIONAL = {
    "std::conditional_t<std::is_same_v<T, float>, double, T>": ("double", "unsigned"),
    "typename std::conditional<(N > 2), float, double>::type": ("float", "double"),
    "std::conditional_t<std::is_integral_v<T>, int, T>": ("float", "int"),
    "std::conditional_t<std::is_same<T, uint32_t>::value, long, char>": ("char", "long"),
    "std::conditional_t<std::is_floating_point<T>::value && N == 4, T, int>": ("float", "int"),
}


@pytest.mark.parametrize(("written", "types"), CONDITIONAL.items())
def test_conditional_types(written: str, types: tuple[str, str]) -> None:
    text = (
        f"template <typename T, int N> __global__ void k(T *x) {{ {written} v = 0; }}\n"
        "template __global__ void k<float, 4>(float *);\n"
        "template __global__ void k<unsigned, 1>(unsigned *);"
    )
    for name, meant in zip(("k__float_4", "k__unsigned_1"), types, strict=True):
        assert item(text, name).endswith(f"{{ {meant} v = 0; }}")
