"""Constant expressions, with C's precedence and division."""

from __future__ import annotations

import pytest

from estimator.simplify.fold import fold

VALUES = {
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "1 << 20": 1 << 20,
    "0x10 + 010 + 0b11": 27,
    "1'000u": 1000,
    "-7 / 2": -3,
    "-7 % 2": -1,
    "7 - 2 - 1": 4,
    "5 > 3 && 2 != 2": 0,
    "!0 || 1 / 1": 1,
    "3 > 2 ? 10 : 20": 10,
    "(int)4 + ((unsigned)(5))": 9,
    "(bool)7": 1,
    "true + false": 1,
    "~0 & 6 | 1 ^ 2": 7,
    "N * 2": 8,
}
NONE = ["", "x", "1 / 0", "1.5", "f(2)", "1 +", "(1", "(char)300", "(unsigned)-1", "1 2", "a[0]"]


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_values(text: str, value: int) -> None:
    assert fold(text, {"N": 4}) == value


@pytest.mark.parametrize("text", NONE)
def test_no_constants(text: str) -> None:
    assert fold(text) is None
