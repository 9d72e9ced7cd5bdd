"""`kcost gpus`: the GPU profiles that come with kcost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from estimator.cli.errors import ANALYSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from estimator.gpus.profile import GpuProfile
    from estimator.report.document import Block

# The list's column of names, which narrow terminals have no room for.
_NAME, _WIDTH_WITH_NAMES = 1, 100


@click.command()
@click.argument("name", required=False)
@click.option(
    "--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True
)
def gpus(name: str | None, format_: str) -> int:
    """List the GPU profiles, or show all figures of one and where they are from.

    NAME is an id, an alias or the path of a profile. A figure with a question mark was not
    found in a source.
    """
    from estimator.cli.output import write

    write(_json(name) if format_ == "json" else _text(name))
    return ANALYSED


def _text(name: str | None) -> str:
    from estimator.cli import output
    from estimator.report.text import render_blocks

    width = output.width()
    return render_blocks(
        _list_blocks(width) if name is None else list(_profile_blocks(name)),
        width=width,
        unicode=output.knows_unicode(),
        styled=output.is_terminal(),
        color=output.shows_color(),
    )


def _list_blocks(width: int) -> list[Block]:
    from estimator.gpus.table import LIST_COLUMNS, list_rows
    from estimator.report.document import Column, Table

    shown = [n for n in range(len(LIST_COLUMNS)) if n != _NAME or width >= _WIDTH_WITH_NAMES]
    columns = tuple(Column(LIST_COLUMNS[n], numeric=n > _NAME) for n in shown)
    rows = tuple(tuple((row.cells[n],) for n in shown) for row in list_rows())
    return [Table(columns, rows)]


def _profile_blocks(name: str) -> Iterator[Block]:
    """A table for each section; sources are numbers, spelled out once at the end."""
    from itertools import groupby

    from estimator.cli.find_gpus import find_one
    from estimator.gpus.table import profile_rows
    from estimator.report.document import Column, Fields, Heading, Paragraph, Table

    profile = find_one(name)
    sources: dict[str, int] = {}
    yield Heading(profile.name, f"({profile.id})")
    for section, rows in groupby(profile_rows(profile), key=lambda row: row.section):
        cells = []
        for row in rows:
            number = sources.setdefault(row.source, len(sources) + 1) if row.source else ""
            cells.append(((row.label,), (row.text,), (f"{number}",)))
        columns = (Column(section), Column("value"), Column("source", numeric=True))
        yield Table(columns, tuple(cells))
    if profile.unconfirmed:
        yield Paragraph(("? not found in a source",))
    if sources:
        yield Fields(tuple((f"{number}", (text,)) for text, number in sources.items()))


def _json(name: str | None) -> str:
    import json

    from estimator.cli.find_gpus import find_one
    from estimator.gpus import load_shipped, shipped_ids

    if name is not None:
        found: Any = _object(find_one(name))
    else:
        found = {"gpus": [_object(load_shipped(gpu_id)) for gpu_id in shipped_ids()]}
    return json.dumps(found, indent=2) + "\n"


def _object(profile: GpuProfile) -> dict[str, Any]:
    from estimator.gpus import Precision

    usable = [precision for precision in Precision if profile.has_peak(precision)]
    return {
        "id": profile.id,
        "name": profile.name,
        "aliases": list(profile.aliases),
        "peak_flops_per_s": {p.value: profile.peak_flops_per_s(p) for p in usable},
        "bandwidth_bytes_per_s": profile.bandwidth_bytes_per_s,
        "ridge_flop_per_byte": {p.value: profile.ridge_flop_per_byte(p) for p in usable},
        "figures": dict(profile.figures),
        "unconfirmed": sorted(profile.unconfirmed),
        "reasons": dict(profile.reasons),
        "sources": dict(profile.sources),
    }
