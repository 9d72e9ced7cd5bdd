"""Arrays of objects, and arrays among the members that constructors list."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplify.simplifying import item, messages

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

VECTOR = """
struct V {
    float e[3];
    __device__ V() : e{0, 0, 0} {}
    __device__ V(float a, float b, float c) : e{a, b, c} {}
    __device__ const float &y() const { return e[1]; }
    __device__ float operator[](int i) const { return e[i]; }
    __device__ float &operator[](int i) { return e[i]; }
    __device__ V &operator+=(const V &v) { e[0] += v.e[0]; e[1] += v.e[1]; e[2] += v.e[2]; return *this; }
};
__device__ inline V operator*(float t, const V &v) { return V(t * v.e[0], t * v.e[1], t * v.e[2]); }
struct C { int re, im; __device__ C(int r = 0, int i = 3) : re(r), im(i) {} };
struct Busy { float v; __device__ Busy(float a = 2) { v = a * a + 1; } };
struct Rows { int m[2][2]; __device__ Rows() : m{{1, 2}, {3}} {} };
struct Flat { int m[2][2]; __device__ Flat() : m{1, 2, 3, 4} {} };
struct Listed { C c[3]; __device__ Listed() : c{C(1, 2), {4, 5}} {} };
struct Started { int v[3] = {1, 2, 3}; C c[2]; };
struct Made { int v[3] = {1, 2, 3}; C c[2]; __device__ Made() {} };
template <class T, int N> struct Pack {
    T v[N];
    template <class... X> __device__ Pack(X... x) : v{T(x)...} {}
};
template <class T, int N> struct Zero { T v[N]; __device__ Zero() : v() {} };
"""
# What stands in `k(float *o)`; the stores to o, and FLOPs.
BODIES = {
    "vector": ("V a; V b(1, 2, 3); b += 2.0f * a; o[0] = b[0] + b.y();", 1, 3 + 3 + 1),
    "zeroed": ("Zero<int, 3> z; for (int i = 0; i < z.v[0] + 5; i++) o[i] = 1;", 5, 0),
    "rows": ("Rows r; int n = r.m[1][0] * 10 + r.m[1][1]; for (int i = 0; i < n; i++) o[i] = 1;", 30, 0),
    "rows without braces": ("Flat r; int n = r.m[1][0]; for (int i = 0; i < n; i++) o[i] = 1;", 3, 0),
    "objects": ("Listed r; int n = r.c[1].im + r.c[2].im; for (int i = 0; i < n; i++) o[i] = 1;", 8, 0),
    "pack": ("Pack<int, 2> p(2, 3u); int n = p.v[1]; for (int i = 0; i < n; i++) o[i] = 1;", 3, 0),
    "default members": (
        "Started s; int n = s.v[1] + s.c[1].im; for (int i = 0; i < n; i++) o[i] = 1;", 5, 0),
    "default members with a constructor": (
        "Made s; int n = s.v[2] + s.c[1].im; for (int i = 0; i < n; i++) o[i] = 1;", 6, 0),
    "local": ("C a[2][2], b; int n = a[1][1].im + b.im; for (int i = 0; i < n; i++) o[i] = 1;", 6, 0),
    "constructors that compute": ("Busy b[4]; o[0] = b[1].v;", 1, 8),
    "many of them": ("Busy b[100]; o[0] = b[1].v;", 1, 200),
    "listed in part": ("C a[3] = {1, 2}; int n = a[1].re + a[2].im; for (int i = 0; i < n; i++) o[i] = 1;", 5, 0),
    "rows listed in part": (
        "C a[2][2] = {{C(1, 1)}}; int n = a[0][1].im + a[1][0].im; for (int i = 0; i < n; i++) o[i] = 1;", 6, 0),
    "pointers": ("Busy b, *a[2]; a[0] = &b; o[0] = a[0]->v;", 1, 2),
}  # fmt: skip


def report(text: str, folder: Path) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(text)
    result = analyze([str(path)], Options(launches=("k: grid=(1) block=(1)",), exact=True))
    assert result.kernels, [str(one) for file in result.files for one in file.diagnostics]
    return result.kernels[0]


@pytest.mark.parametrize(("body", "stores", "flops"), BODIES.values(), ids=BODIES)
def test_counts(body: str, stores: int, flops: int, tmp_path: Path) -> None:
    kernel = report(f"{VECTOR}\n__global__ void k(float *o) {{ {body} }}", tmp_path)
    assert kernel.grid.stores["global"].value == stores
    found = kernel.grid.flops.get("fp32")
    assert (found.value if found is not None else 0) == flops


def test_members_are_set_one_by_one() -> None:
    text = "struct S { float e[3]; __device__ S(float a) : e{a, 1} {} };"
    text += "__global__ void k(float *o) { S s(2.0f); o[0] = s.e[1]; }"
    assert item(text, "S__new").endswith(
        "S S__new(float a) { S self; self.e[0] = a; self.e[1] = 1; self.e[2] = 0;  return self; }"
    )


def test_elements_are_made_where_the_array_is() -> None:
    text = "struct S { int a; __device__ S(int b = 7) : a(b) {} };"
    text += "template <int N> __global__ void k(int *o) { S s[2]; S t[N]; o[0] = s[1].a + t[0].a; }"
    found = item(text, "k")
    assert "S s[2] = {S__new(7), S__new(7)};" in found
    assert "S t[N]; for (int i__t = 0; i__t < N; i__t++) t[i__t] = S__new(7);" in found


def test_shared_memory_is_not_initialised() -> None:
    text = "struct S { int a; __device__ S(int b = 7) : a(b) {} };"
    text += "__global__ void k(int *o) { __shared__ S s[2]; o[0] = s[1].a; }"
    assert "[[cuda::shared]] S s[2];" in item(text, "k")


def test_too_many_values_are_refused() -> None:
    text = "struct S { float e[1]; __device__ S(float a) : e{a, 1} {} };"
    text += "__global__ void k(float *o) { S s(2.0f); o[0] = s.e[0]; }"
    assert messages(text) == [
        "1:49 K202 a list of more values than the array has elements is not supported"
    ]
