"""Copies and assignments of objects: the class's own function is called, or the copy refused."""

from __future__ import annotations

import pytest
from simplify.simplifying import item, messages, output

CLASSES = """
struct M { float v; __device__ M() : v(0) {} __device__ M(const M &o) : v(2 * o.v) {}
           __device__ M &operator=(const M &o) { v = 3 * o.v; return *this; } };
struct H { M m; int k; };
struct A { M m[2]; };
struct D : M { int k; };
struct P { float v; __device__ P() : v(0) {} __device__ P(const P &o) : v(o.v) {} };
__device__ const M &same(const M &m) { return m; }
"""
COPIES = {
    "a list that does more than copy": ("M a; M b = a;", "M b = M__new__1(a);"),
    "a list that only copies": ("P a; P b = a;", "P b = a;"),
    "of a reference": ("M a; M b = same(a);", "M b = M__new__1((*same(a)));"),
    "elements": ("M a; M b[2] = {a, a};", "M b[2] = {M__new__1(a), M__new__1(a)};"),
    "members": ("M a; H h = {a, 1};", "H h = {M__new__1(a), 1};"),
    "assignments": ("M a, b; b = a;", "M__assign(b, a);"),
}
REFUSED = {
    "a member that copies itself": ("H a; H b = a;", "the copy of a 'H', whose 'm' copies itself,"),
    "an array that copies itself": ("A a; A b = a;", "the copy of a 'A', whose 'm' copies itself,"),
    "a capture": ("M a; auto f = [a] { return a.v; };", "a copy of a 'M' that is made here"),
    "a variable of a loop": ("M b; M a[2] = {b, b}; for (M m : a) { }", "a copy of a 'M' that is made here"),
    "an assigned member": ("H a, b; b = a;", "the assignment of a 'H', whose 'm' assigns itself,"),
    "an assigned array": ("A a, b; b = a;", "the assignment of a 'A', whose 'm' assigns itself,"),
    "an assigned base": ("D a, b; b = a;", "the assignment of a 'D', whose 'M' assigns itself,"),
}  # fmt: skip


def kernel(body: str) -> str:
    return f"{CLASSES}__global__ void k(float *x) {{ {body} }}"


@pytest.mark.parametrize(("body", "expected"), COPIES.values(), ids=COPIES)
def test_copies(body: str, expected: str) -> None:
    assert expected in item(kernel(body), "k")


@pytest.mark.parametrize(("body", "expected"), REFUSED.values(), ids=REFUSED)
def test_copies_that_call_nothing_here(body: str, expected: str) -> None:
    (found,) = messages(kernel(body))
    assert found.endswith(f"K202 {expected} is not supported")


def test_results() -> None:
    text = CLASSES + (
        "__device__ M made() { M m; return m; }\n"
        "__device__ M given(M m) { return m; }\n"
        "__global__ void k(float *x) { M a; x[0] = given(a).v + made().v; }"
    )
    found = output(text)
    assert "return m; }" in found
    assert "return M__new__1(m); }" in found
    assert "given(M__new__1(a)).v" in found
