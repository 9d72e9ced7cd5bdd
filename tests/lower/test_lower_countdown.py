"""Loops that count an unsigned variable down, which never gets below 0."""

from __future__ import annotations

from pathlib import Path

import pytest
from lower.costing import body_costs

BLOCK = "grid=(1) block=(64)"


@pytest.mark.parametrize("ctype", ["unsigned", "size_t", "int"])
@pytest.mark.parametrize(
    "head",
    [
        "for ({0} j = n; j > 0; j--)",
        "for ({0} j = n; j-- > 0;)",
        "for ({0} j = n; j != 0; --j)",
        "for ({0} j = n; j >= 1; j -= 1)",
        "for ({0} j = 2 * n; j >= 2; j -= 2)",
        "for ({0} j = n, end = 0; j > end; j--)",
    ],
)
def test_n_iterations(head: str, ctype: str, tmp_path: Path) -> None:
    found = body_costs(tmp_path, f"{head.format(ctype)} x[j] = 1.0f;", launch=BLOCK)
    assert found == {"stores.global": "n"}


@pytest.mark.parametrize(
    ("body", "stores"),
    [
        ("for (unsigned j = i; j > 0; j--) x[j] = 1.0f;", "63/2"),
        ("for (unsigned j = n; j > 0 && j > 10; j--) x[j] = 1.0f;", "n - 10"),
        ("if (i < 10) for (unsigned j = 10 - i; j > 0; --j) x[j] = 1.0f;", "55/64"),
        # An odd one jumps over 0, and a start below 0 is a very large number.
        ("for (unsigned j = n; j > 0; j -= 2) x[j] = 1.0f;", "trips_5"),
        ("for (unsigned j = i - 5; j > 0; j--) x[0] = 1.0f;", "trips_5"),
    ],
)
def test_other_starts_and_steps(body: str, stores: str, tmp_path: Path) -> None:
    assert body_costs(tmp_path, body, launch=BLOCK) == {"stores.global": stores}
