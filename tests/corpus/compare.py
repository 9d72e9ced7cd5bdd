"""Two layouts of one program: the same counts, and diagnostics at the same tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from corpus.layout import Laid
from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import Count, FileReport, KernelReport
from estimator.source.position import Position

_START = (1, 1)
_SYNTAX = "K201"


def analysed(laid: Laid, folder: Path, options: Options | None = None) -> FileReport:
    """The report of a laid out program."""
    file = folder / "k.cu"
    file.write_bytes(laid.data)
    return analyze(str(file), options).files[0]


def counts(kernel: KernelReport, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Every formula of a kernel by name, as sorted terms, free of lines and new names."""
    found: dict[str, Count | None] = {
        "threads": kernel.threads,
        "active": kernel.active_threads,
        "requested": kernel.bytes.requested,
        "compulsory": kernel.bytes.compulsory,
        "sectors": kernel.bytes.compulsory_sectors,
    }
    for scope, group in (("thread", kernel.per_thread), ("grid", kernel.grid)):
        found |= {f"{scope}.barriers": group.barriers, f"{scope}.shuffles": group.shuffles}
        found[f"{scope}.special"] = group.special
        for kind in ("flops", "loads", "stores", "atomics"):
            entries = getattr(group, kind)
            found |= {f"{scope}.{kind}.{name}": count for name, count in entries.items()}
    return {
        name: _terms(sympy_text(count.exact), names)
        for name, count in found.items()
        if count is not None
    }


def _terms(formula: str, names: Mapping[str, str]) -> list[str]:
    formula = re.sub(r"_\d+(?=_|\b)", "", formula)  # the lines of unknowns
    for new, old in names.items():
        formula = formula.replace(new, old)
    return sorted(re.split(r"[ +()*]+", formula))


def told(report: FileReport, laid: Laid, groups: list[int]) -> list[tuple[str, int]]:
    """Codes of the diagnostics and the tokens that they point to, by the groups of a layout.

    Raises AssertionError for a place where no token starts or ends.
    """
    return [(d.code.id, token_at(d.position, laid, groups)) for d in report.diagnostics]


def token_at(position: Position, laid: Laid, groups: list[int]) -> int:
    """The first token of the group that stands at a position; -1 for the file's start."""
    place = (position.line, position.column)
    if place in laid.places:
        return groups[laid.places.index(place)]
    if place in laid.ends:
        return groups[laid.ends.index(place)]
    assert place == _START, f"no token starts or ends at {position}"
    return -1


def same(told_before: list[tuple[str, int]], told_after: list[tuple[str, int]]) -> bool:
    """Whether two layouts were told the same.

    Of a syntax error only the first place counts, and what lacks an operand may be told at its
    sign: how a parser goes on from there depends on the layout.
    """
    first = told_before[:1]
    if first and first[0][0] == _SYNTAX:
        return (
            bool(told_after)
            and told_after[0][0] == _SYNTAX
            and (abs(told_after[0][1] - first[0][1]) <= 1)
        )
    return told_before == told_after
