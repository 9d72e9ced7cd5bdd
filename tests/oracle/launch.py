"""Launch texts such as `grid=((N+15)/16, M) block=(16,16)` → extents."""

from __future__ import annotations

import re
from collections.abc import Mapping

from oracle.errors import OracleError
from oracle.thread import Triple


def evaluate(expression: str, values: Mapping[str, float]) -> int:
    """An integer expression in C's syntax, for sizes that are not negative."""
    text = re.sub(r"(?<!/)/(?!/)", "//", expression)
    return int(eval(text, {"__builtins__": {}, "min": min, "max": max}, dict(values)))


def read_launch(text: str, values: Mapping[str, float]) -> tuple[Triple, Triple]:
    """Grid and block of a launch text at these sizes. Raises OracleError."""
    parts = _parts(text)
    if "grid" not in parts or "block" not in parts:
        raise OracleError(f"no grid and block in {text!r}")
    return _extents(parts["grid"], values), _extents(parts["block"], values)


def _parts(text: str) -> dict[str, str]:
    """The text in the parentheses after each `name=`."""
    parts: dict[str, str] = {}
    for match in re.finditer(r"(\w+)\s*=\s*", text):
        depth, end = 0, match.end()
        while end < len(text) and (depth > 0 or not text[end].isspace()):
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        parts[match.group(1)] = text[match.end() : end]
    return parts


def _extents(text: str, values: Mapping[str, float]) -> Triple:
    inner = text[1:-1] if _enclosed(text) else text
    pieces, depth, start = [], 0, 0
    for index, char in enumerate(inner + ","):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            pieces.append(inner[start:index])
            start = index + 1
    numbers = [evaluate(piece, values) for piece in pieces if piece.strip()]
    x, y, z = [*numbers, 1, 1][:3]
    return x, y, z


def _enclosed(text: str) -> bool:
    """Whether the first parenthesis closes at the end."""
    depth = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return char == ")" and index == len(text) - 1
    return False
