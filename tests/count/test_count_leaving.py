"""Leaving loops early, in loops inside loops: what the oracle counts, at every size."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

BODIES = {
    "return from the inner loop, by thread": "if (i < N) { for (int k = 0; k < M; k++)"
    " { for (int q = 0; q < M; q++) { if (q + k == i) return; out[k * M + q] = a[i]; } }"
    " out[i] = b[i]; }",
    "return from the inner loop": "for (int k = 0; k < M; k++)"
    " for (int q = 0; q < N; q++) { if (q == M) return; out[q] = 1.0f; }",
    "break under a condition of any shape": "for (unsigned q = i; q < N - 4; q += 8)"
    " { out[q] = a[q]; if (q > 7) break; }",
    "break from both loops": "for (int k = 0; k < M; k++) { for (int q = 0; q < N; q++)"
    " { if (q == k) break; out[q] = a[k]; } if (k == i) break; out[k] = b[k]; }",
    "return after a loop that is left": "for (int k = 0; k < M; k++) { for (int q = k; q < N; q++)"
    " { if (q == i) return; out[q] = 1.0f; } if (k == 2) break; } out[i] = a[i];",
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("sizes", [(13, 3), (6, 9), (32, 32)])
def test_leaving(name: str, sizes: tuple[int, int], tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, const float *b, float *out, int N, int M)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    " + BODIES[name] + "\n}\n"
    )
    values = {"N": sizes[0], "M": sizes[1]}
    assert not compare(file, "k", "grid=((N+7)/8) block=(8)", values).differences
