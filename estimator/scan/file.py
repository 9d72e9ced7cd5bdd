"""One file's analysis as messages: what was read, then one kernel after another."""

from __future__ import annotations

from collections.abc import Iterator

from estimator.analysis import sorted_diagnostics
from estimator.parse.unit import Function
from estimator.reading import ReadFile, load, read_alone
from estimator.scan.basis import basis_of
from estimator.scan.make import row_of
from estimator.scan.rows import Basis, Found, KernelRow, LostKernel, found_of, place_of
from estimator.scan.work import Done, KernelName, Message, Read, Task
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose


def work(task: Task) -> Iterator[Message]:
    """`Read`, and `Done` for each kernel that the task does not skip."""
    loaded = load(task.source, task.options)
    launching = [load(source, task.options) for source in task.launch_files]
    read = read_alone(loaded, launching, task.options)
    yield _read(read, basis_of([loaded.headers, *(other.headers for other in launching)]))
    for kernel in read.kernels:
        if kernel.name not in task.skip:
            yield _done(read, kernel)


def _read(read: ReadFile, basis: Basis) -> Read:
    lost = tuple(_lost(name, symbol, why) for name, symbol, why in read.lost)
    reasons = {why for _, _, why in read.lost}
    others = [found for found in sorted_diagnostics(read.diagnostics) if found not in reasons]
    return Read(
        tuple(KernelName(k.display_name, k.name, place_of(k.position)) for k in read.kernels),
        lost,
        tuple(map(found_of, others)),
        basis,
    )


def _done(read: ReadFile, kernel: Function) -> Done:
    reports, found = read.analyze(kernel)
    rows: tuple[KernelRow, ...] = ()
    try:
        rows = tuple(row_of(kernel, report) for report in reports)
    except Exception as error:
        message = f"{kernel.display_name}: {type(error).__name__} inside kcost"
        found = [diagnose(codes.INTERNAL, kernel.position, message)]
    lost: tuple[LostKernel, ...] = ()
    if not rows:
        reason = next(one for one in found if found_of(one).is_error)
        found = [one for one in found if one is not reason]
        lost = (_lost(kernel.display_name, kernel.name, reason),)
    diagnostics: list[Found] = [found_of(one) for one in sorted_diagnostics(found)]
    return Done(kernel.name, rows, lost, tuple(diagnostics))


def _lost(name: str, symbol: str, reason: Diagnostic) -> LostKernel:
    return LostKernel(name, symbol, place_of(reason.position), found_of(reason))
