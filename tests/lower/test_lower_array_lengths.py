"""Arrays without elements are refused where they are declared."""

from __future__ import annotations

from pathlib import Path

import pytest
from lower.costing import file_of

BEFORE = """
#define NEGATIVE (4 - 5)
constexpr int NONE = 2 - 2;
template <int N> __device__ float held(float v) { float s[N]; s[0] = v; return s[0]; }
struct Broken { float m[-2]; int n; };
struct Tail { int n; float m[0]; };
__constant__ float table[NONE];
"""


def codes_of(folder: Path, body: str) -> list[str]:
    kernel = f"__global__ void k(float *x, void *p, int n) {{ {body} }}"
    return [d.code.id for d in file_of(folder, BEFORE + kernel).diagnostics]


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ float s[-1]; x[0] = s[n];",
        "__shared__ float s[NEGATIVE]; x[0] = s[n];",
        "float s[4][NONE]; x[0] = s[0][0];",
        "const int m = 3; float s[m - 3]; x[0] = s[0];",
        "x[0] = held<0>(x[1]);",
        "x[0] = table[n];",
        "Broken b; b.n = 1; x[0] = b.n;",
        "x[0] = sizeof(float[-4]);",
    ],
)
def test_refused(tmp_path: Path, body: str) -> None:
    assert codes_of(tmp_path, body) == ["K207"]


@pytest.mark.parametrize(
    "body",
    [
        "extern __shared__ float s[]; x[0] = s[n];",
        "__shared__ float s[-NEGATIVE]; x[0] = s[0];",
        "x[0] = held<1>(x[1]);",
        "Tail *t = (Tail *)p; x[0] = t->m[n];",
    ],
)
def test_taken(tmp_path: Path, body: str) -> None:
    assert codes_of(tmp_path, body) == []


def test_place(tmp_path: Path) -> None:
    body = (
        "__global__ void k(float *x)\n{\n    __shared__ float s[NEGATIVE];\n    x[0] = s[0];\n}\n"
    )
    (found,) = file_of(tmp_path, BEFORE + body).diagnostics
    assert (found.position.line, found.position.column) == (BEFORE.count("\n") + 3, 24)
    assert found.message == "an array of -1 elements; it needs 1 at least"
