"""What has no rule is left out, with its name and place; the rest stays."""

from __future__ import annotations

import pytest
from simplifying import messages, names, simplified

from estimator.simplify.unit import ItemKind

STATEMENTS = {
    "capture": ("auto v = g(); auto f = [=](int a) { return v; };", "2:28", "captures 'v'"),
    "result": ("auto f = [](int a) { return g(); }; f(3);", "2:14", "a lambda whose result"),
    "method": ("v.spin();", "2:5", "the call of a member function, 'v.spin',"),
    "method of a pointer": ("v->f(3);", "2:5", "the call of a member function, 'v->f',"),
    "new": ("int *p = new int[3];", "2:14", "'new'"),
    "range": ("for (int v : x) n += v;", "2:5", "a range-based 'for'"),
    "binding": ("auto [a, b] = v;", "2:10", "a structured binding"),
    "launch": ("k<<<1, 2>>>(x, n);", "2:6", "a launch inside a kernel"),
    "fragment": ("wmma::fragment<int> a;", "2:5", "'wmma::fragment<int>'"),
    "object": ("float (*g)(float) = 0; int h = 0; h(n);", "2:39", "the call of an object, 'h',"),
    "braced argument": ("f({1, 2});", "2:7", "a braced argument"),
    "dependent": ("typename A::type v;", "2:5", "a type that depends on a template parameter"),
}


@pytest.mark.parametrize(("source", "place", "construct"), STATEMENTS.values(), ids=STATEMENTS)
def test_statements(source: str, place: str, construct: str) -> None:
    (found,) = messages(f"__global__ void k(float *x, int n) {{\n    {source}\n}}")
    assert found.startswith(f"{place} K202 ")
    assert construct in found


def test_the_other_kernels_stay() -> None:
    text = (
        "__global__ void a(int *x) { x[0] = 1; }\n"
        "__global__ void b(int *x) { x.f(); }\n"
        "__global__ void c(int *x) { x[0] = 3; }\n"
    )
    assert names(text) == ["a", "c"]
    (lost,) = simplified(text).lost
    assert (lost.kind, lost.name) == (ItemKind.KERNEL, "b")


def test_a_lost_function_is_named_once() -> None:
    text = (
        "__device__ int f(int n) { return *new int; }\n"
        "__global__ void a(int *x) { x[0] = f(1); }\n__global__ void b(int *x) { x[0] = f(2); }\n"
    )
    assert names(text) == ["a", "b"]
    assert [(lost.kind, lost.name) for lost in simplified(text).lost] == [(ItemKind.FUNCTION, "f")]
    assert messages(text) == ["1:35 K202 'new' is not supported"]


def test_nothing_is_said_of_what_no_kernel_needs() -> None:
    text = (
        "__device__ float2 operator+(float2 a, float2 b) { return a; }\n"
        "__device__ int f(int n) { return new int; }\n"
        "class Host { public: void run() { try { throw 1; } catch (...) { } } };\n"
        "int main() { auto f = [](auto... a) { return (a + ...); }; for (auto v : f) delete v; }\n"
        "__global__ void k(int *x) { x[0] = 1; }\n"
    )
    assert messages(text) == []


def test_functions_of_objects_of_types_that_are_not_known() -> None:
    text = "__global__ void k(float *o, Shape z) { o[0] = z.area(2.0f); }"
    assert messages(text) == [
        "1:47 K204 'Shape' is not known as a type, and 'z.area' is a function of it"
    ]
    known = "struct Shape { float w; };\n" + text
    assert messages(known) == [
        "2:47 K202 the call of a member function, 'z.area', is not supported"
    ]


@pytest.mark.parametrize("base", ["Unknown", "Unknown<T>"])
def test_a_base_that_is_not_known_loses_every_kernel(base: str) -> None:
    text = f"template <typename T> struct B : {base} {{ float v; }};\n"
    text += "struct D : B<int> { float w; };\n"
    for name, type_ in (("a", "B<int>"), ("b", "B<int>"), ("c", "D"), ("d", "D")):
        text += f"__global__ void {name}(float *x) {{ {type_} b; b.v = 2; x[0] = b.v; }}\n"
    assert names(text) == []
    assert {one.name for one in simplified(text).lost} == {"B__int", "D", "a", "b", "c", "d"}


def test_long_lists_are_not_written_out() -> None:
    text = (
        "__global__ void a(float *x) { std::array<float, 2147483647> v = {{x[0]}};"
        " auto [p, q] = v; x[0] = p; }\n"
    )
    assert messages(text) == [
        "1:80 K202 a structured binding of a value of unknown type is not supported"
    ]


def test_bases_of_bases_without_end() -> None:
    text = (
        "template <int... I> struct S {};\n"
        "template <int N, int... I> struct M : M<N - 1, N - 1, I...> {};\n"
        "template <int... I> struct M<0, I...> { typedef S<I...> type; };\n"
        "__global__ void k(float *x) { M<2147483647>::type t; x[0] = 1; }\n"
    )
    (found,) = messages(text)
    assert "'M' has instances without end" in found
    never = text.replace("template <int... I> struct M<0", "template <int... I> struct L<0")
    assert any("'M' has instances without end" in one for one in messages(never))


def test_values_of_values_without_end() -> None:
    text = (
        "template <int N> __device__ int f() { return N * f<N - 1>(); }\n"
        "__global__ void k(int *x) { x[0] = f<M>(); }\n"
    )
    assert messages(text) == [
        "1:18 K302 'f' has instances without end, each named by the one before"
    ]


def test_members_of_very_many_elements() -> None:
    """A find of the fuzzer."""
    text = (
        "struct A { int x[1 << 30]; __device__ A(float a) { } };\n"
        "__global__ void k(int *x) { A a(1.0f); x[0] = a.x[1]; }\n"
    )
    assert messages(text) == []
    many = text.replace("x[1 << 30]", "x[1 << 30] = {1, 2}")
    assert len(simplified(many).text) < 5000
