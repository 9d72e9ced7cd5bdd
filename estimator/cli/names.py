"""Whether the names in -D, --set, --kernel and --launch are any kernel's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from estimator.cli.errors import UsageProblem, nearest
from estimator.source.codes import UNKNOWN_KERNEL, UNKNOWN_PARAMETER

if TYPE_CHECKING:
    from estimator.options import Options
    from estimator.report.model import Report
    from estimator.source.diagnostics import Code

_NAME = re.compile(r"[A-Za-z_]\w*")


def check_names(report: Report, options: Options, unfiltered: Callable[[], Report]) -> list[str]:
    """Warnings about names that no analysed kernel has, if others could not be analysed.

    `unfiltered` gives the report on all kernels, for the names that --kernel could have been.
    Raises UsageProblem (K503, K505) for such a name if every kernel was analysed.
    """
    from estimator.lower.launch_text import launched_kernel
    from estimator.report.names import parameter_names

    kernels = report.kernels
    names = _kernel_names(report)
    if not names.issuperset(options.kernels):
        names = _kernel_names(unfiltered())
    parameters = {name for kernel in kernels for name in parameter_names(kernel)}
    parameters |= {name for text in options.launches for name in _NAME.findall(text)}
    unknowns = {u.name for k in kernels for u in (*k.unknowns, *k.exact_unknowns)}
    launched = [name for name in map(launched_kernel, options.launches) if name is not None]
    problems = [
        *_missing("--kernel", "kernel", options.kernels, names, UNKNOWN_KERNEL),
        *_missing("--launch", "kernel", launched, names, UNKNOWN_KERNEL),
        *_missing("-D", "parameter", options.values, parameters, UNKNOWN_PARAMETER),
        *_missing("--set", "unknown", options.unknowns, unknowns, UNKNOWN_PARAMETER),
    ]
    if problems and report.complete:
        message, code = problems[0]
        raise UsageProblem(message, code.help, code.id)
    return [message for message, _ in problems] if kernels else []


def _missing(
    option: str, what: str, wanted: Iterable[str], known: set[str], code: Code
) -> list[tuple[str, Code]]:
    return [
        (f"{option}: no kernel has the {what} {name!r}{nearest(name, known)}", code)
        if what != "kernel"
        else (f"{option}: no kernel is called {name!r}{nearest(name, known)}", code)
        for name in wanted
        if name not in known
    ]


def _kernel_names(report: Report) -> set[str]:
    names = {kernel.name for kernel in report.kernels}
    return names | {_base(name) for name in names}


def _base(name: str) -> str:
    """`scale<float>` → `scale`, `math::scale` → `scale`."""
    return name.partition("<")[0].rpartition("::")[2]
