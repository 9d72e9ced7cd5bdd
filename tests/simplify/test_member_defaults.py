"""What members start with: values in braces, made of other members, and by inherited constructors."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplify.simplifying import item, messages

from estimator.analysis import analyze

CLASSES = """
struct A { int m; float w; __device__ A(int c) : m(c * 3), w(1) {}
    __device__ A(int c, int d) : m(c + d), w(2) {} };
struct B : A { using A::A; int q = 7; };
struct C : B { using B::B; int r = q + 1; };
struct S { int a; __device__ S(int q) : a(q * 2) {} };
struct T { S s{2}; S t = S(3); int z{4}; int y = z + 1; };
struct U : T { int p = y + z; int o = p * 2; };
struct Base2 { int k = 3; };
struct V : Base2 { int e = k + 1; __device__ V() {} };
struct W { int i; __device__ W() : i(9) {} };
struct X : W { int j; };
struct Agg { int x = 2; S u{5}; int list[3] = {1, 2, 3}; };
struct Y { T t; __device__ Y() : t() {} };
"""
CASES = {
    "inherited constructor": ("B v(4);", "v.m", 12),
    "another one": ("B v(4, 5);", "v.m", 9),
    "in braces": ("B v{6};", "v.m", 18),
    "members of its own": ("B v(4);", "v.q", 7),
    "inherited twice": ("C v(4);", "v.m + 100 * v.q + 1000 * v.r", 12 + 700 + 8000),
    "constructor in braces": ("T v;", "v.s.a", 4),
    "constructor": ("T v;", "v.t.a", 6),
    "of another member": ("T v;", "v.y", 5),
    "of a base's members": ("U v;", "v.p + 100 * v.o", 9 + 1800),
    "in empty braces": ("U v{};", "v.p", 9),
    "as a value": ("U v = U();", "v.p", 9),
    "as a member": ("Y v;", "v.t.y", 5),
    "with a constructor": ("V v;", "v.e", 4),
    "a base's constructor": ("X v;", "v.i", 9),
    "arrays and values": ("Agg v;", "v.x + 10 * v.u.a + 1000 * v.list[1]", 2 + 100 + 2000),
}


@pytest.mark.parametrize(("made", "bound", "expected"), CASES.values(), ids=CASES)
def test_members_have_their_values(made: str, bound: str, expected: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"{CLASSES}__global__ void k(float *x) {{ float s = 0; {made}\n"
        f"for (int i = 0; i < {bound}; i++) s += 1.0f; x[0] = s; }}\n"
        "void host(float *x) { k<<<1, 1>>>(x); }\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert kernel.grid.flops["fp32"].value == expected


def test_a_function_makes_the_object() -> None:
    text = f"{CLASSES}__global__ void k(int *x) {{ T v; x[0] = v.y; }}"
    assert item(text, "T__defaults") == (
        "[[cuda::device]] T T__defaults(void) { T self; self.s = S__new(2); "
        "self.t = S__new(3); self.z = (4); self.y = self.z + 1; return self; }"
    )


def test_some_members_given_are_refused() -> None:
    text = "struct P { int a; int b = a + 1; };\n__global__ void k(int *x) { P v{1}; x[0] = v.b; }"
    assert messages(text) == ["2:32 K202 a 'P' of which some members are given is not supported"]
