"""Templates as arguments of templates."""

from __future__ import annotations

import pytest
from simplifying import item, messages, output

_OPS = (
    "namespace ops { template <class T> struct Sum {\n"
    "    __device__ static T f(T a, T b) { return a + b; } }; }\n"
    "template <class T> struct Fma { __device__ static T f(T a, T b) { return a * b + a; } };\n"
    "template <class T, template <class> class Op = Fma> struct Zip {\n"
    "    __device__ T go(T a) const { return Op<T>::f(a, a); } };\n"
    "template <template <class> class Op, class T> __device__ T apply(T a, T b)\n"
    "{ return Op<T>::f(a, b); }\n"
    "template <class T, template <class> class Op> __global__ void k(T *x)\n"
    "{ x[0] = Op<T>::f(x[0], x[1]); }\n"
)


@pytest.mark.parametrize(
    ("launch", "kernel", "inside"),
    [
        ("k<float, Fma><<<1, 32>>>(x)", "k__float_Fma", "Fma__float__f(x[0], x[1])"),
        ("k<float, ops::Sum><<<1, 32>>>(x)", "k__float_Sum", "Sum__float__f(x[0], x[1])"),
        ("go<ops::Sum>(x)", "k__float_Sum", "Sum__float__f(x[0], x[1])"),
    ],
)
def test_kernels_take_templates(launch: str, kernel: str, inside: str) -> None:
    text = (
        f"{_OPS}template <template <class> class A, class T> void go(T *p)\n"
        f"{{ k<T, A><<<1, 32>>>(p); }}\nvoid run(float *x) {{ {launch}; }}\n"
    )
    if "go<" not in launch:
        text = text.replace("k<T, A><<<1, 32>>>(p);", "")
    assert inside in item(text, kernel)
    assert f"{kernel}__launch(1, 32, 0, unknown__);" in output(text)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("apply<Fma>(x[0], x[1])", "apply__Fma_float(x[0], x[1])"),
        ("apply<ops::Sum, float>(x[0], x[1])", "apply__Sum_float(x[0], x[1])"),
        ("Zip<float>().go(x[0])", "Zip__float_Fma__go((Zip__float_Fma){}, x[0])"),
        ("Zip<float, ops::Sum>().go(x[0])", "Zip__float_Sum__go((Zip__float_Sum){}, x[0])"),
    ],
)
def test_functions_and_classes_take_templates(call: str, text: str) -> None:
    kernel = f"__global__ void d(float *x) {{ x[2] = {call}; }}\n"
    assert f"x[2] = {text};" in item(_OPS + kernel, "d")


def test_a_kernel_that_no_launch_gives_its_template_is_refused() -> None:
    assert messages(_OPS) == [
        "8:47 K206 no launch in the file says which template 'Op' stands for",
    ]
