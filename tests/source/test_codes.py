"""`docs/diagnostics.md` lists exactly the codes that exist."""

from __future__ import annotations

import re
from pathlib import Path

from estimator.source import codes

_PAGE = Path(__file__).parents[2] / "docs" / "diagnostics.md"
_ROW = re.compile(r"\| (K\d{3}) \| (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|")


def test_the_page_lists_every_code_with_severity_and_title() -> None:
    rows = [
        match.groups() for match in map(_ROW.fullmatch, _PAGE.read_text().splitlines()) if match
    ]
    listed = [(id, severity, title) for id, severity, title, _, _ in rows]
    assert listed == sorted((c.id, c.severity.value, c.title) for c in codes.ALL)


def test_identifiers_are_unique() -> None:
    assert len({code.id for code in codes.ALL}) == len(codes.ALL)
