"""Blocks as text with rules and colours, drawn by rich; for terminals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from estimator.report import plain
from estimator.report.document import (
    Block,
    Column,
    Fields,
    Heading,
    Paragraph,
    Table,
    Tone,
    cell_text,
)

_INDENT = 2
# Cells are broken here; what rich finds too wide it would cut.
_NO_LIMIT = 100_000
_TONES = {Tone.PLAIN: "", Tone.QUIET: "dim", Tone.WARNING: "yellow", Tone.ERROR: "red"}
_WORDS = {"memory-bound": "bold magenta", "compute-bound": "bold green"}


def styled_lines(
    blocks: Sequence[Block], formula: plain.FormulaText, width: int, *, unicode: bool, color: bool
) -> Iterator[str]:
    """The blocks as lines with terminal codes, broken where plain text is.

    Without `color` there is bold and dim type only.
    """
    console = Console(
        width=_NO_LIMIT,
        force_terminal=True,
        color_system="standard",
        highlight=False,
        legacy_windows=False,
        no_color=not color,
    )
    shown = list(plain.fitted(blocks, formula, width))
    with console.capture() as capture:
        for index, block in enumerate(shown):
            if index and plain.stands_apart(block, shown[index - 1]):
                console.print()
            console.print(_drawn(block, formula, width, unicode), soft_wrap=False)
    for line in capture.get().rstrip("\n").split("\n"):
        yield line.rstrip()


def _drawn(block: Block, formula: plain.FormulaText, width: int, unicode: bool) -> RenderableType:
    match block:
        case Heading(name, place):
            return Text(
                "\n".join(plain.wrap(f"{name}  {place}".rstrip(), width)), style="bold cyan"
            )
        case Paragraph(cell, tone):
            lines = plain.wrap(cell_text(cell, formula), width - _INDENT)
            text = Text("\n".join(lines), style=_TONES[tone])
            text.highlight_words(list(_WORDS), style="bold")
            return Padding(text, (0, 0, 0, _INDENT), expand=False)
        case Fields(rows):
            cells = [[label, cell_text(cell, formula)] for label, cell in rows]
            # Labels are never broken.
            table = _table((Column("", numeric=True), Column("")), cells, width, None)
            table.columns[0].justify = "left"
            table.show_header = False
            return Padding(table, (0, 0, 0, _INDENT), expand=False)
        case Table(columns, rows):
            cells = [[cell_text(cell, formula) for cell in row] for row in rows]
            rules = box.SIMPLE_HEAD if unicode else box.ASCII2
            return Padding(_table(columns, cells, width, rules), (0, 0, 0, _INDENT), expand=False)
    raise TypeError(f"not a block: {block!r}")


def _table(
    columns: Sequence[Column], rows: list[list[str]], width: int, rules: box.Box | None
) -> RichTable:
    titles = [column.title for column in columns]
    widths = plain.column_widths(columns, [titles, *rows], width - _INDENT)
    table = RichTable(
        box=rules,
        show_edge=False,
        pad_edge=False,
        padding=(0, plain.GAP, 0, 0) if rules is None else (0, 1, 0, 0),
        header_style="dim",
        collapse_padding=True,
    )
    for column, size in zip(columns, widths, strict=True):
        table.add_column(
            column.title,
            justify="right" if column.numeric else "left",
            no_wrap=True,
            min_width=size,
        )
    for row in rows:
        table.add_row(*(_cell(i, t, w) for i, (t, w) in enumerate(zip(row, widths, strict=True))))
    return table


def _cell(index: int, text: str, width: int) -> Text:
    shown = Text("\n".join(plain.wrap(text, width)), style="cyan" if index == 0 else "")
    for word, style in _WORDS.items():
        shown.highlight_words([word], style=style)
    return shown
