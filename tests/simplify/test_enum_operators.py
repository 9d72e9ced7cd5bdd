"""Operators of the user's own on enumerations."""

from __future__ import annotations

import pytest
from simplify.simplifying import statement

BEFORE = """
enum F { A = 1, B = 2 };
enum class G { A = 1, B = 2 };
enum H { H0, H1 };
__device__ F operator|(F p, F q) { return F(int(p) + int(q) + 1); }
__device__ F &operator|=(F &p, F q) { p = F(int(p) + 7); return p; }
__device__ F operator+(F p, int q) { return F(int(p) + q * 10); }
__device__ F &operator++(F &p) { p = F(int(p) * 3); return p; }
__device__ bool operator<(G p, G q) { return int(p) > int(q); }
"""
CASES = {
    "F m = A | B;": "F m = operator_or(A, B);",
    "F m = A; m |= B;": "F m = A; operator_or_assign(m, B);",
    "F m = A + 3;": "F m = operator_add(A, 3);",
    "F m = A; ++m;": "F m = A; operator_inc(m);",
    "bool m = G::A < G::B;": "bool m = operator_lt(G__A, G__B);",
    "int m = A | 1;": "int m = A | 1;",
    "int m = H0 | H1;": "int m = H0 | H1;",
    "bool m = A < B;": "bool m = A < B;",
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_operators(text: str, expected: str) -> None:
    assert statement(text, BEFORE) == expected
