"""Lambdas and functors that reach a kernel through functions of the host."""

from __future__ import annotations

import pytest
from simplifying import messages, names, simplified

KERNEL = """template <typename Body> __global__ void k(int n, Body body)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) body(i);
}
struct Scale { float *x; __device__ void operator()(int i) const { x[i] *= 2; } };
"""
LAMBDA = "[=] __device__(int i) { x[i] *= 2; }"
BY_VALUE = "template <class F> void run(int n, F f) { k<<<(n + 255) / 256, 256>>>(n, f); }\n"
CALL = f"void h(float *x, int n) {{ run(n, {LAMBDA}); }}"

WRAPPERS = {
    "by value": BY_VALUE + CALL,
    "forwarded": BY_VALUE.replace("F f)", "F &&f)").replace("n, f)", "n, std::forward<F>(f))")
    + CALL,
    "by const reference": BY_VALUE.replace("F f)", "const F &f)") + CALL,
    "const behind": BY_VALUE.replace("F f)", "F const &f)") + CALL,
    "named": BY_VALUE + f"void h(float *x, int n) {{ auto g = {LAMBDA}; run(n, g); }}",
    "type given": BY_VALUE.replace("k<<<", "k<F><<<") + CALL,
    "decayed type": BY_VALUE.replace("k<<<", "k<std::decay_t<F>><<<").replace("F f)", "F &&f)")
    + CALL,
    "two wrappers": BY_VALUE
    + "template <class G> void twice(G &&g, int n) { run(n, g); }\n"
    + CALL.replace("run(n, ", "twice(").replace("; }); }", "; }, n); }"),
    "policy": "template <int B> struct Policy { static constexpr int size = B; };\n"
    + BY_VALUE.replace("<class F>", "<class P, class F>").replace("256", "P::size")
    + CALL.replace("run(", "run<Policy<256>>("),
    "in a namespace": f"namespace lib {{ {BY_VALUE} }}\n" + CALL.replace("run(", "lib::run("),
    "method": "struct Queue { template <class F> void run(int n, F f) "
    "{ k<<<(n + 255) / 256, 256>>>(n, f); } };\n"
    + CALL.replace("run(", "q.run(").replace("int n)", "int n, Queue q)"),
}
FUNCTORS = {
    "in place": BY_VALUE + "void h(float *x, int n) { run(n, Scale{x}); }",
    "variable": BY_VALUE + "void h(float *x, int n) { Scale s{x}; run(n, s); }",
    "auto": BY_VALUE + "void h(float *x, int n) { auto s = Scale{x}; run(n, s); }",
    "parameter": BY_VALUE + "void h(const Scale &s, int n) { run(n, s); }",
    "not a template": "void run(int n, Scale s) { k<<<(n + 255) / 256, 256>>>(n, s); }\n"
    "void h(float *x, int n) { run(n, Scale{x}); }",
}


@pytest.mark.parametrize("host", WRAPPERS.values(), ids=WRAPPERS)
def test_lambdas(host: str) -> None:
    text = KERNEL + host
    assert messages(text) == []
    assert {"k__lambda__1", "lambda__1__call", "launch__1"} <= set(names(text))
    assert "k" not in names(text)


@pytest.mark.parametrize("host", FUNCTORS.values(), ids=FUNCTORS)
def test_functors(host: str) -> None:
    text = KERNEL + host
    assert messages(text) == []
    assert {"k__Scale", "Scale__call", "launch__1"} <= set(names(text))


def test_each_lambda_is_a_kernel_of_its_own() -> None:
    second = "void g(float *x, int n) { run(n, [=] __device__(int i) { x[i] += 1; }); }"
    text = simplified(KERNEL + BY_VALUE + CALL + "\n" + second).text
    calls = [line for line in text.splitlines() if "cuda::called" in line]
    assert ["(8, 27)" in calls[0], "(9, 27)" in calls[1]] == [True, True]
    assert "k__lambda__1__launch((n + 255) / 256, 256, 0, n, unknown__);" in text
    assert "k__lambda__2__launch((n + 255) / 256, 256, 0, n, unknown__);" in text


def test_what_is_known_of_the_arguments_is_kept() -> None:
    """A functor's type does not depend on that of the iterator beside it."""
    kernel = (
        "template <class It, class F> __global__ void k(It x, F f) { f(0); }\n"
        "struct S { __device__ void operator()(int) const {} };\n"
    )
    text = simplified(kernel + "void h() { k<<<1, 1>>>(nobody_knows(), S()); }").text
    assert '[[cuda::instance("k<It, S>")]] [[cuda::assumed("It = float")]]' in text


OPEN = {
    "called": ("Body body", "body(i)", "1:64 K206 what 'Body' stands for is not known, and 'body'"),
    "reference": (
        "const Body &body",
        "body(i)",
        "1:71 K206 what 'Body' stands for is not known, and 'body'",
    ),
    "method": (
        "Body body",
        "body.run(i)",
        "1:64 K206 what 'Body' stands for is not known, and 'body.run'",
    ),
    "static": (
        "int *x",
        "Body::run(i)",
        "1:61 K206 what 'Body' stands for is not known, and 'Body::run'",
    ),
}


@pytest.mark.parametrize(("parameter", "call", "said"), OPEN.values(), ids=OPEN)
def test_a_type_that_is_not_known_is_named(parameter: str, call: str, said: str) -> None:
    text = f"template <typename Body> __global__ void k({parameter}, int i) {{ {call}; }}"
    assert messages(text) == [f"{said} depends on it"]
