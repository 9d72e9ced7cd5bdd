"""The whole way: from files to a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from estimator.options import Options
from estimator.report.model import FileReport, KernelReport, Report
from estimator.source.diagnostics import Diagnostic, InputError
from estimator.source.position import SourceFile

Values = Mapping[str, int | Fraction]


def analyze(paths: Sequence[str] | str, options: Options | None = None) -> Report:
    """Analyse CUDA source files.

    Never raises for what is in the files: what cannot be analysed is a diagnostic in the
    report, next to everything else. Raises LaunchTextError for a launch text in the options
    that cannot be read.
    """
    listed = [paths] if isinstance(paths, str) else list(paths)
    options = options or Options()
    return Report(tuple(_analyze_file(path, options) for path in listed))


def _analyze_file(path: str, options: Options) -> FileReport:
    from estimator.lower.kernel import deep_recursion
    from estimator.source.read import read_source

    try:
        source = read_source(path)
    except InputError as error:
        return FileReport(path, (), (error.diagnostic,))
    with deep_recursion():
        return _analyze_source(source, options)


def _analyze_source(source: SourceFile, options: Options) -> FileReport:
    from estimator.launching import Launches
    from estimator.lower.launches import LaunchTextError
    from estimator.parse.parser import parse
    from estimator.simplify.simplify import simplify
    from estimator.source import codes
    from estimator.source.diagnostics import diagnose
    from estimator.source.position import Position
    from estimator.source.preprocess import preprocess

    path = source.path
    preprocessed = preprocess(source, include_dirs=options.include_dirs, macros=options.macros)
    try:
        unit = parse(simplify(preprocessed))
    except RecursionError:
        message = "the file is nested too deeply to be read"
        return FileReport(path, (), (diagnose(codes.TOO_LARGE, Position(path, 1, 1), message),))
    diagnostics: list[Diagnostic] = list(unit.diagnostics)
    if not unit.kernels and not any(d.code.severity.value == "error" for d in diagnostics):
        position = Position(path, 1, 1)
        diagnostics.append(diagnose(codes.NO_KERNEL, position, "no kernel in the file"))
    launches = Launches(unit, options)
    diagnostics.extend(launches.diagnostics)
    kernels: list[KernelReport] = []
    for kernel in unit.kernels:
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
