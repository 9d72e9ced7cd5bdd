"""Names in options that no kernel of a report has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from estimator.options import Options
from estimator.report.model import Report

_NAME = re.compile(r"[A-Za-z_]\w*")


class UnknownName(NamedTuple):
    """A name in a field of `Options`, what it would be, and which ones there are."""

    field: str
    what: str
    name: str
    known: frozenset[str]

    @property
    def said(self) -> str:
        """What is said of it, with the name behind."""
        return "no kernel is called" if self.what == "kernel" else f"no kernel has the {self.what}"


def unknown_names(
    report: Report, options: Options, unfiltered: Callable[[], Report] | None = None
) -> list[UnknownName]:
    """The names that no kernel has, as far as is known of kernels that could not be analysed.

    `unfiltered` gives the report on all kernels, for the names that `kernels` could have been.
    Raises LaunchTextError for a launch that cannot be read.
    """
    from estimator.lower.launch_text import launched_kernel
    from estimator.report.names import parameter_names

    kernels = report.kernels
    names = _kernel_names(report)
    if unfiltered is not None and not names.issuperset(options.kernels):
        names = _kernel_names(unfiltered())
    parameters = {name for kernel in kernels for name in parameter_names(kernel)}
    parameters |= {name for text in options.launches for name in _NAME.findall(text)}
    unknowns = {u.name for k in kernels for u in (*k.unknowns, *k.exact_unknowns)}
    launched = [name for name in map(launched_kernel, options.launches) if name is not None]
    lost = {_base(name) for file in report.files for name, _ in file.lost}
    wanted = [name for name in options.kernels if _base(name) not in lost]
    return [
        *_missing("kernels", "kernel", wanted, names),
        *_missing("launches", "kernel", launched, names),
        *_missing("values", "parameter", options.values, parameters),
        *_missing("unknowns", "unknown", options.unknowns, unknowns),
    ]


def _missing(
    field: str, what: str, wanted: Iterable[str], known: set[str]
) -> Iterator[UnknownName]:
    for name in wanted:
        if name not in known:
            yield UnknownName(field, what, name, frozenset(known))


def _kernel_names(report: Report) -> set[str]:
    names = {kernel.name for kernel in report.kernels}
    return names | {_base(name) for name in names}


def _base(name: str) -> str:
    """`scale<float>` → `scale`, `math::scale` → `scale`."""
    return name.partition("<")[0].rpartition("::")[2]
