"""Conditions of #if: the numbers in them, in a form that pcpp surely reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from estimator.source.tokens import FLOAT, INTEGER, Token


def integers_for(evaluator: Callable[..., Any]) -> Callable[..., Any]:
    """pcpp's evaluator, given integers in the one form that it surely reads."""

    def evaluate(tokens: list[Token], **hooks: Any) -> Any:
        for token in tokens:
            if token.type == INTEGER:
                token.value = _plain_integer(token.value)
            elif token.type == FLOAT:
                raise SyntaxError("a floating-point number in #if")
        return evaluator(tokens, **hooks)

    return evaluate


def _plain_integer(text: str) -> str:
    digits = text.replace("'", "").rstrip("uUlLzZ")
    unsigned = "U" if "u" in text.lower() else ""
    if digits[:2].lower() in ("0x", "0b"):
        value = int(digits, 0)
    else:
        value = int(digits, 8 if digits.startswith("0") else 10)
    return f"{value}{unsigned}"
