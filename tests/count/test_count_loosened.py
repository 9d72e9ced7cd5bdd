"""Bounds of sizes are said as far as the formulas need them, and what divides is said with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

from estimator.algebra.printing import HUMAN, sympy_text, text
from estimator.analysis import analyze

STRIDED = "for (int i = threadIdx.x; i < {}; i += {}) x[i] += 1.0f;"
GUARDED = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2.0f;"
# Body, launch; FLOPs of a thread, whether all do that; what is said of sizes.
KERNELS = [
    # Each of 256 threads takes every 256th element: a full share if there is one for all.
    (STRIDED.format("n", 256), "grid=(1) block=(256)", "n/256", True, ["n by 256"]),
    (STRIDED.format("n / 4", 256), "grid=(1) block=(256)", "n/1024", True, ["n by 1024"]),
    (STRIDED.format("n", "blockDim.x"), "grid=(m) block=(64)", "n/64", True, ["n by 64"]),
    # n + 3 elements are no full share for multiples of 256.
    (STRIDED.format("n + 3", 256), "grid=(1) block=(256)", "(n + 3)/256", False, ["n >= 253"]),
    # Saturated: 1024 threads take one element each if there are as many.
    (GUARDED, "grid=(2) block=(512)", "1", True, ["n >= 1024"]),
    # Sectors are rounded up beyond n, but all of them have threads.
    (GUARDED, "grid=(m) block=(640)", "1", True, ["640m >= n"]),
]  # fmt: skip


@pytest.mark.parametrize(("body", "launch", "flops", "alike", "taken"), KERNELS)
def test_what_is_said_of_sizes(
    tmp_path: Path, body: str, launch: str, flops: str, alike: bool, taken: list[str]
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k(float *x, int n, int m) {{ {body} }}\n")
    found = report(path, launch)
    assert sympy_text(found.per_thread.flops["fp32"].formula) == flops
    assert found.uniform == alike
    said = [
        a.message.removeprefix("sizes divide evenly: ")
        for a in found.assumptions
        if a.code in ("even-sizes", "conditions")
    ]
    assert said == taken
    for n, m in ((512, 1), (300, 2), (7, 3)):
        assert not differences(path, launch, {"n": n, "m": m})


def test_shares_that_differ_take_nothing(tmp_path: Path) -> None:
    """An average needs no bound: threads with an odd index do more."""
    path = tmp_path / "k.cu"
    body = "{ x[i] += 1.0f; if (i % 2) x[i] += 2.0f; }"
    loop = f"for (int i = threadIdx.x; i < n; i += 256) {body}"
    path.write_text(f"__global__ void k(float *x, int n) {{ {loop} }}\n")
    found = report(path, "grid=(1) block=(256)")
    assert not found.uniform
    assert [a.message for a in found.assumptions if a.code == "even-sizes"] == [
        "sizes divide evenly: n by 2"
    ]


def test_a_block_size_that_is_a_minimum(tmp_path: Path) -> None:
    """All of at most 1024 threads have a share where there are as many rows; said once."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(float *x, int n) {\n"
        "  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += 1.0f;\n}\n"
        "void f(float *x, int n) {\n"
        "  int t = n < 1024 ? n : 1024; t = ((t + 31) / 32) * 32; k<<<1, t>>>(x, n);\n}\n"
    )
    (found,) = analyze(str(path)).kernels
    assert sympy_text(found.threads.formula) == "1024"
    assert [a.message for a in found.assumptions if a.code == "conditions"] in ([], ["n >= 1024"])


def test_cases_that_hold_for_all_threads_are_none(tmp_path: Path) -> None:
    """324 elements of a tile for 256 threads: 2 for the first 68, 1 for the others."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *x, float *y) {\n"
        "  for (int i = threadIdx.y * 16 + threadIdx.x; i < 324; i += 256) y[i] = x[i];\n}\n"
    )
    found = report(path, "grid=(1) block=(16, 16)")
    assert found.variation is not None
    said = found.variation.formulas["loads.global"]
    assert text(said, HUMAN) == "⌊(67 − threadIdx.x − 16·threadIdx.y)/256⌋ + 2"
