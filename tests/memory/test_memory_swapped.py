"""Pointers that a loop moves or swaps in ways that are not followed: their array is known still."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

KERNEL = """__global__ void k(const float *a, const float *b, float *o, int n) {{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {{
        float s = 0;
        const float *p = a, *q = a + n;
        {body}
    }}
}}
"""
LAUNCH = "grid=((n+31)/32) block=(32)"
SWAP = "const float *z = p; p = q; q = z;"
BODIES = {
    "left": f"for (int t = 0; t < n; t++) {{ {SWAP} if (t == i) break; }} o[i] = q[i];",
    "used": f"for (int t = 0; t < n; t++) {{ {SWAP} if (t == i) break; o[i] = p[i]; }}"
    " o[n + i] = q[0];",
    "moved": "for (int r = 0; r < n; r++) { for (int c = 0; c < 3; c++) s += p[c];"
    " p += (r % 2) ? 3 : 1; } o[i] = s;",
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("n", [2, 10, 64])
def test_one_array(tmp_path: Path, name: str, n: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=BODIES[name]))
    assert not differences(path, LAUNCH, {"n": n})


def test_swapped_and_left(tmp_path: Path) -> None:
    """Each of 64 threads reads one element, i or n + i: 256 bytes of `a`."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=BODIES["left"]))
    at = report(path, "k: " + LAUNCH, {"n": 64})
    assert set(at.bytes.by_array) == {"a", "o"}
    assert at.bytes.by_array["a"].requested.value == 256
    assert at.bytes.by_array["a"].compulsory.value in (256, None)


def test_one_of_two_arrays(tmp_path: Path) -> None:
    """Which array it is stays unknown, or is said: never a 0 for what is read."""
    path = tmp_path / "k.cu"
    body = f"q = b; {BODIES['left']}"
    path.write_text(KERNEL.format(body=body))
    at = report(path, "k: " + LAUNCH, {"n": 64})
    assert at.bytes.requested.value == 512
    for array in at.bytes.by_array.values():
        for count in (array.requested, array.compulsory, array.compulsory_sectors):
            assert count.value != 0
    assert at.bytes.compulsory.value in (512, None)
