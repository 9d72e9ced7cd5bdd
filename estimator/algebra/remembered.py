"""Answers that are kept: within one kernel the same questions of algebra come again and again.

Kept for one kernel at a time. Values that are equal may still differ in the source lines that
conditions inside them name, and those of one kernel must not turn up in another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_MOST = 4096  # answers of one function
_forget: list[Callable[[], None]] = []


def remembered(function: F) -> F:
    """A decorator for a function of values that nothing changes: each question is worked out once.

    What it raises is not kept.
    """
    kept = lru_cache(maxsize=_MOST)(function)
    _forget.append(kept.cache_clear)
    return cast("F", kept)


def at_next_kernel(function: Callable[[], None]) -> Callable[[], None]:
    """A decorator for what else starts anew with each kernel."""
    _forget.append(function)
    return function


def forget() -> None:
    """Start on another kernel."""
    for each in _forget:
        each()
