"""The unit of work, one file, and what the process that does it says on its way."""

from __future__ import annotations

import signal
from dataclasses import fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from estimator.immutable import immutable
from estimator.options import Options
from estimator.scan.rows import Basis, Found, KernelRow, LostKernel, Place
from estimator.source.position import SourceFile

if TYPE_CHECKING:
    from estimator.gpus.profile import GpuProfile

# Budgets are processor time, so that a machine under load gives the same results; a process that
# uses none of it is given up after this many times the budget. Where the system cannot measure
# processor time for us, the budget is time by the clock.
PATIENCE = 5 if hasattr(signal, "setitimer") else 1
_CHARACTERS_PER_S = 50_000


@immutable()
class Task:
    """One file to analyse: all that a process on any machine with the same tree needs.

    `root` is the folder that relative paths start from. `skip` has the symbols of kernels that
    are done or given up. `launch_files` are other files of the run that launch a kernel which
    this one defines (see `estimator.scan.survey`).
    """

    source: SourceFile
    root: str
    options: Options
    budget_s: float
    skip: frozenset[str] = frozenset()
    launch_files: tuple[SourceFile, ...] = ()


def portable(options: Options) -> Options:
    """The options as processes can send them: profiles have read-only views, which do not go."""
    return replace(options, gpus=tuple(map(_portable, options.gpus)))


def _portable(profile: GpuProfile) -> GpuProfile:
    values = {item.name: getattr(profile, item.name) for item in fields(profile)}
    views: dict[str, Any] = {
        name: dict(value) for name, value in values.items() if isinstance(value, MappingProxyType)
    }
    return replace(profile, **views)


def reading_budget_s(task: Task) -> float:
    """Seconds for reading the file before its first kernel: long files get more."""
    texts = (task.source.text, *(source.text for source in task.launch_files))
    return task.budget_s + sum(map(len, texts)) / _CHARACTERS_PER_S


@immutable()
class Ready:
    """The process is up."""


@immutable()
class KernelName:
    """A kernel that will be analysed: as the report calls it, and its unique symbol."""

    name: str
    symbol: str
    place: Place


@immutable()
class Read:
    """The file was read. `kernels` come next, one `Done` each, in this order."""

    kernels: tuple[KernelName, ...]
    lost: tuple[LostKernel, ...]
    diagnostics: tuple[Found, ...]
    basis: Basis


@immutable()
class Done:
    """One kernel's outcome: rows, or the reason that there are none; and warnings."""

    symbol: str
    rows: tuple[KernelRow, ...]
    lost: tuple[LostKernel, ...]
    diagnostics: tuple[Found, ...]


@immutable()
class End:
    """Nothing more comes for this task."""


Message = Ready | Read | Done | End
