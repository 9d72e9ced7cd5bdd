"""Counts that may take barvinok hours, in a process that is ended in time.

barvinok knows no budget, and nothing in Python interrupts it. Where a set divides by large
numbers, or by several, its count is asked for in a copy of the process, which may use so many
seconds of processor time for each kernel.
"""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from estimator.algebra.remembered import at_next_kernel

# Counts of a kernel that are watched have this many seconds of processor time together, and each
# of them.
_SECONDS = 12
_EACH = 6
# What the divisors of a set's parts come to that barvinok is trusted with: all that took it more
# than a third of a second, among the sets of some thousands of kernels, come to more.
_TRUSTED = 8
# So is one or two parts that divide once each, of few dimensions: 0.1 s at most, while a copy of
# the process takes a hundredth of a second to make.
_FEW_PARTS = 2
_FEW_DIMENSIONS = 5

_left = float(_SECONDS)

Answer = TypeVar("Answer")


class TakesTooLongError(Exception):
    """The count did not end in time."""


@at_next_kernel
def _start() -> None:
    global _left
    _left = float(_SECONDS)


def watched(points: Any, count: Callable[[], Answer]) -> Answer:
    """The answer of a function that counts a set's points. Raises TakesTooLongError, and what the
    function raises."""
    if not hasattr(os, "fork") or divisors(points) < _TRUSTED or _is_small(points):
        return count()
    answer = _asked_apart(count)
    if isinstance(answer, Exception):
        raise answer
    return answer


def divisors(points: Any) -> int:
    """The sum over a set's parts of the product of what they divide by."""
    import islpy as isl

    div = isl.dim_type.div
    if not any(part.dim(div) for part in points.get_basic_sets()):
        return 0
    total = 0
    for part in points.compute_divs().get_basic_sets():
        product = 1 if part.dim(div) else 0
        for n in range(part.dim(div)):
            product *= int(part.get_div(n).get_denominator_val().to_str())
        total += product
    return total


def _is_small(points: Any) -> bool:
    """Whether a set has few parts, each of which divides once at most."""
    import islpy as isl

    dimensions = points.dim(isl.dim_type.set) + points.dim(isl.dim_type.param)
    parts = points.compute_divs().get_basic_sets()
    return (
        len(parts) <= _FEW_PARTS
        and dimensions <= _FEW_DIMENSIONS
        and all(part.dim(isl.dim_type.div) <= 1 for part in parts)
    )


def _asked_apart(count: Callable[[], Answer]) -> Answer | Exception:
    """The answer from a copy of this process, or what it raised there."""
    global _left
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The copy only counts, whatever threads there are here.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        _answer(count, writing, max(1, round(min(_left, _EACH))))
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read()
    finally:
        _, status, usage = os.wait4(child, 0)
    _left -= usage.ru_utime
    if status:
        return TakesTooLongError()
    answer: Answer | Exception = pickle.loads(told)
    return answer


def _answer(count: Callable[[], Answer], writing: int, seconds: int) -> None:
    """Never returns: this is the copy."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        _let_go(writing)
        try:
            told = pickle.dumps(count())
        except Exception as error:
            told = pickle.dumps(error)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(told)
        os._exit(0)
    finally:
        os._exit(1)


def _let_go(writing: int) -> None:
    """Hold no file open but one: who waits for the process to end reads from its pipes."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.closerange(3, writing)
    os.closerange(writing + 1, max(writing, nothing) + 64)
