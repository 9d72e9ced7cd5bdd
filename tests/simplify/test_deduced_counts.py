"""What depends on deduced types, end to end: counts derived by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options

HEAD = """
template <class T> struct acc { using type = T; };
template <> struct acc<float> { using type = double; };
template <class T> struct cnt { static const int n = 1; };
template <> struct cnt<float> { static const int n = 4; };
template <class T> struct Op { __device__ T operator()(T p, T q) const { return p + q; } };
template <> struct Op<float> { __device__ float operator()(float p, float q) const { return p + q * 2; } };
template <class A, class B> struct same { static constexpr bool v = false; };
template <class A> struct same<A, A> { static constexpr bool v = true; };
template <class T> struct lim { __device__ static T lo() { return T(2) * T(threadIdx.x); } };
template <> struct lim<float> { __device__ static double lo() { return 3.0 * threadIdx.x + 1.0; } };
template <class T> struct tr { static const int n = 1; };
template <class T> struct tr<T *> { static const int n = 5; };
template <class T> struct Sz { static constexpr int n = 16 / sizeof(T); };
template <class T> struct Pr { T a; float b; __device__ T sum() const { T r = a; r += b; return r; } };
struct tA {}; struct tB {};
template <class T> struct tag { using type = tA; };
template <> struct tag<float> { using type = tB; };
template <class T, class U> struct Mix {
    T a; U b; using C = decltype(T() + U());
    __device__ C sum() const { C r = a; r += b; return r; }
};
template <class T> __device__ typename acc<T>::type sum(const T *p) {
    typename acc<T>::type s = 0; for (int i = 0; i < 3; i++) s += p[i]; return s; }
template <class T> __device__ T apply(T v) { Op<T> op; return op(v, v); }
template <class T> __device__ T apply_once(T v) { return Op<T>()(v, v); }
template <class T, int N = cnt<T>::n> __device__ float add(T v) {
    float s = 0; for (int i = 0; i < N; i++) s += v; return s; }
template <class T, int N = sizeof(T)> __device__ float bytes(T v) {
    float s = 0; for (int i = 0; i < N; i++) s += 1; return s; }
template <class T> __device__ float either(T v) {
    if constexpr (same<T, float>::v) return v * v + 1.f; else return v * 2.f; }
template <class T> __device__ float times(T v) {
    float s = 0; for (int i = 0; i < tr<T>::n; i++) s += 1; return s; }
template <class T> __device__ float size(T v) {
    float s = 0; for (int i = 0; i < Sz<T>::n; i++) s += 1; return s; }
template <class T> __device__ float outer(T v) { return size(v) + times(&v); }
template <class T> __device__ Pr<T> mk(T p, float q) { return {p, q}; }
template <class T, class U> __device__ Mix<T, U> mix(T p, U q) { return {p, q}; }
struct M { template <class T> __device__ float f(T v) const { return size(v); } };
__device__ float im(float v, tA) { return v + 1; }
__device__ float im(float v, tB) { return v * v + 1; }
template <class T> __device__ float dispatch(T v) { return im(v, typename tag<T>::type()); }
"""
# What stands in `k(float *a, double *b, int n, double d)`; FP32 and FP64 FLOPs as written.
BODIES = {
    "a member type": ("b[0] = sum(a);", 0, 3),
    "a functor": ("a[0] = apply(a[1]);", 2, 0),
    "a functor of doubles": ("b[0] = apply(d);", 0, 1),
    "a functor without a name": ("a[0] = apply_once(a[1]);", 2, 0),
    "a default of a trait": ("a[0] = add(a[1]);", 4, 0),
    "a default of a size": ("a[0] = bytes('a') + bytes(a[1]);", 1 + 4 + 1, 0),
    "a trait of two types": ("a[0] = either(a[1]);", 2, 0),
    "a trait of two others": ("a[0] = either(n);", 1, 0),
    "a decltype": ("float v = a[1]; for (int i = 0; i < cnt<decltype(v)>::n; i++) v += 1; a[0] = v;", 4, 0),
    "a generic lambda": (
        "auto g = [](auto v) { float s = 0; for (int i = 0; i < cnt<decltype(v)>::n; i++) s += 1; return s; };"
        "a[0] = g(a[1]);", 4, 0),
    "a static method": ("auto f = [](auto v) { return lim<decltype(v)>::lo(); }; b[0] = f(a[1]);", 0, 2),
    "a pointer": ("a[0] = times(a) + times(n);", 5 + 1 + 1, 0),
    "a size in a class": ("a[0] = size((char)n) + size(d);", 16 + 2 + 1, 0),
    "a size two calls deep": ("a[0] = outer((char)n);", 16 + 5 + 1, 0),
    "a method template": ("M m; a[0] = m.f((char)n) + m.f(1.f);", 16 + 4 + 1, 0),
    "a method of what a call makes": ("b[0] = mk(2.0, a[1]).sum();", 0, 1),
    "a method of a variable": ("auto q = mk(d, a[1]); b[0] = q.sum();", 0, 1),
    "a type that two make": ("b[0] = mix(a[0], 3.f).sum() + mix(1, d).sum();", 1, 2),
    "a tag": ("a[0] = dispatch(a[1]) + dispatch(n);", 2 + 1 + 1, 0),
    "an expression's type": ("b[0] = size(n ? a[0] : d) + size(a[0] * 2) + size(d * a[0]);", 2 + 4 + 2 + 2 + 1, 1),
}  # fmt: skip


@pytest.mark.parametrize(("body", "single", "double"), BODIES.values(), ids=BODIES)
def test_flops(body: str, single: int, double: int, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"{HEAD}__global__ void k(float *a, double *b, int n, double d) {{ {body} }}\n")
    (report,) = analyze([str(path)], Options()).files[0].kernels
    flops = report.per_thread.flops
    found = [flops[name].value if name in flops else 0 for name in ("fp32", "fp64")]
    assert found == [single, double]
