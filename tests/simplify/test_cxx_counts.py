"""C++ constructs end to end: counts derived by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

CLASSES = """
template <typename T> class Box {
    T v;
public:
    __device__ Box(T x);
    __device__ T get() const;
    template <typename U> __device__ U as() const { return U(v); }
};
template <typename T> __device__ Box<T>::Box(T x) : v(x) {}
template <typename T> __device__ T Box<T>::get() const { return v; }
struct Flags { unsigned a : 4; unsigned b : 4; unsigned c : 28; };
struct Copy {
    float v;
    int n;
    __device__ Copy(float a) : v(a), n(1) {}
    __device__ Copy(const Copy &o) : v(o.v) { n = o.n + 1; }
};
__device__ int count(Copy c) { return c.n; }
struct Outer { struct Nested { int q; }; enum Kind { A, B }; Nested nest; Kind kind; };
__device__ int pick(int a) { return 1; }
__device__ int pick(unsigned a) { return 2; }
__device__ int pick(float a) { return 3; }
__device__ int pick(double a) { return 4; }
__device__ int pick(const float *a) { return 5; }
__device__ int pick(float3 a) { return 6; }
struct Pair { int v[2]; };
union Word { float f; int i; };
__device__ float one(float) { return 1.0f; }
__device__ int two(const int *, const float &, Pair, int = 0) { return 2; }
struct Call {
    __device__ static int f(float) { return 1; }
    __device__ int operator()(float, int) const { return 2; }
};
template <int N> struct Power { __device__ static float f(float x) { return x * Power<N - 1>::f(x); } };
template <> struct Power<0> { __device__ static float f(float) { return 1.0f; } };
template <typename... A> __device__ int none(float v, A...) { return sizeof...(A); }
__device__ float twice(float v) { return 2.0f * v; }
"""
CLASSES += """
template <typename T> __device__ T unit();
template <> __device__ float unit<float>() { return 1.0f; }
template <typename T> __device__ T unit(T v);
template <> __device__ float unit(float v) { return v + v; }
template <int N> __device__ constexpr int twice_of() { return 2 * N; }
struct Sizes {
    static constexpr int A = 8, B = 2 * A, w[3] = {1, 2, 3};
    static const int C{3}, D = 4;
};
template <typename T> struct Tile {
    static constexpr int M = 16, N = sizeof(T) * M, K = N / 4;
    T data[M * K];
};
"""
# What stands in `k(float *o, int n, float3 *p)`; the stores to o, and FLOPs.
BODIES = {
    "unnamed parameter": ("o[0] = one(o[1] + 1) + two(&n, o[1], Pair());", 1, 2),
    "unnamed in methods": ("Call c; for (int i = 0; i < c(1, 2) + Call::f(1); i++) o[i] = 1;", 3, 0),
    "unnamed in specialisations": ("o[0] = Power<3>::f(o[1]);", 1, 3),
    "unnamed pack": ("for (int i = 0; i < none(1.f, 2, 3); i++) o[i] = 1;", 2, 0),
    "unnamed in lambdas": (
        "auto f = [](float, auto, int k) { return k; }; for (int i = 0; i < f(1, 2, 3); i++) o[i] = 1;",
        3, 0),
    "constants in one declaration": ("for (int i = 0; i < Sizes::B; i++) o[i] = 1;", 16, 0),
    "later constants of one": (
        "for (int i = 0; i < Sizes::w[2] + Sizes::C + Sizes::D; i++) o[i] = 1;", 10, 0),
    # N is 64 and 128, K 16 and 32; data has 256 floats and 512 doubles.
    "constants of a size": (
        "for (int i = 0; i < sizeof(Tile<float>) / 64; i++) o[i] = Tile<double>::N;", 16, 0),
    "lengths of constants": (
        "for (int i = 0; i < sizeof(Tile<double>) / 128; i++) o[i] = 1;", 32, 0),
    "less than a template's": (
        "for (int k = 0; k < twice_of<4>(); k++) o[k] = 1; for (int j = 0; j < 4 && twice_of<2>() > 3"
        " && j<Sizes::D + twice_of<2>(); ++j) o[j] = 1;", 8 + 4, 0),
    "less than it in a member": ("Sizes s; Pair q = {3, 1}; if (q.v[0]<twice_of<2>()) o[0] = 1;", 1, 0),
    "only declared, and specialised": ("o[0] = unit<float>() + unit(o[1]);", 1, 2),
    "class template": ("Box<float> b(3); o[0] = b.get() + b.as<int>();", 1, 1),
    "copy constructor": ("Copy c(1), d = c, e(d); for (int i = 0; i < e.n; i++) o[i] = 1;", 3, 0),
    "copied argument": ("Copy c(1); for (int i = 0; i < count(c); i++) o[i] = 1;", 2, 0),
    "nested types": ("Outer t; t.nest.q = Outer::B; for (int i = 0; i < t.nest.q; i++) o[i] = 1;", 1, 0),
    "overloads": (
        "int t = pick(1) * 1000 + pick(1u) * 100 + pick(1.f) * 10 + pick(1.0);"
        "for (int i = 0; i < t; i++) o[i] = 1;", 1234, 0),
    "more overloads": ("int t = pick(o) * 10 + pick(p[0]); for (int i = 0; i < t; i++) o[i] = 1;", 56, 0),
    "bit-fields": ("for (int i = 0; i < sizeof(Flags); i++) o[i] = 1;", 8, 0),
    "range": ("int a[3] = {1, 2, 3}, s = 0; for (int v : a) s += v; for (int i = 0; i < s; i++) o[i] = 1;", 6, 0),
    "lambda counts": ("int z = 0; auto g = [&] { z += 2; }; g(); g(); for (int i = 0; i < z; i++) o[i] = 1;", 4, 0),
    "lambda in a loop": (
        "int z = 0; auto g = [&](int b) { z += b; }; for (int i = 0; i < 5; i++) g(3);"
        "for (int i = 0; i < z; i++) o[i] = 1;", 15, 0),
    "captured by value": ("int z = 2; auto g = [=] { return z; }; z = 7; for (int i = 0; i < g(); i++) o[i] = 1;", 2, 0),
    "lambda in a lambda": (
        "float f = 1; auto a = [=](float x) { auto b = [&](float y) { return x * y + f; }; return b(2.0f) + b(x); };"
        "o[0] = a(3);", 1, 5),
    "copied arrays": (
        "Pair a = {{1, 2}}; Pair b = a; b.v[0] = 9; for (int i = 0; i < a.v[0]; i++) o[i] = 1;", 1, 0),
    "union": ("Word w; w.i = 5; w.f = o[0]; o[1] = 1;", 1, 0),
    "pointer to a function": ("float (*f)(float) = twice; o[0] = f(f(o[1]));", 1, 2),
    "table of functions": ("auto f = &twice; o[0] = (*f)(1.0f);", 1, 1),
    "literal suffixes": ("auto f = [](float v) { return v * 2.0f; }; o[0] = f(1.5f);", 1, 1),
}  # fmt: skip


def report(text: str, folder: Path) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(text)
    options = Options(launches=("k: grid=(1) block=(1)",), exact=True)
    result = analyze([str(path)], options)
    assert result.kernels, [str(one) for file in result.files for one in file.diagnostics]
    return result.kernels[0]


@pytest.mark.parametrize(("body", "stores", "flops"), BODIES.values(), ids=BODIES)
def test_counts(body: str, stores: int, flops: int, tmp_path: Path) -> None:
    kernel = report(
        f"{CLASSES}\n__global__ void k(float *o, int n, float3 *p) {{ {body} }}", tmp_path
    )
    counts = kernel.grid
    assert counts.stores["global"].value == stores
    found = counts.flops.get("fp32")
    assert (found.value if found is not None else 0) == flops


def test_members_step_by_members(tmp_path: Path) -> None:
    text = """
    struct Cursor { const float *at; int step; __device__ void next() { at += step; } };
    __global__ void k(const float *x, float *o, int n) {
        Cursor c{x, 2};
        float s = 0;
        for (int i = 0; i < 8; i++) { s += *c.at; c.next(); }
        o[0] = s;
    }"""
    kernel = report(text, tmp_path)
    assert kernel.bytes.by_array["x"].compulsory.value == 32


def test_pointers_that_change_places_stay_in_shared_memory(tmp_path: Path) -> None:
    text = """
    __global__ void k(float *o, int n) {
        __shared__ float a[64], b[64];
        float *p = a, *q = b;
        for (int i = 0; i < n; i++) { q[i] = p[i]; float *t = p; p = q; q = t; }
        o[0] = p[0];
    }"""
    kernel = report(text, tmp_path)
    assert kernel.grid.stores["global"].value == 1
    assert set(kernel.bytes.by_array) == {"o"}


def test_a_character_is_one_byte(tmp_path: Path) -> None:
    text = """
    __global__ void k(float *o) {
        auto c = 'a';
        for (int i = 0; i < sizeof('a') + 10 * sizeof(c) + 100 * sizeof('a' + 1) + (c - 'a'); i++) o[i] = 1;
    }"""
    assert report(text, tmp_path).grid.stores["global"].value == 411


LISTS = """
enum Kind { A = 2, B, C = B * 4, D };
template <int N> struct Fact { static const int v = N * Fact<N - 1>::v; };
template <> struct Fact<0> { static const int v = 1; };
struct Rows { float v[3]; int w[2]; __device__ int sum() const { int r = 0; for (int q : w) r += q; return r; } };
"""
LOOPS = {
    "enumerators of others": ("for (int i = 0; i < C + D; i++) o[i] = 1;", 25),
    "constants of other instances": ("for (int i = 0; i < (Fact<4>::v); i++) o[i] = 1;", 24),
    "over a member": ("Rows r; for (auto &f : r.v) o[1] = f;", 3),
    "over a member of this": (
        "Rows r; r.w[0] = 2; r.w[1] = 5; int s = r.sum(); for (int i = 0; i < s; i++) o[i] = 1;",
        7,
    ),
}


@pytest.mark.parametrize(("body", "stores"), LOOPS.values(), ids=LOOPS)
def test_trips(body: str, stores: int, tmp_path: Path) -> None:
    kernel = report(f"{LISTS}\n__global__ void k(float *o, int n) {{ {body} }}", tmp_path)
    assert kernel.grid.stores["global"].value == stores
