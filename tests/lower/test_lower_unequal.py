"""`k != x` beside another way out of a loop: who starts beyond x goes on to that one."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

LOOPS = {
    "up, a number": "for (int k = i; k < n && k != 5; k++) a[k] += 1.0f;",
    "the other way round": "for (int k = i; k != 5 && k < n; k++) a[k] += 1.0f;",
    "a parameter": "for (int k = i; k != m && k < n; k++) a[i] += b[k];",
    "a thread's own": "for (int k = 0; k < n && k != i - 8; k++) a[i] += b[k];",
    "from a parameter": "for (int k = m; k < 6 && k != 3; k++) a[i] += b[k];",
    "down": "for (int k = i; k >= 0 && k != 5; k--) a[i] += b[k];",
    "down from a parameter": "for (int k = m; k >= 0 && k != 2; k--) a[i] += 1.0f;",
    "in twos": "for (int k = i; k < n && k != 6; k += 2) a[k] += 1.0f;",
    "down in twos": "for (int k = i; k > 0 && k != 3; k -= 2) a[k] += 1.0f;",
    "in steps that never meet": "for (int k = 0; k < n && k != 5; k += 2) a[k] += 1.0f;",
    "in steps that meet": "for (int k = 0; k < n && k != 6; k += 2) a[k] += 1.0f;",
    "past it at the start": "for (int k = 7; k < n && k != 5; k++) a[k] += 1.0f;",
    "not equal": "for (int k = i; !(k >= n || k == 5); k++) a[k] += 1.0f;",
    "a break first": "int k = i; while (k != 5) { if (k >= n) break; a[k] += 1.0f; k++; }",
    "a break last": "for (int k = m; k != 2; k--) { a[i] += 1.0f; if (k < 0) break; }",
    "a return": "int k = i; while (k != 5) { if (k >= n) return; a[k] += 1.0f; k++; }",
    "do": "int k = i; do { a[i] += 1.0f; k--; } while (k >= 0 && k != 2);",
    "do with a parameter": "int k = m; do { a[i] += b[k]; k--; } while (k >= 0 && k != 2);",
    "do, not equal": "int k = m; do { a[i] += 1.0f; k--; } while (!(k < 0 || k == 2));",
    "do, up": "int k = m; do { a[i] += 1.0f; k++; } while (k < 6 && k != 3);",
    "do in twos": "int k = m; do { a[i] += 1.0f; k -= 2; } while (k > 0 && k != 3);",
    "do with a break": "int k = m; do { a[i] += 1.0f; if (k < 0) break; k--; } while (k != 2);",
    "inside another": "for (int j = 0; j < i; j++) for (int k = j; k < n && k != 3; k++) a[k] += 1.0f;",
}


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("m", [0, 1, 2, 3, 4, 8])
def test_loops_with_an_unequal(name: str, m: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, const float *b, int n, int m)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n) {{ {LOOPS[name]} }}\n}}\n"
    )
    found = compare(file, "k", "grid=((n+7)/8) block=(8)", {"n": 4 + 3 * m, "m": m})
    assert not found.differences
    assert not found.skipped


AFTER = {
    "up": "int k = i; while (k < n && k != 5) k++; a[k] += 1.0f;",
    "a break": "int k = i; for (; k < n; k++) if (k == m) break; a[k] += 1.0f;",
    "down": "int k = i; while (k > 0 && k != m) k--; a[k] += 1.0f;",
    "do": "int k = i; do k++; while (k < n && k != m); a[k] += 1.0f;",
    "a trip count": "int k = i, s = 0; while (k < n && k != m) { k++; s++; } "
    "for (int j = 0; j < s; j++) a[j] += 1.0f;",
}


@pytest.mark.parametrize("name", AFTER)
@pytest.mark.parametrize("m", [0, 1, 3, 8])
def test_values_after_loops_with_an_unequal(name: str, m: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, int n, int m)\n{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n) {{ {AFTER[name]} }}\n}}\n"
    )
    found = compare(file, "k", "grid=((n+7)/8) block=(8)", {"n": 4 + 3 * m, "m": m})
    assert not found.differences
