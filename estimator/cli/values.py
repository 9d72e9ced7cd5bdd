"""NAME=VALUE texts of the command line → names and exact numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal, overload

from estimator.cli.errors import UsageProblem

_BAD_VALUE, _WHOLE_HELP = "K504", "Write an integer, such as N=4096, N=2**20 or N=1e8."
_HELP = "Write a number, such as trips@12=32 or p@17=0.25."
_DIGITS = r"\d+(?:_\d+)*"
_DECIMAL = re.compile(
    rf"[+-]?(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?\d{{1,3}})?"
)
_POWER = re.compile(rf"([+-]?{_DIGITS})\s*(?:\*\*|\^)\s*(\d{{1,3}})")
_FRACTION = re.compile(rf"([+-]?{_DIGITS})\s*/\s*({_DIGITS})")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")
_TOO_LARGE = 2**63
_TRUTHS = {"true": 1, "false": 0}  # of a parameter that is a bool
_LONGEST = 400  # characters; no size has more

Number = int | Fraction


@overload
def assignments(texts: Iterable[str], option: str, *, whole: Literal[True]) -> dict[str, int]: ...


@overload
def assignments(
    texts: Iterable[str], option: str, *, whole: Literal[False]
) -> dict[str, Number]: ...


def assignments(texts: Iterable[str], option: str, *, whole: bool) -> Mapping[str, Number]:
    """The values of `NAME=VALUE` texts by name; the last one of a name counts.

    If `whole`, `true` and `false` are 1 and 0.

    Raises UsageProblem (K504) for a text without a name or number, or, if `whole`, for a
    number that is no integer.
    """
    found: dict[str, Number] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        help = _WHOLE_HELP if whole else _HELP
        if not equals or not name:
            raise UsageProblem(f"{option} {text}: not NAME=VALUE", help, _BAD_VALUE)
        number = _TRUTHS[value] if whole and value in _TRUTHS else parse_number(value)
        if number is None:
            raise UsageProblem(f"{option} {text}: {value!r} is not a number", help, _BAD_VALUE)
        if number >= _TOO_LARGE or -number >= _TOO_LARGE:
            raise UsageProblem(f"{option} {text}: {value} does not fit 64 bits", help, _BAD_VALUE)
        if whole and not isinstance(number, int):
            raise UsageProblem(f"{option} {text}: {value} is not an integer", help, _BAD_VALUE)
        found[name] = number
    return found


def parse_number(text: str) -> Number | None:
    """4096, 1_000_000, 2**20, 1e8, 0x1000, 0.25 or 1/3 as an exact number; None for others."""
    if len(text) > _LONGEST or not text.isascii():
        return None
    if _HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if power := _POWER.fullmatch(text):
        value: int = int(power[1]) ** int(power[2])
        return value
    if fraction := _FRACTION.fullmatch(text):
        return _reduced(Fraction(int(fraction[1]), int(fraction[2]))) if int(fraction[2]) else None
    if _DECIMAL.fullmatch(text):
        return _reduced(Fraction(text.replace("_", "")))
    return None


def macro_definitions(texts: Iterable[str]) -> dict[str, str]:
    """`NAME` or `NAME=VALUE` as a compiler's -D takes them: without a value it is 1."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*(\([\w\s,.]*\))?", name.strip()):
            help = "Write NAME or NAME=VALUE."
            raise UsageProblem(f"--macro {text}: not a macro's name", help, _BAD_VALUE)
        found[name.strip()] = value if equals else "1"
    return found


def _reduced(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else value
