"""The table of constructs holds, and the page is written from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplifying import parse, simplified

from estimator.simplify.dialect import Row, page, sections

ROWS = {f"{section.title}: {row.construct}": row for section in sections() for row in section.rows}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_example_gives_what_the_table_says(row: Row) -> None:
    unit = simplified(row.source)
    if row.code:
        assert row.code in {one.code.id for one in unit.diagnostics}
        return
    assert [str(one) for one in unit.diagnostics] == []
    parse(unit)
    assert " ".join(row.becomes.split()) in " ".join(unit.text.split())


def test_every_row_is_told_apart() -> None:
    assert len(ROWS) == sum(len(section.rows) for section in sections())
    assert all(bool(row.becomes) != bool(row.code) for row in ROWS.values())


def test_the_page_is_up_to_date() -> None:
    written = (Path(__file__).parents[2] / "docs" / "dialect.md").read_text()
    assert written == page(), "run: python -m estimator.simplify.dialect > docs/dialect.md"
