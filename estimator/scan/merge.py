"""The files' rows as one: a kernel in a header counts once, as the files that include it see it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeVar

from estimator.immutable import immutable
from estimator.scan.rows import FileRows, Found, KernelRow, LostKernel, Place
from estimator.source.codes import KERNEL_ELSEWHERE

# A kernel or template: the file it stands in, the line and column, its name without arguments.
_Identity = tuple[str, int, int, str]
_T = TypeVar("_T")
_ASSUMED = "assumed"
_QUOTED_NAME = re.compile(r"'(?:\w+::)*(\w+)")


@immutable()
class ScanReport:
    """A whole scan. `lost` are kernels that were not analysed; `diagnostics` lost no kernel that
    has a name: files that could not be read, and warnings."""

    files: int
    rows: tuple[KernelRow, ...]
    lost: tuple[LostKernel, ...]
    diagnostics: tuple[Found, ...]

    @property
    def analysed(self) -> int:
        """How many kernels have rows; a kernel has one for each of its launches."""
        return len({(row.place, row.name) for row in self.rows})

    @property
    def kernels(self) -> int:
        """How many kernels there are, analysed or not."""
        return self.analysed + len(self.lost)

    @property
    def errors(self) -> tuple[Found, ...]:
        """The diagnostics that say of something that it was not analysed."""
        return tuple(found for found in self.diagnostics if found.is_error)

    @property
    def complete(self) -> bool:
        """Whether every kernel and file was analysed."""
        return not self.lost and not self.errors


def merged(files: Sequence[FileRows]) -> ScanReport:
    """One report of all files.

    What a file that others include has by itself is left out where they have it too. An instance
    of a template under assumed arguments gives way to real ones, also where it could not be
    analysed, an assumed launch to one in the source.
    """
    real = cache(os.path.realpath)
    included = {
        real(header) for file in files for header in file.basis.headers if header != real(file.path)
    }
    alone = [file for file in files if real(file.path) in included]
    others = [file for file in files if real(file.path) not in included]
    if not others:  # they include each other
        alone, others = [], alone
    instances = _instances(files, real)
    rows = [row for file in others for row in file.rows]
    lost = [kernel for file in others for kernel in _lost(file, instances, real)]
    known = {_identity(row, real) for row in rows}
    named = {row.symbol for row in rows} | {kernel.symbol for kernel in lost}
    rows += [row for file in alone for row in file.rows if _identity(row, real) not in known]
    lost += [
        kernel
        for file in alone
        for kernel in _lost(file, instances, real)
        if kernel.symbol not in named
    ]
    rows = list(_without_assumed(rows, real))
    analysed = {(real(row.place.path), row.symbol) for row in rows}
    return ScanReport(
        len(files),
        tuple(_each_once(rows, lambda row: _content(row, real))),
        tuple(
            kernel
            for kernel in _each_once(
                lost, lambda kernel: (kernel.symbol, *_found(kernel.reason, real))
            )
            if (real(kernel.place.path), kernel.symbol) not in analysed
        ),
        tuple(
            _each_once(
                _told(others, named),
                lambda found: _found(found, real),
            )
        ),
    )


def _instances(
    files: Sequence[FileRows], real: Callable[[str], str]
) -> Mapping[str, frozenset[str]]:
    """The templates that some file has instances of, analysed or not: by name, the files that they
    stand in."""
    found: dict[str, frozenset[str]] = {}
    named = [(row.name, row.place) for file in files for row in file.rows if not row.is_open]
    named += [(kernel.name, kernel.place) for file in files for kernel in file.lost]
    for full, place in named:
        name, mark, _ = full.partition("<")
        if mark:
            found[name] = found.get(name, frozenset()) | {real(place.path)}
    return found


def _lost(
    file: FileRows, instances: Mapping[str, frozenset[str]], real: Callable[[str], str]
) -> Iterator[LostKernel]:
    """The file's lost kernels, without templates of which another file has instances."""
    own = {row.name.partition("<")[0] for row in file.rows}
    sources = {real(path) for path in (file.path, *file.basis.headers)}
    for kernel in file.lost:
        is_instance = "<" in kernel.name
        if (
            is_instance
            or kernel.symbol in own
            or not instances.get(kernel.symbol, frozenset()) & sources
        ):
            yield kernel


def _told(files: Sequence[FileRows], named: set[str]) -> Iterator[Found]:
    """The diagnostics, without those that say of a kernel here that it is not here."""
    for file in files:
        for found in file.diagnostics:
            if found.code != KERNEL_ELSEWHERE.id or not named & set(
                _QUOTED_NAME.findall(found.message)
            ):
                yield found


def _without_assumed(rows: Sequence[KernelRow], real: Callable[[str], str]) -> Iterator[KernelRow]:
    instantiated = {_identity(row, real) for row in rows if not row.is_open}
    launched = {(*_identity(row, real), row.name) for row in rows if row.origin != _ASSUMED}
    instances = {_identity(row, real) for row in rows if "<" in row.name and not row.is_open}
    for row in rows:
        identity = _identity(row, real)
        if row.is_open and identity in instantiated:
            continue
        if row.origin == _ASSUMED and "<" not in row.name and identity in instances:
            continue  # a template of values, which are parameters where nobody gives them
        if row.origin == _ASSUMED and (*identity, row.name) in launched:
            continue
        yield row


def _identity(row: KernelRow, real: Callable[[str], str]) -> _Identity:
    return real(row.place.path), row.place.line, row.place.column, row.name.partition("<")[0]


def _content(row: KernelRow, real: Callable[[str], str]) -> tuple[object, ...]:
    """Rows that agree in this say the same."""
    intensity = None if row.intensity is None else row.intensity.formula
    counts = (row.flops.formula, row.bytes.formula, row.bytes_requested.formula, intensity)
    return (*_identity(row, real), row.name, _spot(row.launch, real), row.grid, row.block, counts)


def _found(found: Found, real: Callable[[str], str]) -> tuple[object, ...]:
    return found.code, _spot(found.place, real), found.message


def _spot(place: Place | None, real: Callable[[str], str]) -> tuple[object, ...]:
    return () if place is None else (real(place.path), place.line, place.column)


def _each_once(items: Iterable[_T], key: Callable[[_T], object]) -> list[_T]:
    found: dict[object, _T] = {}
    for item in items:
        found.setdefault(key(item), item)
    return list(found.values())
