"""The whole way: from files to a report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from estimator.options import Options
from estimator.report.model import FileReport, KernelReport, Report
from estimator.source.diagnostics import Diagnostic, InputError

if TYPE_CHECKING:
    from estimator.linking import Linked
    from estimator.parse.unit import Unit

Values = Mapping[str, int | Fraction]


def analyze(paths: Sequence[str] | str, options: Options | None = None) -> Report:
    """Analyse CUDA source files.

    Never raises for what is in the files: what cannot be analysed is a diagnostic in the
    report, next to everything else. Raises LaunchTextError for a launch text in the options
    that cannot be read.
    """
    listed = [paths] if isinstance(paths, str) else list(paths)
    options = options or Options()
    loaded = [_load(path, options) for path in listed]
    return Report(tuple(_analyze_files(loaded, options)))


@dataclass(frozen=True)
class _Loaded:
    """A file that was read and parsed, or why that was not possible."""

    path: str
    unit: Unit | None
    fault: Diagnostic | None = None


def _load(path: str, options: Options) -> _Loaded:
    from estimator.lower.kernel import deep_recursion
    from estimator.parse.parser import parse
    from estimator.simplify.simplify import simplify
    from estimator.source import codes
    from estimator.source.diagnostics import diagnose
    from estimator.source.position import Position
    from estimator.source.preprocess import preprocess
    from estimator.source.read import read_source

    try:
        source = read_source(path)
    except InputError as error:
        return _Loaded(path, None, error.diagnostic)
    with deep_recursion():
        text = preprocess(source, include_dirs=options.include_dirs, macros=options.macros)
        try:
            return _Loaded(source.path, parse(simplify(text)))
        except RecursionError:
            message = "the file is nested too deeply to be read"
            fault = diagnose(codes.TOO_LARGE, Position(source.path, 1, 1), message)
            return _Loaded(source.path, None, fault)


def _analyze_files(loaded: list[_Loaded], options: Options) -> Iterator[FileReport]:
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
    from estimator.launching import Launches
    from estimator.lower.launches import LaunchTextError
    from estimator.source import codes
    from estimator.source.diagnostics import diagnose
    from estimator.source.position import Position

    unit = linked.unit
    path = unit.source.path
    diagnostics: list[Diagnostic] = list(unit.diagnostics)
    is_host = bool(unit.launches) and not linked.diagnostics
    is_wrong = any(d.code.severity.value == "error" for d in diagnostics)
    if not (unit.kernels or is_host or is_wrong):
        position = Position(path, 1, 1)
        diagnostics.append(diagnose(codes.NO_KERNEL, position, "no kernel in the file"))
    launches = Launches(linked, options)
    diagnostics.extend(launches.diagnostics)
    kernels: list[KernelReport] = []
    for kernel in unit.kernels:
        if kernel.name in linked.elsewhere:
            continue
        if options.kernels and not launches.is_called(kernel, options.kernels):
            continue
        try:
            reports, found = launches.analyze(kernel)
        except InputError as error:
            diagnostics.append(error.diagnostic)
        except LaunchTextError:
            raise  # a fault of the options, not of the kernel
        except Exception as error:
            if "KCOST_DEBUG" in os.environ:
                raise
            # One kernel that kcost itself fails on must not take the others along.
            message = f"{kernel.display_name}: {type(error).__name__} inside kcost"
            diagnostics.append(diagnose(codes.INTERNAL, kernel.position, message))
        else:
            kernels.extend(reports)
            diagnostics.extend(found)
    return FileReport(path, tuple(kernels), tuple(_sorted(diagnostics)))


def _sorted(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.position.path, d.position.line, d.position.column))


def with_verdicts(report: KernelReport, options: Options, values: Values) -> KernelReport:
    """The report with what each GPU makes of the kernel."""
    from estimator.algebra.printing import Formula
    from estimator.roofline.verdict import judge
    from estimator.roofline.work import Work

    work = Work(
        report.grid.flops, report.grid.special, report.bytes.requested, report.bytes.compulsory
    )
    bounds: dict[str, tuple[Formula | None, Formula | None]] = {
        unknown.name: (unknown.lower, unknown.upper) for unknown in report.unknowns
    }
    gpus = {profile.id: judge(work, profile, values, bounds) for profile in options.gpus}
    return replace(report, gpus=gpus)
