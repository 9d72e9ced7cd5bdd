"""The report as text to read: plain for pipes, with rules and colours at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from estimator.report import plain
from estimator.report.ascii_ import to_ascii
from estimator.report.document import Block, shortest

if TYPE_CHECKING:
    from estimator.algebra.printing import Formula
    from estimator.report.model import Report

DEFAULT_WIDTH = 80


def render(
    report: Report,
    *,
    exact: bool = False,
    width: int = DEFAULT_WIDTH,
    unicode: bool = True,
    styled: bool = False,
    color: bool = True,
) -> str:
    """The report for a width in characters.

    `unicode` False keeps to ASCII. `styled` draws rules and sets type and, with `color`,
    colours as terminal codes; without it the text has none of these.
    """
    return "\n".join(
        render_blocks(blocks, width=width, unicode=unicode, styled=styled, color=color)
        for blocks in _parts(report, exact)
    )


def render_blocks(
    blocks: Sequence[Block],
    *,
    width: int = DEFAULT_WIDTH,
    unicode: bool = True,
    styled: bool = False,
    color: bool = True,
) -> str:
    """`render` for blocks; every line ends with a line end."""

    def formula_text(formula: Formula) -> str:
        from estimator.algebra.printing import ASCII, HUMAN

        return shortest(formula, HUMAN if unicode else ASCII)

    if styled:
        from estimator.report.terminal import styled_lines

        lines = styled_lines(blocks, formula_text, width, unicode=unicode, color=color)
    else:
        lines = plain.lines(blocks, formula_text, width)
    return "".join(f"{line if unicode else to_ascii(line)}\n" for line in lines)


def _parts(report: Report, exact: bool) -> Iterator[list[Block]]:
    # Here, because blocks of other things are rendered without all that these need.
    from estimator.report.blocks import diagnostic_blocks, kernel_blocks

    for kernel in report.kernels:
        yield list(kernel_blocks(kernel, exact=exact))
    for file in report.files:
        blocks = list(diagnostic_blocks(file))
        if blocks:
            yield blocks
