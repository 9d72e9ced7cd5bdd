"""The whole way: from files to a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING
from warnings import warn

from estimator.options import Options
from estimator.report.model import FileReport, KernelReport, Report
from estimator.source.diagnostics import Diagnostic, InputError
from estimator.unknown_names import unknown_names

if TYPE_CHECKING:
    from estimator.linking import Linked
    from estimator.reading import Loaded


Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def analyze(paths: Paths, options: Options | None = None) -> Report:
    """Analyse CUDA source files.

    Never raises for what is in the files: what cannot be analysed is a diagnostic in the
    report, next to everything else. Warns of names in the options that no kernel has. Raises
    LaunchTextError for a launch text in the options that cannot be read.
    """
    options = options or Options()
    report = analyze_files(paths, options)
    for one in unknown_names(report, options) if report.kernels or report.complete else ():
        warn(f"{one.field}: {one.said} {one.name!r}", stacklevel=2)
    return report


def analyze_files(paths: Paths, options: Options) -> Report:
    """`analyze`, for a caller that looks at the names in the options itself."""
    listed = [paths] if isinstance(paths, (str, PathLike)) else paths
    loaded = [_load(fspath(path), options) for path in listed]
    return Report(tuple(_analyze_files(loaded, options)))


def _load(path: str, options: Options) -> Loaded:
    from estimator.lower.kernel import deep_recursion
    from estimator.reading import Loaded, load
    from estimator.source.read import read_source

    try:
        source = read_source(path)
    except InputError as error:
        return Loaded(path, None, error.diagnostic)
    with deep_recursion():
        return load(source, options)


def _analyze_files(loaded: list[Loaded], options: Options) -> Iterator[FileReport]:
    """The files' reports, in order; launches of one file may be of another one's kernels."""
    from estimator.linking import link
    from estimator.lower.kernel import deep_recursion

    linked = iter(link([one.unit for one in loaded if one.unit is not None]))
    for one in loaded:
        if one.fault is not None:
            yield FileReport(one.path, (), (one.fault,))
            continue
        with deep_recursion():
            yield _analyze_unit(next(linked), options)


def _analyze_unit(linked: Linked, options: Options) -> FileReport:
    from estimator.reading import read_linked
    from estimator.source import codes
    from estimator.source.diagnostics import diagnose
    from estimator.source.position import Position

    unit = linked.unit
    path = unit.source.path
    read = read_linked(linked, options)
    diagnostics: list[Diagnostic] = list(read.diagnostics)
    is_host = bool(unit.launches) and not linked.missing
    is_wrong = any(d.code.severity.value == "error" for d in unit.diagnostics)
    if not (unit.kernels or is_host or is_wrong):
        position = Position(path, 1, 1)
        diagnostics.append(diagnose(codes.NO_KERNEL, position, "no kernel in the file"))
    kernels: list[KernelReport] = []
    lost = [(name, why) for name, _, why in read.lost]
    for kernel in read.kernels:
        reports, found = read.analyze(kernel)
        kernels.extend(reports)
        diagnostics.extend(found)
        if not reports:
            errors = (d for d in found if d.code.severity.value == "error")
            lost += [(kernel.display_name, error) for error in errors]
    return FileReport(path, tuple(kernels), tuple(sorted_diagnostics(diagnostics)), tuple(lost))


def sorted_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each diagnostic once, in the order of the places."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.position.path, d.position.line, d.position.column))
