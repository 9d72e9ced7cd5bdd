"""Braced lists among the arguments of launches; folds as results."""

from __future__ import annotations

import pytest
from simplifying import output

_KERNELS = (
    "template <class T> struct V { T *p; int n; };\n"
    "struct W { float *p; int n; };\n"
    "__global__ void a(V<float> v, int m) { if (threadIdx.x < m) v.p[0] = 1; }\n"
    "__global__ void b(const W v, int m) { if (threadIdx.x < m) v.p[0] = 1; }\n"
    "__global__ void c(float2 v, int m, float *p) { if (threadIdx.x < m) p[0] = v.x; }\n"
    "template <class T> __global__ void d(T v, int m) { if (threadIdx.x < m) v.p[0] = 1; }\n"
)


@pytest.mark.parametrize(
    ("launch", "text"),
    [
        ("a<<<n, 64>>>({x, n}, n)", "a__launch(n, 64, 0, unknown__, n)"),
        ("a<<<n, 64>>>(V<float>{x, n}, {n})", "a__launch(n, 64, 0, unknown__, n)"),
        ("a<<<n, 64>>>({}, n)", "a__launch(n, 64, 0, unknown__, n)"),
        ("b<<<n, 64>>>({x, n}, {n + 1})", "b__launch(n, 64, 0, unknown__, n + 1)"),
        ("b<<<n, 64>>>({.p = x, .n = n}, n)", "b__launch(n, 64, 0, unknown__, n)"),
        ("b<<<n, 64>>>(W{x, n}, int{n})", "b__launch(n, 64, 0, unknown__, ((int)(n)))"),
        ("c<<<n, 64>>>({1.f, 2.f}, n, x)", "c__launch(n, 64, 0, unknown__, n, unknown__)"),
        ("d<V<float>><<<n, 64>>>({x, n}, n)", "d__V__float__launch(n, 64, 0, unknown__, n)"),
        ("d<<<n, 64>>>(W{x, n}, n)", "d__W__launch(n, 64, 0, unknown__, n)"),
    ],
)
def test_lists_of_launches(launch: str, text: str) -> None:
    found = output(f"{_KERNELS}void run(float *x, int n) {{ {launch}; }}\n")
    line = next(line for line in found.splitlines() if "__launch(" in line)
    assert line.strip() == f"{text};"


@pytest.mark.parametrize(
    ("result", "call", "text"),
    [
        ("(ts + ...)", "f(x[0], 1.0f)", "float f__float_float(float ts__0, float ts__1)"),
        ("(... * ts)", "f(h, h)", "int f__short_short(short ts__0, short ts__1)"),
        ("(ts + ...)", "f(h)", "short f__short(short ts__0)"),
        ("(1.0 + ... + ts)", "f(x[0])", "double f__float(float ts__0)"),
        ("(ts << ... << 2l)", "f(h)", "int f__short(short ts__0)"),
        ("((ts > 0) || ...)", "f(1, x[0])", "bool f__int_float(int ts__0, float ts__1)"),
        ("(ts, ...)", "f(1, x[0])", "float f__int_float(int ts__0, float ts__1)"),
    ],
)
@pytest.mark.parametrize("auto", ["auto", "decltype(auto)"])
def test_folds_have_types(auto: str, result: str, call: str, text: str) -> None:
    found = output(
        f"template <typename... Ts> __device__ {auto} f(Ts... ts) {{ return {result}; }}\n"
        f"__global__ void k(float *x, short h) {{ x[0] = {call}; }}\n"
    )
    assert f"{text} {{" in found


@pytest.mark.parametrize(
    ("argument", "instance"),
    [
        ("v", "k__double_3"),
        ("w", "k__float_2"),
        ("V<double, 4>{y, n}", "k__double_4"),
        ("nested", "k__V__float_2_2"),
    ],
)
def test_arguments_of_class_templates_say_which_instance_is_launched(
    argument: str, instance: str
) -> None:
    found = output(
        "template <class T, int N = 2> struct V { T *p; int n; };\n"
        "template <class T, int N> __global__ void k(const V<T, N> v, int m)\n"
        "{ if (threadIdx.x < m) v.n; }\n"
        "void run(float *x, double *y, int n)\n{\n"
        "    V<double, 3> v{y, n};\n    V<float> w{x, n};\n    V<V<float>> nested;\n"
        f"    k<<<n, 64>>>({argument}, n);\n}}\n"
    )
    assert f"    {instance}__launch(n, 64, 0, unknown__, n);" in found
