"""Template values that a templated launcher gives a kernel: its constants and its own parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplify.simplifying import item, names

from estimator.analysis import analyze
from estimator.options import Options

KERNEL = """
template <typename T, int W> __global__ void f(T *y, const T *a) {
    T s = 0;
    for (int i = 0; i < W; i++) s += a[i * 32 + threadIdx.x];
    y[threadIdx.x] = s;
}
constexpr int twice(int a) { return 2 * a; }
constexpr int OUTER = 16;
"""
CONSTANTS = {
    "the same name": ("constexpr int W = 64; f<T, W>", "64"),
    "another name": ("constexpr int Q = 64; f<T, Q>", "64"),
    "computed": ("constexpr int Q = 32; const int R = 2 * Q; f<T, R>", "64"),
    "of the assumed type": ("constexpr int Q = 64 / sizeof(T); f<T, Q>", "16"),
    "outside": ("f<T, OUTER>", "16"),
    "literal": ("f<T, 8>", "8"),
}


@pytest.mark.parametrize(("launch", "value"), CONSTANTS.values(), ids=CONSTANTS)
def test_constants(launch: str, value: str) -> None:
    text = (
        f"{KERNEL}template <typename T> void run(T *y, const T *a) {{ {launch}<<<1, 32>>>(y, a); }}"
    )
    assert f"f__{value}" in names(text)
    assert f'[[cuda::instance("f<T, {value}>")]]' in item(text, f"f__{value}")
    assert "f" not in names(text)


def test_parameters_of_the_launcher_are_those_of_the_kernel() -> None:
    text = f"{KERNEL}template <typename T, int P> void run(T *y, const T *a) "
    text += "{ f<T, P><<<P, P>>>(y, a); }"
    assert "f__launch(P, P, 0, unknown__, unknown__, P);" in item(text, "launch__1")


def test_what_is_computed_by_a_function() -> None:
    text = f"{KERNEL}void run(float *y, const float *a) "
    text += "{ constexpr int Q = twice(4); f<float, Q><<<1, 32>>>(y, a); }"
    launch = item(text, "launch__1")
    assert "constexpr int Q = twice(4);" in launch
    assert "f__float__launch(1, 32, 0, unknown__, unknown__, Q);" in launch


def test_counts_are_in_one_symbol(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"{KERNEL}template <typename T, int P> void run(T *y, const T *a) {{ f<T, P><<<P, P>>>(y, a); }}"
        "template <typename T, int P> void more(T *y, const T *a) { f<T, 2 * P><<<P, 32>>>(y, a); }"
    )
    first, second = analyze([str(path)], Options(exact=True)).kernels
    assert str(first.grid.flops["fp32"].formula) == "1*W^3"
    assert str(second.grid.flops["fp32"].formula) == "64*P^2"
