"""What a loop's test does to variables and costs, in the evaluation that ends the loop too."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.analysis import analyze
from estimator.options import Options

LAUNCH = "grid=(1) block=(32)"
BEFORE = """
#define T x[threadIdx.x] += 1.f
#define AFTER(v) for (int j = -3; j < (v); j++) x[threadIdx.x] *= 2.f
struct Pair { int k; int m; };
struct Steps { int i; __device__ bool more(int n) { return ++i < n; } };
__device__ bool next(int &k, int n) { return k++ < n; }
"""

# Stores of one thread at n = 6, by hand: one a T, and three and the variable's value an AFTER.
COUNTED = {
    "int k = 0; while (k++ < 7) T; AFTER(k);": 7 + 3 + 8,
    "int k = 0; while (k++ < n) T; AFTER(k);": 6 + 3 + 7,
    "int k = 0; while (++k < 4) T; AFTER(k);": 3 + 3 + 4,
    "int k = n; while (k-- > 0) T; AFTER(k);": 6 + 3 - 1,
    "int k = n; while (k--) T; AFTER(k);": 6 + 3 - 1,
    "unsigned k = n; while (k--) T; AFTER((int)k);": 6 + 3 - 1,
    "int k = 0; for (; k++ < n;) T; AFTER(k);": 6 + 3 + 7,
    "int k = 0; do T; while (k++ < n); AFTER(k);": 7 + 3 + 7,
    "int k = 3; for (; k; --k) T; while (k++ < 2 && k < 9) T; AFTER(k);": 3 + 2 + 3 + 3,
    "int k = 0, m = 9; while (k < 3 && m-- > 0) { k++; T; } AFTER(m);": 3 + 3 + 6,
    "int k = 0, m = 9; while (k++ < n && m-- > 0) T; AFTER(m); AFTER(k);": 6 + 3 + 3 + 3 + 7,
    "Pair t = {0, 7}; while (t.k++ < n) T; AFTER(t.k); AFTER(t.m);": 6 + 3 + 7 + 3 + 7,
    "int k = 0; while (next(k, n)) T; AFTER(k);": 6 + 3 + 7,
    "Steps s; s.i = -1; while (s.more(n)) T; AFTER(s.i);": 6 + 3 + 6,
    "int k = 0; bool end; while (!(end = k++ >= n)) T; if (end) T; AFTER(k);": 6 + 1 + 3 + 7,
    "const float *p = x; while (p++ != x + n) T; AFTER((int)(p - x));": 6 + 3 + 7,
    "int k; while (k = 5, n-- > 0) T; AFTER(k); AFTER(n);": 6 + 3 + 5 + 3 - 1,
    "int k = 0; while (k++ < n) { if (k == 3) continue; T; } AFTER(k);": 5 + 3 + 7,
    "for (int i = 0; i < 3; i++) { int k = i; while (k++ < n) T; AFTER(k); }": 15 + 3 * (3 + 7),
}

# A test that costs something is made once more than the body, which the oracle counts.
COSTLY = (
    "float s = 0; int k = 0; while (s += x[k], k++ < 7) s += 1.f; x[threadIdx.x] = s;",
    "float s = 0; int k = 0; while (s += x[k], k++ < n) s += 1.f; x[threadIdx.x] = s;",
    "float s = 0; for (int k = 0; s += x[k], k < n; k++) s += 1.f; x[threadIdx.x] = s;",
    "float s = 0; for (int k = 0; k < n && (s += x[k], k < 5); k++) s += 1.f; x[threadIdx.x] = s;",
    "float s = 0; int k = 0; do s += x[k]; while (s *= 2.f, ++k < n); x[threadIdx.x] = s;",
    "float s = 0; for (int k = 0; s += x[k], k < n; k++) if (k == 4) break; x[threadIdx.x] = s;",
)

# What is not known after the loop is an unknown: nothing that is given may be wrong.
UNKNOWN = (
    "int k = 0; while (k++ < n) { if (k == 4) break; T; } AFTER(k);",
    "int k = 0, m = 5; while (k++ < 3 || m-- > 0) T; AFTER(m); AFTER(k);",
    "int k = 0, m = 9; do { k++; T; } while (k < 3 && m-- > 0); AFTER(m); AFTER(k);",
    "int k = 1; while ((k *= 2) < n) T; AFTER(k);",
    "int k = n; while (k >>= 1) T; AFTER(k);",
    "int a[2] = {0, 5}; while (a[0]++ < 6) T; AFTER(a[0]);",
    "int k = 0; while (k++ < n) { if (threadIdx.x + k == 9) return; T; } AFTER(k);",
    "int k = 0; while (k++ < n) { if (threadIdx.x + k == 9) goto out; T; } AFTER(k); out: AFTER(k);",
    "int k = 0; while (x[threadIdx.x] > 0.f && k++ < n) T; AFTER(k);",
)


def _file(body: str, folder: Path) -> Path:
    file = folder / "k.cu"
    file.write_text(f"{BEFORE}__global__ void k(float *x, int n) {{ {body} }}\n")
    return file


@pytest.mark.parametrize("body", COUNTED)
def test_a_test_with_effects_that_ends_a_loop_has_them(body: str, tmp_path: Path) -> None:
    options = Options(launches=(LAUNCH,), values={"n": 6})
    (kernel,) = analyze(str(_file(body, tmp_path)), options).kernels
    assert not kernel.unknowns
    assert kernel.grid.stores["global"].value == 32 * COUNTED[body]


@pytest.mark.parametrize("body", COSTLY)
@pytest.mark.parametrize("n", [0, 6])
def test_a_test_is_made_once_more_than_the_body(body: str, n: int, tmp_path: Path) -> None:
    result = compare(_file(body, tmp_path), "k", LAUNCH, {"n": n})
    assert (result.differences, result.skipped) == ([], [])


@pytest.mark.parametrize("body", UNKNOWN)
@pytest.mark.parametrize("n", [0, 6])
def test_no_wrong_number_after_a_test_with_effects(body: str, n: int, tmp_path: Path) -> None:
    assert compare(_file(body, tmp_path), "k", LAUNCH, {"n": n}).differences == []
