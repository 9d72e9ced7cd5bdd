"""A syntax error loses the item that it stands in, and no other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simplifying import messages, names, simplified

FIRST = "__global__ void a(float *x, int n)\n{\n    if (n > 0) {\n        x[0] = 1;\n    }\n}\n\n"
LAST = "\n__global__ void c(float *x, int n)\n{\n    if (n > 0) {\n        x[0] = 3;\n    }\n}\n"

# the kernel between, the place and the message; its first line is line 8
KERNELS = {
    "missing brace": (
        "__global__ void b(float *x, int n)\n{\n    if (n) {\n        x[0] = 2;\n}\n",
        "12:2 K201 syntax error: '}' is missing",
    ),
    "brace too many": (
        "__global__ void b(float *x, int n)\n{\n    if (n) }\n    x[0] = 2;\n}\n",
        None,
    ),
    "ended early": (
        "__global__ void b(float *x, int n)\n{\n    n = 1;\n    }\n    x[0] = 2;\n}\n",
        "13:1 K201 syntax error: '}' without '{'",
    ),
    "missing semicolon": (
        "__global__ void b(float *x, int n)\n{\n    n = 1\n    x[0] = 2;\n}\n",
        None,
    ),
    "missing last semicolon": (
        "__global__ void b(float *x, int n)\n{\n    x[0] = 2\n}\n",
        "10:13 K201 syntax error: ';' is missing",
    ),
    "missing parenthesis": (
        "__global__ void b(float *x, int n)\n{\n    if (n > 0 {\n        x[0] = 2;\n    }\n}\n",
        None,
    ),
    "half typed": ("__global__ void b(float *x, int n)\n{\n    x[0] =\n}\n", None),
    "header only": ("__global__ void b(float *x,\n", None),
    "template": (
        "template <int N>\nstatic __global__ void b(float *x)\n{\n    x[0] = N;\n",
        "11:14 K201 syntax error: '}' is missing",
    ),
}


@pytest.mark.parametrize(("source", "message"), KERNELS.values(), ids=KERNELS)
def test_the_kernels_around_survive(source: str, message: str | None) -> None:
    text = FIRST + source + LAST
    assert names(text) == ["a", "c"]
    assert [lost.name for lost in simplified(text).lost] == ["b"]
    (found,) = messages(text)
    if message is not None:
        assert found == message
    else:
        line = int(found.split(":")[0])
        assert 8 <= line <= 8 + source.count("\n")


def test_inside_a_namespace() -> None:
    text = f"namespace m {{\n{FIRST}__global__ void b(float *x) {{ x[0] = (; }}\n{LAST}}}\n"
    assert names(text) == ["a", "c"]


def test_host_code_with_errors_is_harmless() -> None:
    host = (
        "int main() {\n    std::cout << << 1;\n    float *x;\n    int m = 4;\n"
        "    a<<<m, 32>>>(x, 8);\n    for (auto & : y) { }\n}\n"
    )
    assert names(FIRST + host + LAST) == ["a", "launch__1", "c"]
    assert messages(FIRST + host + LAST) == []


def test_a_device_function_with_an_error() -> None:
    text = "__device__ float f(float a) { return a +; }\n" + FIRST
    assert [lost.name for lost in simplified(text).lost] == ["f"]
    assert names(text) == ["a"]


def test_a_constant_with_an_error() -> None:
    text = "__constant__ float q[2] = {1, 2\n" + FIRST
    assert [lost.name for lost in simplified(text).lost] == ["q"]
    assert names(text) == ["a"]


DEEP = {
    "blocks": "{" * 300 + "x[0] = 1;" + "}" * 300,
    "parentheses": "x[0] = " + "(" * 800 + "n" + ")" * 800 + ";",
    "else if": "if (n == 0) x[0] = 0;"
    + "".join(f" else if (n == {i}) n = {i};" for i in range(800)),
    "casts": "x[0] = " + "float(" * 500 + "n" + ")" * 500 + ";",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
def test_deep_nesting(source: str) -> None:
    text = f"__global__ void k(float *x, int n) {{ {source} }}"
    assert names(text) == ["k"]
    assert messages(text) == []


WORDS = [
    *"{ } ( ) [ ] < > ; , = . -> :: & * # ' \" <<< >>> \n // /* */ 1 1.0f".split(" "),  # noqa: SIM905
    *"__global__ __device__ __shared__ template typename struct enum class namespace".split(),  # noqa: SIM905
    *"void int float auto if constexpr else for return using k f x T static_cast std".split(),  # noqa: SIM905
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_no_text_raises(text: str) -> None:
    simplified(text)
    simplified(FIRST + text + LAST)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(FIRST + LAST)), st.sampled_from([*"{}();,<>=\"'#é", "template <", "\\"]))
def test_one_inserted_character_raises_nothing(at: int, inserted: str) -> None:
    text = FIRST + LAST
    simplified(text[:at] + inserted + text[at:])
