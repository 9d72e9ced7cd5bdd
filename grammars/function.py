"""How the tables say what a function costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MathFunction:
    """`flops` and `special` per call; `result` is a precision, "argument" for that of the
    arguments, or "int"; `packed` functions give a vector of two halves."""

    flops: int
    special: int
    result: str
    packed: bool = False
