"""`kcost simplify`: the simplified CUDA C that the analysis reads."""

from __future__ import annotations

import click

from estimator.cli.errors import ANALYSED, NOT_ANALYSED


@click.command()
@click.argument("file")
@click.option(
    "-I", "include_dirs", multiple=True, metavar="DIR", help="A folder to find headers in."
)
@click.option(
    "--macro", "macros", multiple=True, metavar="NAME[=VALUE]", help="A preprocessor macro."
)
def simplify(file: str, include_dirs: tuple[str, ...], macros: tuple[str, ...]) -> int:
    """The simplified CUDA C of FILE: plain C in which CUDA's words are attributes."""
    from estimator.cli.output import write
    from estimator.cli.values import macro_definitions
    from estimator.simplify.simplify import simplify as simplify_unit
    from estimator.source.diagnostics import InputError, Severity
    from estimator.source.preprocess import preprocess
    from estimator.source.read import read_source

    definitions = macro_definitions(macros)
    try:
        source = read_source(file)
    except InputError as error:
        click.echo(str(error.diagnostic), err=True)
        return NOT_ANALYSED
    unit = simplify_unit(preprocess(source, include_dirs=include_dirs, macros=definitions))
    write(unit.text if unit.text.endswith("\n") else f"{unit.text}\n")
    for diagnostic in unit.diagnostics:
        click.echo(str(diagnostic), err=True)
    failed = any(found.code.severity is Severity.ERROR for found in unit.diagnostics)
    return NOT_ANALYSED if failed else ANALYSED
