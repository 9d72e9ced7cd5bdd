"""Constant integer expressions of C, evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from estimator.simplify.names import words

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)(?P<suffix>[uUlLzZ]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^~!?:()]))"
)
_LEVELS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7,
    ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_WORDS = {"true": 1, "false": 0}
_CASTS = words("int long unsigned short char bool size_t const signed int64_t uint64_t")
_MOST_TOKENS = 400


def _quotient(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)),
    "&&": lambda a, b: int(bool(a and b)),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << b if 0 <= b < 64 else 0,
    ">>": lambda a, b: a >> b if 0 <= b < 64 else 0,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
}


_SMALL = re.compile(r"0|-?[1-9][0-9]{0,17}")


class _NotConstantError(Exception):
    pass


def fold(text: str, names: Mapping[str, int] | None = None) -> int | None:
    """The value of a constant integer expression; None where it is none.

    `names` gives values to names. Arithmetic is exact, so results that would wrap in C are
    None too.
    """
    if _SMALL.fullmatch(text):
        return int(text)  # most are plain numbers
    try:
        tokens = _tokens(text, names or {})
        folder = _Folder(tokens)
        value = folder.conditional()
        if folder.at != len(tokens) or not -(1 << 63) <= value < 1 << 64:
            return None
    except (_NotConstantError, ZeroDivisionError, IndexError):
        return None
    return value


def _tokens(text: str, names: Mapping[str, int]) -> list[int | str]:
    found: list[int | str] = []
    at, text = 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(found) > _MOST_TOKENS:
            raise _NotConstantError
        at = match.end()
        number, name = match["number"], match["name"]
        if number is not None:
            digits = number.replace("'", "")
            octal = digits.startswith("0") and digits.isdigit()
            found.append(int(digits, 8) if octal else int(digits, 0))
        elif name is not None:
            if name in _CASTS:
                found.append(name)
            elif name in _WORDS or name in names:
                found.append(_WORDS[name] if name in _WORDS else names[name])
            else:
                raise _NotConstantError
        else:
            found.append(match["sign"])
    return found


class _Folder:
    """Precedence climbing over the tokens; the depth is bounded by their number."""

    def __init__(self, tokens: list[int | str]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self) -> int | str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, sign: str) -> None:
        if self.peek() != sign:
            raise _NotConstantError
        self.at += 1

    def conditional(self) -> int:
        condition = self.binary(1)
        if self.peek() != "?":
            return condition
        self.take("?")
        yes = self.conditional()
        self.take(":")
        no = self.conditional()
        return yes if condition else no

    def binary(self, level: int) -> int:
        left = self.unary()
        while True:
            sign = self.peek()
            if not isinstance(sign, str) or _LEVELS.get(sign, 0) < level:
                return left
            self.at += 1
            right = self.binary(_LEVELS[sign] + 1)
            left = _OPERATIONS[sign](left, right)

    def unary(self) -> int:
        token = self.peek()
        self.at += 1
        if isinstance(token, int):
            return token
        if token == "-":
            return -self.unary()
        if token == "+":
            return self.unary()
        if token == "~":
            return ~self.unary()
        if token == "!":
            return int(not self.unary())
        if token != "(":
            raise _NotConstantError
        if self.peek() in _CASTS:
            return self._cast()
        value = self.conditional()
        self.take(")")
        return value

    def _cast(self) -> int:
        words: set[int | str] = set()
        while self.peek() in _CASTS:
            words.add(self.peek())
            self.at += 1
        self.take(")")
        value = self.unary()
        if words & {"char", "short"} or (value < 0 and words & {"unsigned", "size_t"}):
            raise _NotConstantError
        return int(bool(value)) if "bool" in words else value
