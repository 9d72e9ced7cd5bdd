"""The parts of docs/gpus.md that follow from the schema and the profiles.

`python -m estimator.gpus.document docs/gpus.md` rewrites them between their markers; a test
checks that the page is up to date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from estimator.gpus.agreement import agreements, digits
from estimator.gpus.load import load_shipped, shipped_ids
from estimator.gpus.schema import KEYS
from estimator.gpus.table import LIST_COLUMNS, list_rows


def key_table() -> str:
    """Every key of a profile, as a Markdown table."""
    rows = [
        (
            f"`{key.name}`" + (" (required)" if key.required else ""),
            key.type.value,
            key.unit or "–",
            f"`{key.group.value}`",
            key.meaning,
        )
        for key in KEYS
    ]
    return _table(("key", "type", "unit", "group", "meaning"), rows)


def profile_table() -> str:
    """Every shipped profile, as a Markdown table."""
    return _table(LIST_COLUMNS, [(f"`{row.id}`", *row.cells[1:]) for row in list_rows()])


def unconfirmed_table() -> str:
    """The figures that no source confirms, by profile, as a Markdown table."""
    rows = []
    for gpu_id in shipped_ids():
        profile = load_shipped(gpu_id)
        keys = [name for name in profile.figures if name in profile.unconfirmed]
        if keys:
            rows.append((f"`{gpu_id}`", ", ".join(f"`{name}`" for name in keys)))
    return _table(("profile", "unconfirmed"), rows)


def reason_table() -> str:
    """The printed figures that differ from the computed ones, with the reasons."""
    rows = [
        (
            f"`{profile.id}`",
            f"`{pair.key}`",
            f"{pair.printed:g}",
            digits(pair.computed),
            pair.reason,
        )
        for profile in map(load_shipped, shipped_ids())
        for pair in agreements(profile)
        if pair.reason is not None
    ]
    return _table(("profile", "key", "printed", "computed", "reason"), rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "keys": key_table,
    "profiles": profile_table,
    "unconfirmed": unconfirmed_table,
    "reasons": reason_table,
}


def updated(page: str) -> str:
    """`page` with each block between `<!-- NAME -->` and `<!-- end NAME -->` written anew."""
    for name, block in BLOCKS.items():
        between = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        page, count = between.subn(rf"\g<1>{_escaped(block())}\n\g<2>", page)
        if count != 1:
            raise ValueError(f"the page has {count} blocks called {name!r}, not 1")
    return page


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\")


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8")
