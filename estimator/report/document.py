"""What the readable formats print: a few kinds of blocks whose cells hold text and formulas."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from estimator.immutable import immutable

if TYPE_CHECKING:
    from estimator.algebra.printing import Formula, Style

# A cell is text and formulas in a row: (formula, " → ", limit).
Cell = tuple["str | Formula", ...]


class Tone(Enum):
    """How much a paragraph matters, for formats that have colours."""

    PLAIN = "plain"
    QUIET = "quiet"
    WARNING = "warning"
    ERROR = "error"


@immutable()
class Heading:
    """A kernel's name, and where it stands."""

    name: str
    place: str = ""


@immutable()
class Fields:
    """Labels and what belongs to each."""

    rows: tuple[tuple[str, Cell], ...]


@immutable()
class Column:
    """A table's column; numbers stand at the right and are never broken."""

    title: str
    numeric: bool = False


@immutable()
class Table:
    """Rows under column titles."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@immutable()
class Paragraph:
    """A sentence or two."""

    cell: Cell
    tone: Tone = Tone.PLAIN


Block = Heading | Fields | Table | Paragraph


def cell_text(cell: Cell, formula: Callable[[Formula], str]) -> str:
    """The cell as text, its formulas written by `formula`."""
    return "".join(part if isinstance(part, str) else formula(part) for part in cell)


def shortest(formula: Formula, style: Style) -> str:
    """The formula as a product or as a sum, whichever is shorter to read."""
    # Here, because texts without formulas need no algebra.
    from estimator.algebra.printing import text

    product, expanded = text(formula, style), text(formula, style, factored=False)
    return expanded if len(expanded) < len(product) else product
