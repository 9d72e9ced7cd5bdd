"""Line continuations: joined for reading, and undone for positions."""

from __future__ import annotations

import re
from bisect import bisect_right

from estimator.immutable import immutable

_CONTINUATION = re.compile(r"\\[^\S\n]*\n")


@immutable()
class Spliced:
    """A text without its continuations; `cuts` are the offsets in it where one was."""

    text: str
    cuts: list[int]
    removed: list[int]  # up to each cut

    def original(self, offset: int) -> int:
        """The offset in the original text of the character at `offset`."""
        index = bisect_right(self.cuts, offset) - 1
        return offset + self.removed[index] if index >= 0 else offset

    def next_cut(self, offset: int) -> int:
        """The first cut after `offset`, or the end of the text."""
        index = bisect_right(self.cuts, offset)
        return self.cuts[index] if index < len(self.cuts) else len(self.text)


def splice(text: str) -> Spliced:
    """`text` with every backslash at the end of a line removed together with the newline."""
    if "\\" not in text or not _CONTINUATION.search(text):
        return Spliced(text, [], [])
    cuts: list[int] = []
    removed: list[int] = []
    parts: list[str] = []
    end = total = 0
    for found in _CONTINUATION.finditer(text):
        parts.append(text[end : found.start()])
        end = found.end()
        cuts.append(found.start() - total)
        total += len(found.group())
        removed.append(total)
    parts.append(text[end:])
    return Spliced("".join(parts), cuts, removed)
