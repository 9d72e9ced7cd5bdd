"""`kcost scan`: one table of all kernels below a folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from estimator.cli.errors import ANALYSED, NOT_ANALYSED
from estimator.cli.options import input_options

if TYPE_CHECKING:
    from estimator.options import Options
    from estimator.scan.merge import ScanReport

FORMATS = ("table", "json", "csv", "markdown")
_ANY_WIDTH = 10_000
ORDERS = ("time", "flops", "bytes", "intensity", "name", "file")


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="DIR...", type=click.Path(exists=True))
@input_options
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many processes analyse; by default one for each core.",
)
@click.option(
    "--budget",
    "budget_s",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="The most processor time that one kernel may take; then it is reported instead.",
)
@click.option("--no-cache", is_flag=True, help="Analyse all anew, and keep nothing.")
@click.option(
    "--dask", "address", metavar="ADDRESS", help="Run on the Dask cluster with this scheduler."
)
@click.option(
    "--sort",
    "order",
    type=click.Choice(ORDERS),
    default="time",
    show_default=True,
    help="What comes first: by size the largest, by name or file the first.",
)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="table", show_default=True)
def scan(
    paths: tuple[str, ...],
    gpu_names: tuple[str, ...],
    defines: tuple[str, ...],
    settings: tuple[str, ...],
    include_dirs: tuple[str, ...],
    macros: tuple[str, ...],
    jobs: int | None,
    budget_s: float,
    no_cache: bool,
    address: str | None,
    order: str,
    format_: str,
) -> int:
    """One table of all kernels below folders (or in files), and why others are missing.

    Read are .cu and .cuh files, and .cpp, .cc, .h and .hpp files with a kernel in them; hidden
    files and what .gitignore and .ignore files name are left out. Sorted by time means by the
    least time that the kernel takes on the slowest of the GPUs, with 1,024 for every size that
    has no value.
    """
    from estimator.cli.find_gpus import find_gpus
    from estimator.cli.output import write
    from estimator.cli.scanning import run
    from estimator.cli.values import assignments, macro_definitions
    from estimator.options import Options

    options = Options(
        gpus=find_gpus(gpu_names),
        values=assignments(defines, "-D", whole=True),
        unknowns=assignments(settings, "--set", whole=False),
        include_dirs=include_dirs,
        macros=macro_definitions(macros),
    )
    report = run(paths, options, jobs, budget_s, not no_cache, address)
    for warning in unused_names(report, options):
        click.echo(f"kcost: warning: {warning}", err=True)
    write(rendered(report, options, order, format_))
    return ANALYSED if report.complete else NOT_ANALYSED


def unused_names(report: ScanReport, options: Options) -> Iterator[str]:
    """Warnings about names in -D and --set that no kernel has."""
    from estimator.cli.errors import nearest

    if not report.rows:
        return
    parameters = {name for row in report.rows for name in row.parameters}
    unknowns = {name for row in report.rows for name in row.unknowns}
    for option, what, given, known in (
        ("-D", "parameter", options.values, parameters),
        ("--set", "unknown", options.unknowns, unknowns),
    ):
        for name in given:
            if name not in known:
                yield f"{option}: no kernel has the {what} {name!r}{nearest(name, known)}"


def rendered(report: ScanReport, options: Options, order: str, format_: str) -> str:
    """The report in a format. Loads that format only."""
    from estimator.cli import output
    from estimator.scan.order import Order, in_order

    rows = in_order(report.rows, Order(order))
    if format_ == "json":
        from estimator.scan import json_

        return json_.render(report, rows)
    if format_ == "csv":
        from estimator.scan import csv_

        return csv_.render(report, rows, [gpu.id for gpu in options.gpus])
    from estimator.scan.view import Look, scan_blocks

    if format_ == "markdown":
        from estimator.report import markdown

        return markdown.render_blocks(scan_blocks(report, rows, Look()))
    from estimator.report.text import render_blocks

    unicode, styled = output.knows_unicode(), output.is_terminal()
    return render_blocks(
        # A pipe gets a line a kernel, however long, for grep and others to read.
        list(scan_blocks(report, rows, Look(unicode, wide=not styled))),
        width=output.width() if styled else _ANY_WIDTH,
        unicode=unicode,
        styled=styled,
        color=output.shows_color(),
    )
