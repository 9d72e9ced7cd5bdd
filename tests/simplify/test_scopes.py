"""Names that several namespaces or classes define: each use means the one that C++ means."""

from __future__ import annotations

import pytest
from simplify.simplifying import item, messages, output, simplified

TWO = """
namespace a { constexpr int N = 3; typedef float real; enum E { RED = 2 }; struct P { int v; int f(); };
              __constant__ int lim; namespace in { constexpr int N = 30; } }
namespace b { constexpr int N = 5; using real = double; enum E { RED = 9 }; struct P { float v; };
              __constant__ int lim; }
namespace other = a::in;
"""
HEAD = "__global__ void k(int *x) {{ {} }}"

USES = {
    "constants": ("x[0] = a::N + b::N;", "x[0] = a__N + b__N;"),
    "enumerators": ("x[0] = a::RED + b::RED;", "x[0] = a__RED + b__RED;"),
    "aliases": ("a::real r; b::real s;", "a__real r; b__real s;"),
    "classes": ("a::P p; b::P q;", "a__P p; b__P q;"),
    "variables": ("x[0] = a::lim + b::lim;", "x[0] = a__lim + b__lim;"),
    "another name of a namespace": ("x[0] = other::N;", "x[0] = a_in__N;"),
    "an open namespace": ("using namespace b; x[0] = N;", "{  x[0] = b__N; }"),
    "a name taken over": ("using b::N; x[0] = N;", "{  x[0] = b__N; }"),
    "the innermost block": ("using namespace b; { using a::N; x[0] = N; }", "{  x[0] = a__N; } }"),
    "a variable of the function": ("int N = 2; x[0] = N;", "int N = 2; x[0] = N;"),
    "a member": ("struct L { int N; }; L l; x[0] = l.N;", "x[0] = l.N;"),
    "a variable of a loop": ("for (int N = 0; N < a::N; N++) x[N] = 1;", "N < a__N; N++) x[N] = 1;"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), USES.values(), ids=USES)
def test_uses(body: str, expected: str) -> None:
    assert expected in item(TWO + HEAD.format(body), "k")


def test_functions_of_a_namespace_mean_its_names() -> None:
    text = """
    namespace a { constexpr int N = 3; __device__ int f() { return N; } __device__ int g(); }
    namespace b { constexpr int N = 5; template <int M = N> __device__ int h() { return M + N; } }
    __device__ int a::g() { return N; }
    constexpr int N = 7;
    __global__ void k(int *x) { x[0] = a::f() + a::g() + b::h() + N + ::N; }"""
    found = output(text)
    assert "int f() { return a__N; }" in found
    assert "int g() { return a__N; }" in found
    assert "int h__b__N() { return b__N + b__N; }" in found
    assert "x[0] = f() + g() + h__b__N() + N + N; }" in found


def test_classes_inside_classes() -> None:
    text = """
    struct A { struct In { int v; }; enum K { X = 3 }; In i; };
    struct B { struct In { float v; }; enum K { X = 8 }; In i; };
    template <typename T> __device__ int f() { typename T::In z; return z.v + T::X; }
    __global__ void k(int *x) { A a; B b; A::In i; x[0] = A::X + B::X + f<A>() + f<B>(); }"""
    found = output(text)
    assert "typedef struct B { B__In i; } B;" in found
    assert "A__In z; return z.v + A__X;" in found
    assert "B__In z; return z.v + B__X;" in found
    assert "A__In i; x[0] = A__X + B__X +" in found


def test_specialisations_of_templates_of_one_name() -> None:
    text = """
    namespace a { template <typename T> struct S { static constexpr int k = 2; };
                  template <> struct S<float> { static constexpr int k = 3; }; }
    namespace b { template <typename T> struct S { static constexpr int k = 4; }; }
    __global__ void k(int *x) { x[0] = a::S<float>::k + b::S<float>::k; }"""
    assert "x[0] = a__S__float__k + b__S__float__k;" in item(text, "k")


def test_launches() -> None:
    text = """
    namespace a { constexpr int B = 64; __global__ void k1(int *x) {} void run(int n) { k1<<<n / B, B>>>(0); } }
    namespace b { constexpr int B = 256; __global__ void k2(int *x) {} void run(int n) { k2<<<n / B, B>>>(0); } }
    """
    found = output(text)
    assert "k1__launch(n / a__B, a__B, 0, nullptr);" in found
    assert "k2__launch(n / b__B, b__B, 0, nullptr);" in found


def test_a_name_that_is_not_seen_is_none() -> None:
    text = TWO + "using namespace a; using namespace b;\n" + HEAD.format("x[0] = N;")
    assert "x[0] = N;" in item(text, "k")


def test_positions_stay_those_of_the_user() -> None:
    before = "namespace a { constexpr int N = 3; } namespace b { constexpr int N = 5; }\n"
    text = before + HEAD.format("x[0] = a::N + a::N; throw 1;")
    assert messages(text)[0].startswith("2:49 ")
    unit = simplified(before + HEAD.format("x[a::N] = a::N;"))
    start = unit.text.index("x[a__N]")
    places = [unit.positions.position(at) for at in (start, start + 2)]
    assert [(one.line, one.column) for one in places] == [(2, 29), (2, 34)]
