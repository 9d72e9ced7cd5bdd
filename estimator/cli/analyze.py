"""`kcost analyze`: formulas and verdicts for every kernel of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from estimator.cli.errors import ANALYSED, NOT_ANALYSED, UsageProblem
from estimator.cli.options import input_options

if TYPE_CHECKING:
    from estimator.options import Options
    from estimator.report.model import Report

FORMATS = ("text", "json", "markdown", "latex", "hint")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@input_options
@click.option("--kernel", "kernels", multiple=True, metavar="NAME", help="Only this kernel.")
@click.option(
    "--launch",
    "launches",
    multiple=True,
    metavar="LAUNCH",
    help="A kernel's launch: 'matmul: grid=((N+15)/16, (N+15)/16) block=(16, 16)', with C's "
    "operators, min, max and ceil_div. A name that is no parameter of the kernel becomes one.",
)
@click.option("--exact", is_flag=True, help="Formulas for every size, with all roundings.")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True)
def analyze(
    files: tuple[str, ...],
    gpu_names: tuple[str, ...],
    defines: tuple[str, ...],
    settings: tuple[str, ...],
    kernels: tuple[str, ...],
    launches: tuple[str, ...],
    include_dirs: tuple[str, ...],
    macros: tuple[str, ...],
    exact: bool,
    format_: str,
) -> int:
    """Costs of every kernel in CUDA source files, as formulas in the kernel's parameters.

    No GPU and no CUDA toolkit is needed.
    """
    from dataclasses import replace

    from estimator.cli.find_gpus import find_gpus
    from estimator.cli.names import check_names
    from estimator.cli.output import write
    from estimator.cli.values import assignments, macro_definitions
    from estimator.options import Options

    options = Options(
        gpus=find_gpus(gpu_names),
        values=assignments(defines, "-D", whole=True),
        kernels=kernels,
        launches=launches,
        unknowns=assignments(settings, "--set", whole=False),
        include_dirs=include_dirs,
        macros=macro_definitions(macros),
        exact=exact,
    )
    report = _analysed(files, options)
    unfiltered = replace(options, kernels=())
    for warning in check_names(report, options, lambda: _analysed(files, unfiltered)):
        click.echo(f"kcost: warning: {warning}", err=True)
    write(rendered(report, format_, exact))
    return ANALYSED if report.complete else NOT_ANALYSED


def _analysed(files: tuple[str, ...], options: Options) -> Report:
    from estimator.analysis import analyze_files
    from estimator.lower.launch_text import LaunchTextError
    from estimator.source.codes import LAUNCH_UNREADABLE, OUT_OF_RANGE, UNKNOWN_OUT_OF_RANGE

    try:
        report = analyze_files(files, options)
    except LaunchTextError as error:
        code = LAUNCH_UNREADABLE
        raise UsageProblem(f"--launch: {error}", code.help, code.id) from None
    options_by_code = {OUT_OF_RANGE: "-D", UNKNOWN_OUT_OF_RANGE: "--set"}
    for file in report.files:
        for found in file.diagnostics:
            option = options_by_code.get(found.code)
            if option is not None:
                raise UsageProblem(f"{option} {found.message}", found.help, found.code.id)
    return report


def rendered(report: Report, format_: str, exact: bool) -> str:
    """The report in a format, as standard output can show it. Loads that format only."""
    from estimator.cli import output

    if format_ == "json":
        from estimator.report import json_

        return json_.render(report, exact=exact)
    if format_ == "markdown":
        from estimator.report import markdown

        return markdown.render(report, exact=exact)
    if format_ == "latex":
        from estimator.report import latex

        return latex.render(report, exact=exact)
    if format_ == "hint":
        from estimator.report import hint

        return hint.render(report, exact=exact, unicode=output.knows_unicode())
    from estimator.report import text

    return text.render(
        report,
        exact=exact,
        width=output.width(),
        unicode=output.knows_unicode(),
        styled=output.is_terminal(),
        color=output.shows_color(),
    )
