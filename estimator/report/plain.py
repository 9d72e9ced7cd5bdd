"""Blocks as plain text of a given width: no colours, no lines; for pipes and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from estimator.report.document import Block, Column, Fields, Heading, Paragraph, Table, cell_text

if TYPE_CHECKING:
    from estimator.algebra.printing import Formula

_INDENT, GAP = 2, 2
# An unknown's name, flops_f@12, stays whole: --set takes all of it.
_BREAK_AFTER = re.compile(r"(?<=[*·/)])|(?<=::)|(?<=_)(?!\w*@)")

FormulaText = Callable[["Formula"], str]


def lines(blocks: Sequence[Block], formula: FormulaText, width: int) -> Iterator[str]:
    """The blocks as lines; longer than `width` only where something unbreakable is."""
    shown = list(fitted(blocks, formula, width))
    for index, block in enumerate(shown):
        if index and stands_apart(block, shown[index - 1]):
            yield ""
        yield from _block(block, formula, width)


def fitted(blocks: Sequence[Block], formula: FormulaText, width: int) -> Iterator[Block]:
    """The blocks; a table that no breaking of its cells fits into `width` has its rows one below
    the other, each as fields labelled by the columns' titles."""
    for block in blocks:
        if isinstance(block, Table) and _is_wider(block, formula, width - _INDENT):
            yield from _records(block, formula)
        else:
            yield block


def _is_wider(table: Table, formula: FormulaText, room: int) -> bool:
    texts = [[cell_text(cell, formula) for cell in row] for row in table.rows]
    rows = [[column.title for column in table.columns], *texts]
    return sum(column_widths(table.columns, rows, room)) + GAP * (len(table.columns) - 1) > room


def _records(table: Table, formula: FormulaText) -> Iterator[Fields]:
    """A row without a name in its first column goes on with the row above it."""
    found: list[list[str]] = []
    for row in table.rows:
        texts = [cell_text(cell, formula) for cell in row]
        if found and not texts[0]:
            found[-1] = [
                f"{above}\n{text}".strip("\n") for above, text in zip(found[-1], texts, strict=True)
            ]
        else:
            found.append(texts)
    titles = [column.title for column in table.columns]
    for texts in found:
        named = zip(titles, texts, strict=True)
        yield Fields(tuple((title, (text,)) for title, text in named if text))


def stands_apart(block: Block, before: Block) -> bool:
    """Whether an empty line stands between two blocks."""
    return not (isinstance(before, Heading) or isinstance(block, Paragraph))


def _block(block: Block, formula: FormulaText, width: int) -> Iterator[str]:
    match block:
        case Heading(name, place):
            yield from wrap(f"{name}  {place}".rstrip(), width)
        case Paragraph(cell, _):
            yield from _indented(wrap(cell_text(cell, formula), width - _INDENT))
        case Fields(rows):
            cells = [[label, cell_text(cell, formula)] for label, cell in rows]
            yield from _rows((Column("", True), Column("")), cells, width, label=True)
        case Table(columns, rows):
            cells = [[cell_text(cell, formula) for cell in row] for row in rows]
            yield from _rows(columns, [[column.title for column in columns], *cells], width)


def _rows(
    columns: Sequence[Column], rows: list[list[str]], width: int, *, label: bool = False
) -> Iterator[str]:
    widths = column_widths(columns, rows, width - _INDENT)
    for row in rows:
        cells = [wrap(text, size) for text, size in zip(row, widths, strict=True)]
        for height in range(max(len(cell) for cell in cells)):
            line = ""
            for column, cell, size in zip(columns, cells, widths, strict=True):
                part = cell[height] if height < len(cell) else ""
                right = column.numeric and not label
                line += (part.rjust(size) if right else part.ljust(size)) + " " * GAP
            yield (" " * _INDENT + line).rstrip()


def _indented(texts: Sequence[str]) -> Iterator[str]:
    return (" " * _INDENT + text for text in texts)


def column_widths(columns: Sequence[Column], rows: list[list[str]], width: int) -> list[int]:
    """Widths that fit `width`: the widest column gives way first, down to its longest piece.

    The first row may be titles: in a column of numbers they are broken, the numbers never.
    """
    count = len(columns)
    widths = [max(_lengths(row[index] for row in rows)) for index in range(count)]
    least = [
        _least(column, [row[index] for row in rows], widths[index])
        for index, column in enumerate(columns)
    ]
    room = width - GAP * (count - 1)
    while sum(widths) > room:
        index = max(range(count), key=lambda i: (widths[i] > least[i], widths[i]))
        if widths[index] <= least[index]:
            break
        widths[index] -= 1
    return widths


def _least(column: Column, texts: list[str], widest: int) -> int:
    pieces = [piece for text in texts for line in text.split("\n") for piece, _ in _pieces(line, 0)]
    if column.numeric:
        pieces += texts[1:]
    return min(widest, max(_lengths(pieces)))


def _lengths(texts: Iterable[str]) -> Iterator[int]:
    return (len(line) for text in texts for line in text.split("\n"))


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken at spaces, else after one of * · / ) _ and ::.

    What has no such place, a number for one, stays whole, and so does an unknown's name. A line of
    the text that begins with spaces keeps them on every line that it is broken into.
    """
    found: list[str] = []
    for paragraph in text.split("\n"):
        words = paragraph.lstrip(" ")
        indent = " " * (len(paragraph) - len(words))
        found += (indent + line for line in _wrap_words(words, width - len(indent)))
    return found


def _wrap_words(words: str, width: int) -> Iterator[str]:
    line = ""
    for piece, spaced in _pieces(words, width):
        space = " " if spaced and line else ""
        if line and len(line) + len(space) + len(piece) > width:
            yield line
            line = piece
        else:
            line += space + piece
    yield line


def _pieces(paragraph: str, width: int) -> Iterator[tuple[str, bool]]:
    """What may stand on a line of its own, and whether a space comes before it."""
    for word in paragraph.split(" "):
        parts = [word] if len(word) <= width else [p for p in _BREAK_AFTER.split(word) if p]
        for index, part in enumerate(parts):
            yield part, index == 0
