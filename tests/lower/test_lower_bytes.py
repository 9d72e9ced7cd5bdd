"""Values seen as bytes of others: unions, bit-fields, pointers of another type, structures in local
arrays. A loop runs as often as C++ says, or an unknown number of times; never otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

TYPES = """
union U { int i; unsigned char b[4]; float f; };
struct Named { float a; union { int i; float f; }; int n; };
struct Bits { unsigned a : 3; unsigned b : 5; int c : 4; unsigned : 0; unsigned d : 1; };
struct S { float f; int n; };
__device__ void change(int &n);
__device__ void look(const int &n, int m);
__device__ int both(float v, int &n);
"""
# What a thread runs before its loop, the loop's trips, and how often it runs; None: data decides.
LOOPS = {
    "a union's other member": ("U u; u.i = 5; u.f = x[0];", "u.i", None),
    "a union's own member": ("U u; u.f = x[0]; u.i = 5;", "u.i", 5),
    "a union without a name": ("Named s; s.i = 7; s.f = 1.0f;", "s.i", None),
    "beside a union without a name": ("Named s; s.n = 7; s.f = 1.0f;", "s.n", 7),
    "a bit-field's width": ("Bits s; s.a = 9;", "s.a", 1),
    "bit-fields side by side": ("Bits s; s.a = 3; s.b = 2; s.d = 1;", "s.a + s.d", 4),
    "a bit-field's sign": ("Bits s; s.c = 9;", "s.c + 10", 3),
    "a bit-field is an int": ("Bits s; s.a = 3; s.c = -2;", "s.a - s.c", 5),
    "bit-fields in an array": ("Bits s[2]; s[0].a = 3; s[0].b = 2;", "s[0].a", None),
    "the first byte": ("int v = 0x01020304; auto *p = (unsigned char *)&v;", "p[0]", 4),
    "another byte": ("int v = 0x01020304; auto *p = (unsigned char *)&v;", "p[1]", None),
    "a byte that was set": ("int v = 4; auto *p = (char *)&v; p[1] = x[0];", "v", None),
    "a member by its place": ("int4 v = make_int4(1, 2, 3, 4); int *p = (int *)&v;", "p[2]", 3),
    "a member set by its place": (
        "int4 v = make_int4(1, 2, 3, 4); int *p = (int *)&v; p[2] = 9;",
        "v.z",
        9,
    ),
    "two members as one": (
        "int4 v = make_int4(1, 2, 3, 4); auto *p = (long long *)&v; *p = (long long)x[0];",
        "v.y + v.z",
        None,
    ),
    "a wider store": (
        "int a[4] = {1, 2, 3, 4}; auto *p = (long long *)a; *p = (long long)x[0];",
        "a[1]",
        None,
    ),
    "beside a wider store": (
        "int a[4] = {1, 2, 3, 4}; auto *p = (long long *)a; *p = (long long)x[0];",
        "a[2]",
        3,
    ),
    "a structure over its members": (
        "S s[2], t; s[0].n = 4; t.n = 9; t.f = 0; s[0] = t;",
        "s[0].n",
        9,
    ),
    "a structure from an array": ("S s[2]; s[0].n = 4; s[1].n = 5; s[0] = s[1];", "s[0].n", 5),
    "a structure from memory": ("S s[2]; s[0].n = 4; s[0] = *(S *)x;", "s[0].n", None),
    "a reference to an unknown function": ("int m = 4; change(m);", "m", None),
    "an element to an unknown function": ("int m[2] = {4, 5}; change(m[0]);", "m[0]", None),
    "a constant reference": ("int m = 4; look(m, m);", "m", 4),
    "the second of two": ("int m = 4, k = 3; both(x[0], m);", "m + k", None),
    "a copy": ("int m = 4; other(m);", "m", 4),
}


@pytest.mark.parametrize("case", LOOPS, ids=str)
def test_trips(case: str, tmp_path: Path) -> None:
    before, trips, runs = LOOPS[case]
    (tmp_path / "k.cu").write_text(
        f"{TYPES}__global__ void k(float *x)\n{{\n    {before}\n"
        f"    for (int j = 0; j < {trips}; ++j) x[threadIdx.x] = j;\n}}\n"
    )
    kernel = analyze(str(tmp_path / "k.cu")).kernels[0]
    stores = sympy_text(kernel.per_thread.stores["global"].formula)
    assert stores == ("trips_12" if runs is None else str(runs))


def test_that_arguments_are_copies_is_an_assumption(tmp_path: Path) -> None:
    text = "__global__ void k(float *x) { int m = 4; other(m); x[m] = 1; }\n"
    (tmp_path / "k.cu").write_text(text)
    kernel = analyze(str(tmp_path / "k.cu")).kernels[0]
    (said,) = [one.message for one in kernel.assumptions if one.code == "by-value"]
    assert said == "other changes no variable but those that it is given the address of"
