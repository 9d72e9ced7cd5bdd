"""Arrays that are members of a local structure."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

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
)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("n", [2, 9])
def test_member_arrays(body: str, n: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{BEFORE}__global__ void k(float *x, int n) {{ {body} }}\n")
    assert compare(file, "k", "grid=(1) block=(32)", {"n": n}).differences == []
