"""The report as LaTeX: a section with tables for each kernel, to \\input into notes or slides.

It needs amsmath, and graphicx to shrink tables that are wider than the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from estimator.algebra.printing import LATEX, Formula
from estimator.report.blocks import diagnostic_blocks, kernel_blocks
from estimator.report.document import (
    Block,
    Cell,
    Fields,
    Heading,
    Paragraph,
    Table,
    cell_text,
    shortest,
)
from estimator.report.model import Report

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "#": r"\#", "$": r"\$",
    "%": r"\%", "&": r"\&", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "→": r"$\to$", "×": r"$\times$",
    "µ": r"$\mu$", "–": "--", "−": "$-$", "·": r"$\cdot$", "≥": r"$\ge$", "≤": r"$\le$",
    "⌊": r"$\lfloor$", "⌋": r"$\rfloor$",
    **{char: f"$^{digit}$" for digit, char in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}  # fmt: skip
_TABLE = str.maketrans(_ESCAPES)


def render(report: Report, *, exact: bool = False) -> str:
    """LaTeX source without a preamble; diagnostics are comments at its end."""
    parts: list[str] = ["% Made by kcost; needs amsmath and graphicx."]
    for kernel in report.kernels:
        parts += [_block(block) for block in kernel_blocks(kernel, exact=exact)]
    for file in report.files:
        for block in diagnostic_blocks(file):
            if isinstance(block, Paragraph):
                text = cell_text(block.cell, _formula)
                parts.append("\n".join(f"% {line}" for line in text.split("\n")))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    # Two hyphens are an option's, not a dash.
    return "-{}-".join(part.translate(_TABLE) for part in text.split("--"))


def _block(block: Block) -> str:
    match block:
        case Heading(name, place):
            return rf"\subsection*{{{escape(name)} (\texttt{{{escape(place)}}})}}"
        case Paragraph(cell, _):
            return rf"\noindent {_cell(cell)}"
        case Fields(rows):
            return "\n".join(_fields(rows))
        case Table():
            return "\n".join(_table(block))
    raise TypeError(f"not a block: {block!r}")


def _fields(rows: tuple[tuple[str, Cell], ...]) -> Iterator[str]:
    yield r"\begin{description}"
    for label, cell in rows:
        yield rf"\item[{escape(label)}] {_cell(cell)}"
    yield r"\end{description}"


def _table(table: Table) -> Iterator[str]:
    yield r"\medskip\noindent"
    shape = "".join("r" if column.numeric else "l" for column in table.columns)
    yield r"\resizebox{\ifdim\width>\linewidth \linewidth\else\width\fi}{!}{%"
    yield r"\renewcommand{\arraystretch}{1.3}%"
    yield rf"\begin{{tabular}}{{{shape}}}"
    yield " & ".join(escape(column.title) for column in table.columns) + r" \\ \hline"
    for row in table.rows:
        for line in _lines(row):
            yield " & ".join(line) + r" \\"
    yield r"\end{tabular}}"


def _lines(row: tuple[Cell, ...]) -> Iterator[list[str]]:
    """A row whose cells have several lines is as many rows."""
    cells = [_cell(cell).split("\n") for cell in row]
    for height in range(max(len(cell) for cell in cells)):
        yield [cell[height].strip() if height < len(cell) else "" for cell in cells]


def _cell(cell: Cell) -> str:
    escaped = tuple(escape(part) if isinstance(part, str) else part for part in cell)
    return cell_text(escaped, _formula)


def _formula(formula: Formula) -> str:
    return f"${shortest(formula, LATEX)}$"
