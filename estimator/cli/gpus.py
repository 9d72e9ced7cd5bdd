"""`kcost gpus`: the GPU profiles that come with kcost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from estimator.cli.errors import ANALYSED

if TYPE_CHECKING:
    from estimator.gpus.profile import GpuProfile
    from estimator.report.document import Block


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

    return render_blocks(
        _list_blocks() if name is None else _profile_blocks(name),
        width=output.width(),
        unicode=output.knows_unicode(),
        styled=output.is_terminal(),
        color=output.shows_color(),
    )


def _list_blocks() -> list[Block]:
    from estimator.gpus.table import LIST_COLUMNS, list_rows
    from estimator.report.document import Column, Table

    columns = tuple(Column(title, numeric=n > 1) for n, title in enumerate(LIST_COLUMNS))
    return [Table(columns, tuple(tuple((cell,) for cell in row.cells) for row in list_rows()))]


def _profile_blocks(name: str) -> list[Block]:
    from itertools import groupby

    from estimator.cli.find_gpus import find_one
    from estimator.gpus.table import profile_rows
    from estimator.report.document import Column, Heading, Table

    profile = find_one(name)
    blocks: list[Block] = [Heading(profile.name, f"({profile.id})")]
    for section, rows in groupby(profile_rows(profile), key=lambda row: row.section):
        cells = tuple(((row.label,), (row.text,), (row.source,)) for row in rows)
        blocks.append(Table((Column(section), Column("value"), Column("source")), cells))
    return blocks


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
