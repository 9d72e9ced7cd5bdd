"""Whether the names in -D, --set, --kernel and --launch are any kernel's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from estimator.cli.errors import UsageProblem, nearest
from estimator.source.codes import UNKNOWN_KERNEL, UNKNOWN_PARAMETER

if TYPE_CHECKING:
    from estimator.options import Options
    from estimator.report.model import Report
    from estimator.unknown_names import UnknownName

_OPTIONS = {"kernels": "--kernel", "launches": "--launch", "values": "-D", "unknowns": "--set"}


def check_names(report: Report, options: Options, unfiltered: Callable[[], Report]) -> list[str]:
    """Warnings about names that no analysed kernel has, if others could not be analysed.

    `unfiltered` gives the report on all kernels, for the names that --kernel could have been.
    Raises UsageProblem (K503, K505) for such a name if every kernel was analysed.
    """
    from estimator.unknown_names import unknown_names

    problems = unknown_names(report, options, unfiltered)
    if problems and report.complete:
        code = UNKNOWN_KERNEL if problems[0].what == "kernel" else UNKNOWN_PARAMETER
        raise UsageProblem(_message(problems[0]), code.help, code.id)
    return [_message(one) for one in problems] if report.kernels else []


def _message(one: UnknownName) -> str:
    return f"{_OPTIONS[one.field]}: {one.said} {one.name!r}{nearest(one.name, one.known)}"
