"""The whole scan: find files, take what is kept of them, analyse the rest, and put it together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from estimator.immutable import immutable
from estimator.options import Options
from estimator.scan.basis import text_digest
from estimator.scan.find import find_files
from estimator.scan.merge import ScanReport, merged
from estimator.scan.results import Results
from estimator.scan.rows import Basis, FileRows, found_of
from estimator.scan.survey import Survey, launched_elsewhere, survey
from estimator.scan.work import Task
from estimator.source.codes import FILE_EMPTY
from estimator.source.diagnostics import InputError
from estimator.source.position import SourceFile
from estimator.source.read import read_source

_KERNEL_WORD = "__global__"

# How tasks are done: from tasks and their number to rows, in any order.
Spread = Callable[[Iterable[Task], int], Iterator[FileRows]]
# Called with the number of files done, and of all.
OnProgress = Callable[[int, int], None]


@immutable()
class _File:
    """A file at first sight."""

    path: str
    size: int
    has_kernel_word: bool
    digest: str
    names: Survey


class Scan:
    """One scan. `results` None keeps nothing and takes nothing."""

    def __init__(
        self,
        options: Options,
        budget_s: float,
        results: Results | None,
        spread: Spread,
        on_progress: OnProgress,
    ) -> None:
        self._options = options
        self._budget_s = budget_s
        self._results = results
        self._spread = spread
        self._on_progress = on_progress
        self._files: dict[str, _File] = {}
        self._elsewhere: dict[str, tuple[str, ...]] = {}
        self._rows: dict[str, FileRows] = {}
        self._keys: dict[str, str] = {}
        self._total = 0

    def run(self, paths: Sequence[str]) -> ScanReport:
        """Analyse all files below `paths`. Raises nothing for what is in them."""
        found = find_files(paths)
        self._total = len(found)
        for path in found:
            self._look_at(path)
        self._elsewhere = launched_elsewhere({f.path: f.names for f in self._files.values()})
        missing = [file for file in self._files.values() if not self._is_kept(file)]
        missing.sort(key=lambda file: -file.size)  # what takes long must not come last
        if missing:
            for rows in self._spread(self._tasks(missing), len(missing)):
                if self._results is not None and rows.path in self._keys:
                    self._results.keep(self._keys[rows.path], rows)
                self._finish(rows)
        return merged([self._judged(self._rows[path]) for path in found if path in self._rows])

    def _look_at(self, path: str) -> None:
        source = self._source(path)
        if source is not None:
            text = source.text
            self._files[path] = _File(
                path, len(text), _KERNEL_WORD in text, text_digest(text), survey(text)
            )

    def _source(self, path: str) -> SourceFile | None:
        """The file, or None and rows that say why not."""
        try:
            return read_source(path)
        except InputError as error:
            found = error.diagnostic
            # An empty file has no kernel, which is no fault here.
            told = () if found.code is FILE_EMPTY else (found_of(found),)
            self._finish(FileRows(path, diagnostics=told, basis=Basis(complete=False)))
            return None

    def _is_kept(self, file: _File) -> bool:
        if self._results is None:
            return False
        launching = [self._files[other].digest for other in self._elsewhere[file.path]]
        key = self._results.key(file.path, file.digest, launching)
        rows = self._results.get(key)
        if rows is None:
            self._keys[file.path] = key
            return False
        self._finish(rows)
        return True

    def _tasks(self, files: Iterable[_File]) -> Iterator[Task]:
        """The texts are read again here, so that only those at work are in memory."""
        for file in files:
            source = self._source(file.path)
            if source is None:
                continue
            if text_digest(source.text) != file.digest:  # edited meanwhile: good for this time
                self._keys.pop(file.path, None)
            others = (self._source_again(other) for other in self._elsewhere[file.path])
            launching = tuple(other for other in others if other is not None)
            yield Task(source, os.getcwd(), self._options, self._budget_s, launch_files=launching)

    def _source_again(self, path: str) -> SourceFile | None:
        try:
            return read_source(path)
        except InputError:
            return None

    def _finish(self, rows: FileRows) -> None:
        self._rows[rows.path] = rows
        self._on_progress(len(self._rows), self._total)

    def _judged(self, rows: FileRows) -> FileRows:
        """A file without a kernel is no fault, whatever else is wrong with it."""
        file = self._files.get(rows.path)
        if file is None or file.has_kernel_word or rows.rows or rows.lost:
            return rows
        return replace(rows, diagnostics=())
