"""Device lambdas in host code that name types of the function around them."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplifying import item, messages, names, simplified

from estimator.algebra.printing import text
from estimator.analysis import analyze

KERNEL = "template <typename T, typename F> __global__ void k(F f, T *x) { x[0] = f(x[0]); }\n"
LAUNCH = "k<<<1, 128>>>([=] __device__(%s v) { return a * v; }, x);"
TEMPLATE = "template <typename T> void g(T *x, T a) { %s }\n" % (LAUNCH % "T")

HOSTS = {
    "parameter of the template": (TEMPLATE + "void h(float *x) { g<float>(x, 2.f); }", ["float"]),
    "deduced": (TEMPLATE + "void h(double *x) { g(x, 2.0); }", ["double"]),
    "two instances": (
        TEMPLATE + "void h(float *x, double *y) { g(x, 2.f); g(y, 2.0); }",
        ["float", "double"],
    ),
    "explicit instantiation": (
        TEMPLATE + "template void g<double>(double *, double);",
        ["double"],
    ),
    "alias": (
        "void g(float *x, float a) { using real = float; " + LAUNCH % "real" + " }",
        ["float"],
    ),
    "typedef": (
        "void g(float *x, float a) { typedef float real; " + LAUNCH % "real" + " }",
        ["float"],
    ),
    "alias of a parameter": (
        "template <typename T> void g(T *x, T a) { using acc_t = T; " + LAUNCH % "acc_t" + " }\n"
        "void h(double *x) { g<double>(x, 2); }",
        ["double"],
    ),
    "cases of a switch": (
        "void g(int t, void *p, double a) { switch (t) {\n"
        "case 0: { using s = float; s *x = (s *)p; " + LAUNCH % "s" + " break; }\n"
        "case 1: { using s = double; s *x = (s *)p; " + LAUNCH % "s" + " break; } } }",
        ["float", "double"],
    ),
    "lambda in a lambda": (
        "void g(void *p, float a) { [&] { using s = float; s *x = (s *)p; "
        + LAUNCH % "s"
        + " }(); }",
        ["float"],
    ),
}


@pytest.mark.parametrize(("host", "types"), HOSTS.values(), ids=HOSTS)
def test_types_of_the_function_around(host: str, types: list[str]) -> None:
    text = KERNEL + host
    assert messages(text) == []
    calls = [name for name in names(text) if name.endswith("__call")]
    heads = [item(text, name).partition("{")[0].strip() for name in calls]
    assert [head.rpartition(", ")[2] for head in heads] == [f"{one} v)" for one in types]


def test_captured_variables_have_the_type_of_the_instance() -> None:
    text = KERNEL + TEMPLATE + "void h(double *x) { g(x, 2.0); }"
    assert "{ double a; }" in simplified(text).text


def test_a_type_that_nothing_says_is_refused() -> None:
    found = messages(KERNEL + TEMPLATE)
    assert "2:72 K401 what 'T' stands for in this lambda is not known" in found
    assert any("K206 what 'F' stands for is not known, and 'f'" in one for one in found)


def test_an_alias_in_a_kernel() -> None:
    text = (
        "__global__ void k(float *x) { using real = float;"
        " auto f = [](real v) { return v; }; x[0] = f(x[0]); }"
    )
    assert "lambda__1 self, float v)" in item(text, "lambda__1__call")


def test_a_local_alias_as_a_cast() -> None:
    text = (
        "template <typename T> __global__ void k(T *x) { using acc_t = double; typedef T *row;"
        " row y = row(x); y[0] = acc_t(x[0]) * acc_t(0.5); }\n"
        "template __global__ void k<float>(float *);"
    )
    assert "((row)(x)); y[0] = ((acc_t)(x[0])) * ((acc_t)(0.5)); }" in item(text, "k__float")


EACH = """template <typename F> __global__ void each(int n, F f)
{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) f(i); }
"""
CAPTURES = {
    "auto": (
        "void g(float *x, int n) { auto s = 2.0f; auto m = n;"
        " each<<<n / 64, 64>>>(n, [=] __device__(int i) { if (i < m) x[i] *= s; }); }"
    ),
    "a copy of the object": (
        "struct S { float *x; float s; int n; void run() {"
        " each<<<n / 64, 64>>>(n, [=, *this] __device__(int i) { if (i < n) x[i] *= s; }); } };"
    ),
}


@pytest.mark.parametrize("captured", CAPTURES)
def test_what_is_captured(captured: str, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(EACH + CAPTURES[captured])
    (kernel,) = analyze(str(path)).kernels
    each = kernel.per_thread
    counts = (each.flops["fp32"], each.loads["global"], each.stores["global"])
    assert [text(one.formula) for one in counts] == ["1", "1", "1"]
