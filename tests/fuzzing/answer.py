"""One input analysed as a user would, and what is wrong with the answer."""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path

from estimator.analysis import analyze_files
from estimator.cli.analyze import FORMATS, rendered
from estimator.gpus import find_gpu
from estimator.gpus.profile import GpuProfile
from estimator.options import Options
from estimator.report.model import FileReport
from estimator.source.diagnostics import Severity


class WrongAnswerError(AssertionError):
    """An answer that came without an exception, and yet cannot be right."""


def answer(path: Path) -> frozenset[str]:
    """Analyse a file and write some reports in one of the formats; gives the kinds of what was said.

    Raises whatever the product raises, and WrongAnswerError for a file that has neither a kernel
    nor an error, or a place outside of it.
    """
    data = path.read_bytes()
    mark = zlib.crc32(data)
    options = Options(
        gpus=(_gpu(),) if mark & 1 else (),
        exact=mark & 6 == 6,
        values={"N": 1000, "n": 77} if mark & 8 else {},
    )
    report = analyze_files(str(path), options)
    if mark & 48 == 0:  # writing takes longer than analysing
        format_ = FORMATS[mark % len(FORMATS)]
        if not rendered(report, format_, options.exact):
            raise WrongAnswerError(f"nothing written as {format_}")
    check(report.files[0], data)
    return _kinds(report.files[0])


@cache
def _gpu() -> GpuProfile:
    return find_gpu("l40s")


def check(file: FileReport, data: bytes) -> None:
    """Raises WrongAnswerError for silence, and for places that the file does not have."""
    errors = [d for d in file.diagnostics if d.code.severity is Severity.ERROR]
    if not file.kernels and not errors:
        raise WrongAnswerError("neither a kernel nor an error")
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    places = [diagnostic.position for diagnostic in file.diagnostics]
    places += [kernel.position for kernel in file.kernels]
    for place in places:
        if place.path != file.path:
            continue
        line = lines[place.line - 1] if 1 <= place.line <= len(lines) else None
        if line is None or not 1 <= place.column <= len(line) + 1:
            raise WrongAnswerError(f"no such place: {place.line}:{place.column}")


def _kinds(file: FileReport) -> frozenset[str]:
    """Codes and messages without what is the input's own, and what kernels gave."""
    kinds = {d.code.id + re.sub(r"'[^']*'|\d+", "", d.message) for d in file.diagnostics}
    for kernel in file.kernels:
        kinds.add(f"kernel {kernel.launch.origin.value} {bool(kernel.unknowns)}")
        kinds.update(f"assumed {assumption.code}" for assumption in kernel.assumptions)
    return frozenset(kinds)
