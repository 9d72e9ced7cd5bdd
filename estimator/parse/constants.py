"""Integer constant expressions: array lengths, enumerators, attribute values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from pycparser import c_ast

from estimator.algebra.poly import Poly

# The bytes that `sizeof` and `_Alignof` give for a node; None where they are not known.
Measure = Callable[[str, c_ast.Node], int | None]
# The names that C11 has no words for.
TRUTHS = {"true": True, "false": False}
_CHARACTER = re.compile(r"\\(?:x[\da-fA-F]+|[0-7]{1,3}|.)|[^\\]", re.DOTALL)
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11}
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}


def integer_literal(text: str) -> int:
    """The value of a C integer literal. Raises ValueError."""
    digits = re.sub(r"[uUlLzZ]+$", "", text).replace("'", "")
    if re.fullmatch(r"0[0-7]+", digits):
        return int(digits, 8)
    return int(digits, 0)


@cache
def decimal_literal(text: str) -> Poly | None:
    """The value of a plain literal such as 0.5f; None for one with many digits or an exponent."""
    match = re.fullmatch(r"(\d{0,4}\.?\d{0,2})[fFlL]?", text)
    if match is None or not match[1].strip("."):
        return None
    return Poly.of(Fraction(match[1].strip(".") if match[1].endswith(".") else match[1]))


def character_literal(text: str) -> int:
    """The value of a C character literal such as 'a' or '\\n'."""
    inner = text[text.index("'") + 1 : -1]
    if number := re.fullmatch(r"\\(?:x([\da-fA-F]+)|([0-7]{1,3}))", inner):
        code = int(number[1], 16) if number[1] else int(number[2], 8)
        return (code & 0xFF) - ((code & 0x80) << 1)  # char has a sign
    if inner.startswith("\\"):
        return _ESCAPES.get(inner[1], ord(inner[1]))
    return ord(inner[0]) if inner else 0


def string_length(text: str) -> int:
    """The elements of a string literal's array, its end among them."""
    return sum(len(_CHARACTER.findall(part)) for part in _STRING.findall(text)) + 1


def constant_value(
    node: c_ast.Node,
    names: Mapping[str, int],
    measure: Measure | None = None,
) -> int | None:
    """The value of a constant expression; None where it is none."""
    match node:
        case c_ast.Constant() if node.type == "char":
            return character_literal(node.value)
        case c_ast.Constant() if "int" in node.type:
            return integer_literal(node.value)
        case c_ast.ID() if node.name in TRUTHS:
            return int(TRUTHS[node.name])
        case c_ast.ID():
            return names.get(node.name)
        case c_ast.Cast():
            return constant_value(node.expr, names, measure)
        case c_ast.UnaryOp() if node.op in ("sizeof", "_Alignof"):
            return measure(node.op, node.expr) if measure is not None else None
        case c_ast.UnaryOp():
            value = constant_value(node.expr, names, measure)
            if value is None:
                return None
            return {"-": -value, "+": value, "~": ~value, "!": int(not value)}.get(node.op)
        case c_ast.BinaryOp():
            left = constant_value(node.left, names, measure)
            right = constant_value(node.right, names, measure)
            if left is None or right is None or (node.op in "/%" and right == 0):
                return None
            if node.op in ("<<", ">>") and not 0 <= right < 64:
                return None  # no language says what it is
            return _BINARY[node.op](left, right) if node.op in _BINARY else None
        case c_ast.TernaryOp():
            test = constant_value(node.cond, names, measure)
            if test is None:
                return None
            return constant_value(node.iftrue if test else node.iffalse, names, measure)
    return None
