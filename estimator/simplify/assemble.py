"""Joining items to one text, with the map from its offsets to the user's files."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from estimator.simplify.draft import Piece
from estimator.simplify.made import Made
from estimator.simplify.unit import Item, ItemKind
from estimator.source.position import PositionMap

_TRAILING_SPACE = re.compile(r"(?<![ \t])[ \t]+(?=\n)")
_MULTILINE = frozenset({ItemKind.FUNCTION, ItemKind.KERNEL, ItemKind.LAUNCH})


@dataclass(slots=True)
class Assembly:
    """The text made so far. `source` is the map of the text that pieces point to."""

    source: PositionMap
    parts: list[str] = field(default_factory=list)
    positions: PositionMap = field(default_factory=PositionMap)
    items: list[Item] = field(default_factory=list)
    length: int = 0
    starts: list[int] = field(default_factory=list)
    last: ItemKind | None = None

    def __post_init__(self) -> None:
        self.starts = [segment.start for segment in self.source.segments]

    def add(self, made: Made) -> None:
        """Append an item; functions stand apart, short declarations line after line."""
        if self.last is not None:
            apart = made.kind in _MULTILINE or self.last in _MULTILINE
            self._write("\n\n" if apart else "\n")
        self.last = made.kind
        start = self.length
        for piece in made.pieces:
            if piece.copied:
                self._copy(piece)
            else:
                self._point(piece.source, verbatim=False)
                self._write(piece.text)
        self.items.append(Item(made.kind, made.name, start, self.length))

    def text(self) -> str:
        """The whole text, ending in a line end unless it is empty."""
        return "".join(self.parts) + ("\n" if self.parts else "")

    def _write(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def _copy(self, piece: Piece) -> None:
        text, at = piece.text, 0
        for space in _TRAILING_SPACE.finditer(text):
            self._copy_run(text[at : space.start()], piece.source + at)
            at = space.end()
        self._copy_run(text[at:], piece.source + at)

    def _copy_run(self, text: str, source: int) -> None:
        """Copy a run of text, a segment of the source's map at a time."""
        at = 0
        while at < len(text):
            index = bisect_right(self.starts, source + at)
            stop = self.starts[index] if index < len(self.starts) else source + len(text)
            size = min(len(text) - at, max(1, stop - source - at))
            self._point(source + at, verbatim=True)
            self._write(text[at : at + size])
            at += size

    def _point(self, source: int, *, verbatim: bool) -> None:
        segment = self.source.segment_at(source)
        advance = source - segment.start if segment.verbatim else 0
        self.positions.add(
            self.length,
            segment.file,
            segment.source_offset + max(0, advance),
            verbatim=verbatim and segment.verbatim,
        )
