"""Arrays that are members of a local structure."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.analysis import analyze
from estimator.options import Options

BEFORE = """
struct M { float m[4]; };
struct N { int n; M a[2]; };
__device__ M make(float v) { M r; for (int k = 0; k < 4; k++) r.m[k] = v; return r; }
__device__ float sum(M r) { float s = 0; for (int k = 0; k < 4; k++) s += r.m[k]; return s; }
__device__ void scale(M &r) { for (int k = 0; k < 4; k++) r.m[k] *= 2.f; }
"""
BODIES = (
    "M a = make(x[0]); if (n > 3) a = make(x[1]); x[threadIdx.x] = a.m[n & 3];",
    "M a = make(x[0]); if (threadIdx.x > n) a = make(x[1]); x[threadIdx.x] = sum(a);",
    "M a = make(x[0]); scale(a); x[threadIdx.x] = sum(a);",
    "M a; for (int i = 0; i < n; i++) { a.m[i & 3] = x[i]; if (i == 5) a = make(2.f); }"
    " x[threadIdx.x] = a.m[2];",
    "M a, b; a.m[1] = x[0]; b = a; x[threadIdx.x] = b.m[n & 3];",
    "M a; M *p = &a; p->m[1] = x[3]; x[threadIdx.x] = p->m[n & 3];",
    "M a = {{1.f, 2.f}}; x[threadIdx.x] = sum(a);",
    "N q; q.n = 3; q.a[1].m[2] = x[3]; q.a[0] = q.a[1]; x[threadIdx.x] = q.a[0].m[n & 3];",
    "union { float f[2]; double d; } u; u.d = x[3]; x[threadIdx.x] = u.f[n & 1];",
)
# Local loads and stores of a thread, by hand: a member is counted as an array of its own is.
COUNTED = {
    "float a[4]; for (int k = 0; k < 4; k++) a[k] = x[k]; x[9] = a[n] + a[0];": (2, 4),
    "M a; for (int k = 0; k < 4; k++) a.m[k] = x[k]; x[9] = a.m[n] + a.m[0];": (2, 4),
    "float a[4] = {}; x[9] = a[n];": (1, 4),
    "M a = {}; x[9] = a.m[n];": (1, 4),
    "M a = make(1.f), b = a; x[9] = sum(b);": (4, 4),
    "x[9] = p.m[n];": (0, 0),  # what a kernel is given lies in constant memory
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("n", [2, 9])
def test_member_arrays(body: str, n: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{BEFORE}__global__ void k(float *x, int n) {{ {body} }}\n")
    assert compare(file, "k", "grid=(1) block=(32)", {"n": n}).differences == []


@pytest.mark.parametrize("body", COUNTED)
def test_a_member_counts_as_an_array_does(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{BEFORE}__global__ void k(float *x, int n, M p) {{ {body} }}\n")
    (kernel,) = analyze(str(file), Options(launches=("grid=(1) block=(32)",))).kernels
    counts = (kernel.grid.loads.get("local"), kernel.grid.stores.get("local"))
    assert tuple(c.value if c else 0 for c in counts) == tuple(32 * n for n in COUNTED[body])
