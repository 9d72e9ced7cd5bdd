"""Periodic boundaries: the neighbour of the last element is the first."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import compulsory, differences, report, sectors

LINE = """__global__ void k(const float *a, const int *p, float *out, int n, int m)
{{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= n || y >= m) return;
    float sum = 0;
    {body}
    out[y * n + x] = sum;
}}
"""
LAUNCH = "grid=((n+7)/8,(m+7)/8) block=(8,8)"
# Every element of the rows and columns that come up is read: by hand.
BODIES = {
    "sum += a[(x - 1 + n) % n] + a[(x + 1) % n];": "4*n",
    "sum += a[y * n + (x + n - 1) % n] + a[y * n + (x + 1) % n];": "4*m*n",
    "for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)"
    " if (dx || dy) sum += a[((y + dy + m) % m) * n + (x + dx + n) % n];": "4*m*n",
    # Only inside: columns 0 to n - 3, moved by one, and every column moved by 2.
    "if (x < n - 2) sum += a[(x + 1) % n];": "4*n - 8",
    "sum += a[x]; if (x < n - 1) sum += a[(x + 2) % n + n];": "8*n - 4",
    # What is read if data says so is read anyway.
    "sum += a[(x + 1) % n]; if (p[x] > 0) sum += a[x];": "4*n",
}


@pytest.mark.parametrize("body", BODIES)
def test_periodic(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(LINE.format(body=body))
    found = report(path, LAUNCH)
    assert compulsory(found)["a"] == BODIES[body]
    assert "sectors" not in sectors(found)["a"]
    for n, m in ((8, 8), (7, 5), (13, 3), (3, 9), (2, 2), (1, 1), (32, 32)):
        assert not differences(path, LAUNCH, {"n": n, "m": m})


def test_shares_of_neighbours(tmp_path: Path) -> None:
    """x and its neighbour are read by different threads, whose conditions are their own."""
    path = tmp_path / "k.cu"
    path.write_text(LINE.format(body="if (p[x] > 0) sum += a[x] + a[(x + 1) % n];"))
    assert compulsory(report(path, LAUNCH))["a"] == "4*distinct_a_6"


def test_a_ring_without_a_guard(tmp_path: Path) -> None:
    """`(i - 1 + n) % n`, which divides nothing negative: n elements, two neighbours each."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *in, float *out, int n)\n{\n"
        "    int i = blockIdx.x * 8 + threadIdx.x;\n"
        "    out[i] = in[(i + 1) % n] - in[(i - 1 + n) % n];\n}\n"
    )
    launch = "grid=(n/8) block=(8)"
    found = report(path, launch)
    assert compulsory(found) == {"in": "4*n", "out": "4*n"}
    for n in (8, 16, 40):
        assert not differences(path, launch, {"n": n})
