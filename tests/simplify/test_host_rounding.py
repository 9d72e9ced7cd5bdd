"""Quotients that host code rounds by floats become whole numbers."""

from __future__ import annotations

import pytest
from simplifying import item

KERNEL = "__global__ void k(float *x, int n) { }\nconst int M = 500;\nconstexpr float F = 1.5f;\n"
GRIDS = {
    "constant by an extent": (
        "(size_t)ceil(((float)1000) / ((float)b.x))",
        "(size_t)((1000 + (b.x) - 1) / (b.x))",
    ),
    "variable by an extent": ("ceil((float)n / b.x)", "((n + (b.x) - 1) / (b.x))"),
    "extent by an extent": ("ceil((float)c.y / b.x)", "(((c.y) + (b.x) - 1) / (b.x))"),
    "constant of the file": ("ceil(M / 32.0f)", "((M + 32 - 1) / 32)"),
    "float of the file": ("ceil(n / F)", "ceil(n / F)"),
    "member that is a float": ("ceil(s.f / 2)", "ceil(s_f / 2)"),
    "numbers": ("ceil(1000.0 / 32)", "((1000 + 32 - 1) / 32)"),
}


@pytest.mark.parametrize(("grid", "result"), GRIDS.values(), ids=GRIDS)
def test_grids(grid: str, result: str) -> None:
    host = f"struct S {{ float f; }}; void h(float *x, int n, S s) {{ dim3 b(32), c(8, 8); k<<<{grid}, b>>>(x, 4); }}"
    text = item(KERNEL + host, "launch__1")
    assert f"k__launch({result}, b, 0, unknown__, 4);" in text
