"""The report as Markdown: headings, pipe tables, formulas as `$...$`; for notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from estimator.algebra.printing import LATEX, Formula
from estimator.report.blocks import diagnostic_blocks, kernel_blocks
from estimator.report.document import (
    Block,
    Cell,
    Column,
    Fields,
    Heading,
    Paragraph,
    Table,
    cell_text,
    shortest,
)
from estimator.report.model import Report

_SPECIAL = re.compile(r"([\\`*_<>|\[\]#$])")


def render(report: Report, *, exact: bool = False) -> str:
    """A section for each kernel, one for the diagnostics."""
    blocks: list[Block] = []
    for kernel in report.kernels:
        blocks += kernel_blocks(kernel, exact=exact)
    problems = [b for file in report.files for b in diagnostic_blocks(file)]
    if problems:
        blocks += [Heading("Diagnostics"), *problems]
    return render_blocks(blocks)


def render_blocks(blocks: Iterable[Block]) -> str:
    """`render` for blocks."""
    texts = [_block(block) for block in blocks]
    return "\n\n".join(texts) + "\n" if texts else ""


def escape(text: str) -> str:
    """Text that Markdown takes as it stands."""
    return _SPECIAL.sub(r"\\\1", text)


def _block(block: Block) -> str:
    match block:
        case Heading(name, place):
            return f"## {escape(name)}" + (f"\n\n`{place}`" if place else "")
        case Paragraph(cell, _):
            return _cell(cell).replace("\n", "  \n")
        case Fields(rows):
            return "\n".join(f"- {label}: {_cell(cell)}" for label, cell in rows)
        case Table(columns, rows):
            return "\n".join(_table(columns, rows))
    raise TypeError(f"not a block: {block!r}")


def _table(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]) -> Iterator[str]:
    yield _row([escape(column.title) for column in columns])
    yield _row(["--:" if column.numeric else "---" for column in columns])
    for row in rows:
        yield _row([_cell(cell).replace("\n", "<br>") for cell in row])


def _row(texts: list[str]) -> str:
    return "| " + " | ".join(texts) + " |"


def _cell(cell: Cell) -> str:
    escaped = tuple(escape(part) if isinstance(part, str) else part for part in cell)
    return cell_text(escaped, _formula)


def _formula(formula: Formula) -> str:
    text = shortest(formula, LATEX)
    return text if text.isdigit() else f"${text}$"
