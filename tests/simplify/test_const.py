"""What `const` and references say about which function is meant, and names that collide."""

from __future__ import annotations

import pytest
from simplify.simplifying import item, messages, output

CLASSES = """
struct V { float *p; __device__ float &operator[](int i) { return p[i]; }
           __device__ float operator[](int i) const { return 2 * p[i]; }
           __device__ float get() { return p[0]; } __device__ float get() const { return 2 * p[0]; }
           __device__ float both() const { return get(); } };
struct W { V v; V a[2]; V *q; __device__ const V &ref() const { return v; } };
template <typename T> __device__ float of(T &t) { return t.get(); }
__device__ int f(const float *p) { return 1; }
__device__ int f(float *p) { return 2; }
__device__ int g(const int &n) { return 1; }
__device__ int g(int &n) { return 2; }
__device__ int g(int &&n) { return 3; }
template <typename T> __device__ int h(T v) { return 1; }
template <typename T> __device__ int h(T *v) { return 2; }
template <typename T> __device__ int h(const T *v) { return 3; }
"""
FREE, CONST = "V__get__void(", "V__get__void__1("
# What is called in `k(V v, const V c, W w, const W d, float *x, const float *y, int n)`.
CALLS = {
    "an object": ("x[0] = v.get();", "V__get__void(v)", "return self.p[0]"),
    "a const object": ("x[0] = c.get();", "V__get__void(c)", "return 2 * self.p[0]"),
    "an operator": ("x[0] = c[1];", "V__at__int(c, 1)", "return 2 * self.p[i]"),
    "in a const method": ("x[0] = v.both();", "V__both(v)", "return V__get__void(self)"),
    "a member": ("x[0] = d.v.get();", "V__get__void(d.v)", "return 2 * self.p[0]"),
    "an element": ("x[0] = d.a[1].get();", "V__get__void(d.a[1])", "return 2 * self.p[0]"),
    "behind a pointer": ("x[0] = d.q->get();", "V__get__void(*d.q)", "return self.p[0]"),
    "behind a reference": ("x[0] = w.ref().get();", "(*W__ref(w)))", "return 2 * self.p[0]"),
    "a copy": ("auto e = c; x[0] = e.get();", "V__get__void(e)", "return self.p[0]"),
    "a reference": ("auto &e = c; x[0] = e.get();", "V__get__void(e)", "return 2 * self.p[0]"),
    "of a template": ("x[0] = of(c);", "of__const_V(c)", "return 2 * self.p[0]"),
    "pointers": ("x[0] = f(x) + f(y);", "f__floatp_2(x) + f__floatp(y)", "return 2"),
    "references": (
        "const int m = 1; x[0] = g(n) + g(m) + g(7);",
        "g__int_2(n) + g__int(m) + g__int_3(7)",
        "return 3",
    ),
    "templates": (
        "x[0] = h(n) + h(x) + h(y);",
        "h__T__int(n) + h__Tp__float(x) + h__Tp_2__float(y)",
        "return 3",
    ),
}


@pytest.mark.parametrize(("body", "call", "callee"), CALLS.values(), ids=CALLS)
def test_calls(body: str, call: str, callee: str) -> None:
    head = "V v, const V c, W w, const W d, float *x, const float *y, int n"
    found = output(f"{CLASSES}__global__ void k({head}) {{ {body} }}")
    assert call in found
    assert callee in found


def test_generated_names_are_not_the_users() -> None:
    text = """
    struct S { float a; __device__ float at(int i) { return a; }
               __device__ float operator[](int i) { return 2 * a; } };
    __device__ float S__at(S s, int i) { return 3 * s.a; }
    __global__ void k(float *x) {
        S s; int i__v = 7, a[2] = {1, 2};
        for (int v : a) x[i__v] = v + s.at(1) + s[1] + S__at(s, 1);
    }"""
    found = item(text, "k")
    assert "for (int i__v_ = 0; i__v_ < 2; i__v_++) { int v = a[i__v_]; x[i__v] = " in found
    assert "S__at__1(s, 1) + S__at__2(s, 1) + S__at(s, 1)" in found


def test_an_argument_of_unknown_type_decides_nothing() -> None:
    text = (
        "__device__ int f(int n) { return 1; }\n"
        "template <typename T> __device__ int f(T v) { return 2; }\n"
        "__global__ void k(int *x) { x[0] = f(unknown(x)); }"
    )
    assert messages(text) == ["3:36 K202 the overloaded function 'f' is not supported"]
