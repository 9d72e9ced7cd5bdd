"""Small integers are ints in expressions: what a template that stays generic is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

_F = (
    "template <class T> __device__ int f(T x) { x += 10; return x; }\n"
    "template <class T> __device__ int g(T x) { x -= 1; return x > 7 ? 4 : 2; }\n"
)


def _flops(before: str, bound: str, tmp_path: Path) -> dict[str, str]:
    file = tmp_path / "k.cu"
    file.write_text(
        f"{before}__global__ void k(const float *a, float *o, int n)\n{{\n"
        "    int i = threadIdx.x;\n    unsigned char c = 255, z = 0;\n    short h = 32767;\n"
        f"    float s = 0;\n    for (int t = 0; t < {bound}; t++) s += a[t];\n    o[i] = s;\n}}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    return {k: sympy_text(c.formula) for k, c in kernel.per_thread.flops.items()}


@pytest.mark.parametrize(
    ("bound", "trips"),
    [
        ("f(c)", 9),  # 265 modulo 256
        ("f(+c)", 265),
        ("f(-c) + 300", 55),
        ("f(~c) + 300", 54),
        ("f(c + 0)", 265),
        ("f(true ? c : 1)", 265),
        ("f(true ? c : c)", 9),
        ("f(+true)", 11),
        ("g(+z)", 2),  # -1; an unsigned char would be 255
        ("g(z)", 4),
    ],
)
def test_values_that_templates_are_given(bound: str, trips: int, tmp_path: Path) -> None:
    assert _flops(_F, bound, tmp_path) == {"fp32": str(trips)}


def test_lambdas_are_called_with_promoted_values(tmp_path: Path) -> None:
    inside = "([](auto x) { x += 10; return x; })(+c)"
    assert _flops("", inside, tmp_path) == {"fp32": "265"}


def test_a_constant_condition_leaves_the_type_of_both_sides(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a)\n{\n"
        "    a[threadIdx.x] = (sizeof(int) == 4 ? 3 : 2.0f) / (threadIdx.x + 1);\n}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert {k: sympy_text(c.formula) for k, c in kernel.per_thread.flops.items()} == {"fp32": "1"}
