"""`kcost`: the commands, and the boundary at which every error ends.

Exit status: 0 all analysed; 1 some kernel or file could not be; 2 wrong usage; 3 an error in
kcost itself; 130 interrupted; 141 the reader of a pipe went away.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

import click

from estimator.cli.analyze import analyze
from estimator.cli.errors import ANALYSED, INTERRUPTED, PIPE_CLOSED, UNEXPECTED
from estimator.cli.gpus import gpus
from estimator.cli.output import prepare_streams
from estimator.cli.scan import scan
from estimator.cli.simplify import simplify
from estimator.collecting import collect_rarely


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from estimator.report.version import VERSION

        click.echo(f"kcost {VERSION}")
        context.exit()


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 all analysed, 1 some kernel or file could not be, 2 wrong usage.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def kcost() -> None:
    """What a CUDA kernel costs, as formulas read from its source: FLOPs, bytes, roofline."""


kcost.add_command(analyze)
kcost.add_command(scan)
kcost.add_command(gpus)
kcost.add_command(simplify)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `kcost` with these arguments (by default the process's) and give its exit status."""
    prepare_streams()
    collect_rarely()
    try:
        return _run(arguments)
    except BrokenPipeError:
        _silence_stdout()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("KCOST_DEBUG"):
            raise
        sys.stderr.write(_apology(error))
        return UNEXPECTED


def _run(arguments: Sequence[str] | None) -> int:
    try:
        given = None if arguments is None else list(arguments)
        status = kcost.main(args=given, prog_name="kcost", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return status if isinstance(status, int) else ANALYSED


def _apology(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return (
            f"kcost: the Python package '{error.name}' is not installed for {sys.executable}. "
            f"Install kcost together with what it needs: pip install .\n"
        )
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return (
        f"kcost: internal error: {what}. Please report it with the file and the output of the "
        f"same command under KCOST_DEBUG=1.\n"
    )


def _silence_stdout() -> None:
    """So that the interpreter's own flush at exit does not meet the closed pipe again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
