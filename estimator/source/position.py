"""Where something stands in the user's own file, and how later texts point back to it.

Every text after the first (preprocessed, simplified) carries a `PositionMap`: a list of
segments, each saying from which offset of the text before it a run of characters came.
Maps compose, so any offset of the last text leads to a file, line and column of the user.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from estimator.immutable import immutable


@immutable(order=True)
class Position:
    """A place in a source file; `line` and `column` count from 1, columns in characters."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@immutable(slots=False)
class SourceFile:
    """One file as read: its path as the user named it, and its text."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(index + 1 for index, char in enumerate(self.text) if char == "\n")
        return starts

    def position(self, offset: int) -> Position:
        """The position of the character at `offset` (clamped to the text)."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return Position(self.path, line, offset - self.line_starts[line - 1] + 1)


@immutable()
class Segment:
    """From `start` on, the text came from `source_offset` of `file`.

    `verbatim` text was copied, so offsets inside it advance together; other text was made
    (a macro's expansion, an inserted attribute) and all of it points to `source_offset`.
    """

    start: int
    file: SourceFile
    source_offset: int
    verbatim: bool


@dataclass
class PositionMap:
    """Offsets of a made text → positions in the files that it was made from."""

    segments: list[Segment] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list, repr=False)

    def add(self, start: int, file: SourceFile, source_offset: int, *, verbatim: bool) -> None:
        """Append a segment; `start` must not be below the last one's."""
        self.segments.append(Segment(start, file, source_offset, verbatim))
        self._starts.append(start)

    def position(self, offset: int) -> Position:
        """The user's position for `offset` of the made text.

        Raises LookupError when the map is empty.
        """
        segment = self.segment_at(offset)
        advance = offset - segment.start if segment.verbatim else 0
        return segment.file.position(segment.source_offset + advance)

    def segment_at(self, offset: int) -> Segment:
        """The segment that holds `offset`; the first one for offsets before it."""
        if not self.segments:
            raise LookupError("the position map is empty")
        return self.segments[max(0, bisect_right(self._starts, offset) - 1)]
