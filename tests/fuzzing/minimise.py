"""Delta debugging: the least text that still fails in the same way.

Zeller, Hildebrandt, *Simplifying and isolating failure-inducing input* (IEEE TSE 2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

from fuzzing.tokens import tokens_of

Piece = TypeVar("Piece", str, bytes)


def minimise(data: bytes, fails: Callable[[bytes], bool], seconds: float = 120.0) -> bytes:
    """Fewer lines, then fewer tokens, then fewer bytes where it is no text; at most so long."""
    end = monotonic() + seconds
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pieces = [data[n : n + 1] for n in range(len(data))]
        return b"".join(_fewer(pieces, lambda kept: fails(b"".join(kept)), end))

    def still(kept: Sequence[str]) -> bool:
        return fails("".join(kept).encode("utf-8"))

    for cut in (lambda t: t.splitlines(keepends=True), tokens_of, tokens_of):
        text = "".join(_fewer(cut(text), still, end))
    return text.encode("utf-8")


def _fewer(
    pieces: Sequence[Piece], fails: Callable[[Sequence[Piece]], bool], end: float
) -> Sequence[Piece]:
    """The pieces without all those, in ever smaller runs, that the failure does not need."""
    size = max(1, len(pieces) // 2)
    while pieces:
        start = 0
        while start < len(pieces):
            if monotonic() > end:
                return pieces
            rest = [*pieces[:start], *pieces[start + size :]]
            if fails(rest):
                pieces = rest
            else:
                start += size
        if size == 1:
            break
        size = max(1, size // 2)
    return pieces
