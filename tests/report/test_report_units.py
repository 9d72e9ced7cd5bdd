"""Numbers as people read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from estimator.report import units


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (1.38888e-3, "s", "1.39 ms"),
        (1.0916e-6, "s", "1.09 µs"),
        (72e9, "FLOP/s", "72 GFLOP/s"),
        (91.60704e12, "FLOP/s", "91.6 TFLOP/s"),
        (999.6e9, "B/s", "1 TB/s"),
        (3.35e12, "B/s", "3.35 TB/s"),
        (2.5e18, "FLOP/s", "2,500 PFLOP/s"),
        (3e-13, "s", "0.3 ps"),
        (0, "s", "0 s"),
        (1, "B", "1 B"),
        (999, "B", "999 B"),
        (1.2e9, "B", "1.2 GB"),
    ],
)
def test_si(value: float, unit: str, expected: str) -> None:
    assert units.si(value, unit) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(42.6667, "42.7"), (1272.32, "1,270"), (0.083333, "0.0833"), (683, "683"), (0, "0"),
     (106.03, "106"), (20, "20"), (1e-7, "0.0000001"), (123456, "123,000")],
)  # fmt: skip
def test_short(value: float, expected: str) -> None:
    assert units.short(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (137438953472, "137,438,953,472"),
        (Fraction(5, 2), "2.5"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(4, 2), "2"),
        (Fraction(1, 3), "0.333"),
        (Fraction(10**7, 3), "3,333,333.3"),
        (Fraction(1, 256), "0.00391"),
        (10**30, "1" + ",000" * 10),
        (Fraction(10**30 + 1, 2), "500" + ",000" * 9 + ".5"),
    ],
)
def test_exact(value: Fraction | int, expected: str) -> None:
    assert units.exact(value) == expected
