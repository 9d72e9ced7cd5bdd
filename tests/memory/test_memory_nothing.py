"""Sizes at which nothing is touched: no byte and no sector then, as number and as formula."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

KERNEL = """__global__ void k(const float *a, float *out, int N, int M)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
"""
BODIES = (
    "if (i < N - 1) out[i] = a[i + 1];",
    "if (i > 2 && i < N) out[i] = a[i];",
    "if (i < N) for (int k = 2; k < M; ++k) out[i * M + k] = a[k + 1];",
    "if (i < N) { float2 v = *(const float2 *)(a + 2 * i); out[i] = v.x + v.y; }",
    "if (i < N) out[i] = a[M];",
    "for (int k = 0; k < M; k += 8) if (k + threadIdx.x < M) out[k + threadIdx.x] = a[k];",
)


@pytest.mark.parametrize("body", BODIES)
def test_few_elements(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    for n in (0, 1, 2, 3, 4, 9):
        for m in (0, 1, 3, 8):
            found = differences(path, "grid=((N+7)/8) block=(8)", {"N": n, "M": m})
            assert not found, (n, m)


def test_no_blocks(tmp_path: Path) -> None:
    """`a` is the same for all blocks: 4*M bytes if there is one, none if there is none."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *a, float *out, int N, int M)\n"
        "{ for (int k = threadIdx.x; k < M; k += 8) out[blockIdx.x * M + k] = a[k]; }\n"
    )
    for n, read in ((0, 0), (1, 20), (2, 20)):
        found = report(path, "grid=(N) block=(8)", {"N": n, "M": 5}).bytes.by_array["a"]
        assert found.compulsory.value == read
        assert found.compulsory_sectors.value == (32 if read else 0)
