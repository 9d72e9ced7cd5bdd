"""Integers in the width of their types: conversions that cut off, unsigned wrap-around.

Each body runs in thread t of 37; the number of stores was found by enumerating t in C.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.evaluate import evaluate
from estimator.algebra.poly import Poly
from estimator.analysis import analyze
from estimator.options import Options

KERNEL = """#include <cstdint>
__global__ void k(const float *a, float *b, int N)
{{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < N) {{ {body} }}
}}
"""
BODIES = {
    "char c = t * 9; if (c < 0) b[t] = a[t];": 14,
    "int8_t w = (int8_t)(t * 10); if (w < 0) b[t] = 1.f;": 13,
    "uint16_t v = -1; if (v == 65535) b[t] = 1.f;": 37,
    "unsigned short h = t - 3; if (h > 1000) b[t] = 1.f;": 3,
    "uint8_t u = N * 7 + t; if (u > 200) b[t] = 1.f;": 0,
    "unsigned char u = t * 20; if (u < 100) b[t] = a[t];": 15,
    "if ((unsigned char)(t * 20) < 100) b[t] = a[t];": 15,
    "short q = t * 3000; if (q > 0) b[t] = a[t];": 21,
    "if ((char)(t * 9) > 0) b[t] = a[t];": 22,
    "char c = 200; if (c < 0) b[t] = 1.f; unsigned char z = c; if (z == 200) b[t] = 2.f;": 74,
    "unsigned short h = t - 3; if (h > 1000) b[t] = a[t];"
    " for (unsigned char c = 0; c < t; c += 5) b[t] += 1.f;": 151,
    "uint32_t h = t * 2654435761u; if ((h >> 28) == 3) b[t] = 1.f;": 3,
    "unsigned u = t - 10; long y = u; if (y < 0) b[t] = 1.f;": 0,
    "unsigned u = t - 10; if (u % 7 == 1) b[t] = 1.f;": 6,
    "unsigned u = t - 10; if (u / 2 < 3) b[t] = 1.f;": 6,
    "unsigned u = t; int d = (u - 10) / 2; if (d < 0) b[t] = 1.f; if (d > 1000) b[t] = 2.f;": 10,
    "int c = 3000000000u; if (c < 0) b[t] = 1.f; int q = (t << 30) >> 30; if (q == -1) b[t] = 2.f;": 46,
    "unsigned u = t; if (u > 5u) b[t] = 1.f;": 31,
    "if ((unsigned)(t - 10) * 2u < 6u) b[t] = 1.f;": 3,
    "size_t s = t; if (s - 3 < N) b[t] = 1.f;": 34,
    "unsigned u = t; int M = 40; if (u - M < N - M) b[t] = 1.f;": 37,
    "unsigned u = t; int M = 40; if (u - M > N - 30u - M) b[t] = 1.f;": 29,
    "unsigned u = t; if (u - 50 <= N - 60) b[t] = 1.f;": 28,
    "if (t / 2 * 2 == t && (t - 4) / 3 == 0) b[t] = 1.f;": 3,
    "if ((t - 10) % 4 == -1) b[t] = 1.f;": 3,
}


@pytest.mark.parametrize("body", BODIES)
def test_stores(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL.format(body=body))
    options = Options(launches=("k: grid=((N+15)/16) block=(16)",), values={"N": 37})
    (kernel,) = analyze(str(file), options).kernels
    stores = kernel.grid.stores.get("global")
    assert (0 if stores is None else stores.value) == BODIES[body]


def test_a_hash_of_the_thread_index(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a) { unsigned h = threadIdx.x * 2654435761u;"
        " if (h % 2u == 1u && h >> 28 == 3u) a[threadIdx.x] = 1.f; }"
    )
    (kernel,) = analyze(str(file), Options(launches=("k: grid=(1) block=(64)",))).kernels
    exact = kernel.grid.stores["global"].exact
    assert (evaluate(exact, {}) if isinstance(exact, Poly) else exact.evaluate({})) == 2


def test_unsigned_sizes_stay_simple(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, float *b, unsigned W, unsigned H) {"
        " unsigned x = blockIdx.x * blockDim.x + threadIdx.x;"
        " unsigned y = blockIdx.y * blockDim.y + threadIdx.y;"
        " if (x > 0 && x < W - 1 && y > 0 && y < H - 1) {"
        " size_t p = y * W + x - 1; b[y * W + x] = a[p] + a[y * W + x + 1]; } }"
    )
    (kernel,) = analyze(str(file)).kernels
    assert not kernel.unknowns


@pytest.mark.parametrize("shift", ["<< -1", ">> -1", "<< 40", ">> 32", "<< 2147483647"])
def test_shifts_beyond_the_type_are_unknown(shift: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    for (int j = 0; j < n; ++j)\n        i = i {shift};\n    a[i] = 1.0f;\n}}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert [unknown.name for unknown in kernel.unknowns][:1] == ["distinct_a@6.written"]
