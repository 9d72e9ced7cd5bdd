"""Numbers for people: thousands separators, three digits, SI prefixes."""

from __future__ import annotations

from fractions import Fraction

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
_SMALLEST, _LARGEST = min(_PREFIXES), max(_PREFIXES)
_LONGEST_DECIMAL = 4


def si(value: float, unit: str) -> str:
    """`1.39 ms`, `72 GFLOP/s`: three significant digits and the prefix that fits."""
    if value == 0:
        return f"0 {unit}"
    exponent = _exponent(value)
    scaled = value / 10**exponent
    if _rounded(scaled) >= 1000 and exponent < _LARGEST:
        exponent += 3
        scaled = value / 10**exponent
    return f"{short(scaled)} {_PREFIXES[exponent]}{unit}"


def short(value: float) -> str:
    """Three significant digits, without exponent: `42.7`, `0.0833`, `1,270`."""
    return _plain(_rounded(value)) if value else "0"


def exact(value: Fraction | int) -> str:
    """A count in full: `137,438,953,472`, `2.5`; three digits where no decimal is exact."""
    if isinstance(value, int) or value.denominator == 1:
        return f"{int(value):,}"
    decimals = _decimals(value.denominator)
    if decimals is None:
        if abs(value) < 1000:
            return short(float(value))
        value, decimals = round(value, 1), 1
    sign, scaled = "-" if value < 0 else "", int(abs(value) * 10**decimals)
    whole, rest = divmod(scaled, 10**decimals)
    return f"{sign}{whole:,}.{rest:0{decimals}}"


def _exponent(value: float) -> int:
    exponent = 0
    while abs(value) >= 1000 and exponent < _LARGEST:
        value, exponent = value / 1000, exponent + 3
    while abs(value) < 1 and exponent > _SMALLEST:
        value, exponent = value * 1000, exponent - 3
    return exponent


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _plain(value: float) -> str:
    text = f"{value:,.15f}" if abs(value) < 1 else f"{value:,.2f}"
    text = text.rstrip("0").rstrip(".")
    return text or "0"


def _decimals(denominator: int) -> int | None:
    """How many decimals 1/denominator has, None for more than a reader wants."""
    for decimals in range(1, _LONGEST_DECIMAL + 1):
        if 10**decimals % denominator == 0:
            return decimals
    return None
