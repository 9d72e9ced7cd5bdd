"""Pointers in arrays and structures, swapped, rotated and chosen by index: what they lead to."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

from estimator.analysis import analyze

KERNEL = """struct Buffers {{ float *in, *out; }};
__global__ void k(float *x, float *y, int m) {{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0;
    {body}
}}
"""
LAUNCH = "grid=(1) block=(32)"
SWAP = "{ float *z = q[0]; q[0] = q[1]; q[1] = z; }"
LOOP = "for (int k = 0; k < m; k++) "
BODIES = {
    "swapped in an array": f"float *q[2] = {{x, y}}; {LOOP}{{ q[1][t] = q[0][t]; {SWAP} }}",
    "shared and global": f"float *q[2] = {{s, x}}; {LOOP}{{ q[1][t] = q[0][t]; {SWAP} }}",
    "swapped in a structure": f"Buffers b = {{x, s}}; {LOOP}"
    "{ b.out[t] = b.in[t] * 2; float *z = b.in; b.in = b.out; b.out = z; }",
    "chosen by thread": "float *q[2] = {x, s}; q[t & 1][t] = 1;",
    "chosen by iteration": f"float *q[2] = {{x, y}}; {LOOP}q[k & 1][t] += 1; x[t] *= 2;",
    "one array twice": f"float *q[2] = {{x, x + 8}}; float a = 0; {LOOP}a += q[k & 1][t];"
    " y[t] = a + x[t];",
    "read with an offset": f"float *q[2] = {{x, y}}; float a = 0; {LOOP}a += q[k & 1][t + k];"
    " x[t] = a + x[t + 1];",
    "used after the loop": f"float *q[2] = {{x, y}}; {LOOP}{SWAP} q[0][t] = q[1][t]; x[t] = 1;",
    "flipped": f"float *q[2] = {{x, y}}; int cur = 0; {LOOP}"
    "{ q[cur ^ 1][t] = q[cur][t] + 1; cur ^= 1; } q[cur][t + 64] = 0;",
    "flipped by subtraction": f"int cur = 1; {LOOP}"
    "{ float *d = cur ? x : y; d[t] += 1; cur = 1 - cur; }",
    "a ring": f"float *q[3] = {{x, y, x + 64}}; int at = 0; float a = 0; {LOOP}"
    "{ a += q[at][t]; at = (at + 1) % 3; } y[t + 200] = a;",
    "rotated": f"float *a = x, *b = x + 32, *c = y; {LOOP}"
    "{ c[t] = a[t] + b[t]; float *z = a; a = b; b = c; c = z; }",
}
SET = f"float *p = x; {LOOP}{{ if (k == 2) p = y; else p += t; *p = 1; }}"


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("m", [0, 1, 2, 4, 5])
def test_at_sizes(tmp_path: Path, name: str, m: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=BODIES[name]))
    assert not differences(path, LAUNCH, {"m": m})


def test_what_nobody_follows_has_no_wrong_number(tmp_path: Path) -> None:
    """Shared or global memory, as data say: refused, not counted as one of the two."""
    path = tmp_path / "k.cu"
    body = f"float *p = s; {LOOP}{{ p[t] = 1; if (x[k] > 0) p = y; if (x[k] > 1) p = s; }}"
    path.write_text(KERNEL.format(body=body))
    (file,) = analyze(str(path)).files
    assert not file.kernels
    assert [d.code.id for d in file.diagnostics] == ["K202"]
    assert "p[t] = 1 may be in one of several memories" in file.diagnostics[0].message


def test_rows_of_arrays_are_not_shown_with_parts_of_them(tmp_path: Path) -> None:
    """`y` alone has 4 bytes in the formula, and more through the pointer at the size given."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=SET))
    at = report(path, LAUNCH, {"m": 5})
    assert at.bytes.compulsory.value == 384  # 48 of x, 48 of y
    assert set(at.bytes.by_array) == {"y", *(n for n in at.bytes.by_array if "pointer" in n)}
    assert at.bytes.by_array["y"].requested.value is None
