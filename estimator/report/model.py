"""The report: everything an analysis found, as values; the formats only print it.

Formulas are `estimator.algebra` objects. A `Count` carries the formula that people read, for
sizes that divide evenly, and the exact one for every size; where no size needs rounding the
two are the same object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from estimator.algebra.printing import Formula
from estimator.source.diagnostics import Diagnostic
from estimator.source.position import Position

if TYPE_CHECKING:
    import sympy

    from estimator.roofline.verdict import GpuVerdict


@dataclass(frozen=True, slots=True)
class Count:
    """One counted quantity; `value` is the number at the sizes given, if all were."""

    formula: Formula
    exact: Formula
    value: Fraction | int | None = None

    @property
    def is_zero(self) -> bool:
        from estimator.algebra.printing import sympy_text

        return sympy_text(self.formula) == "0" and sympy_text(self.exact) == "0"


@dataclass(frozen=True, slots=True)
class Counts:
    """What is executed: FLOPs by precision, accesses by memory space, and the rest.

    Keys of `flops`: fp64, fp32, fp16, bf16. Keys of `loads`, `stores`, `atomics`: global,
    shared, local, constant. Kinds that never occur have no key.
    """

    flops: Mapping[str, Count]
    special: Count
    loads: Mapping[str, Count]
    stores: Mapping[str, Count]
    atomics: Mapping[str, Count]
    shuffles: Count
    barriers: Count


@dataclass(frozen=True, slots=True)
class ThreadVariation:
    """How threads differ: formulas in the thread's index, by the dotted name of the count.

    `index` gives each index symbol's meaning (`i` → `blockIdx.x*blockDim.x + threadIdx.x`);
    `formulas` has entries such as `flops.fp32` → 2i + 2.
    """

    index: Mapping[str, str]
    formulas: Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class ArrayBytes:
    """One array's traffic in bytes."""

    requested: Count
    compulsory: Count
    compulsory_sectors: Count


@dataclass(frozen=True, slots=True)
class Bytes:
    """Global-memory traffic of the whole grid in bytes, three ways.

    requested: every access of every thread; compulsory: each distinct element read once and
    written once; compulsory_sectors: the same in whole 32-byte sectors.
    """

    requested: Count
    compulsory: Count
    compulsory_sectors: Count
    by_array: Mapping[str, ArrayBytes]


@dataclass(frozen=True, slots=True)
class Intensity:
    """FLOPs per byte of the whole grid; None where no bytes move.

    `limits` has `requested` and `compulsory`: the limit for large sizes, or None for none.
    """

    requested: Count | None
    compulsory: Count | None
    compulsory_sectors: Count | None
    limits: Mapping[str, Formula | None]


class LaunchOrigin(str, Enum):
    """Where the launch configuration came from."""

    SOURCE = "source"
    OPTION = "option"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Launch:
    """Grid and block extents (x, y, z); `also` are other places that launch the same.

    `calls` are the calls of host functions that the sizes come from, the nearest first.
    It is the launch `number` of the `count` distinct ones that the kernel has a report for.
    `values` were given to sizes that the extents hold and that are no parameters.
    """

    grid: tuple[Formula, Formula, Formula]
    block: tuple[Formula, Formula, Formula]
    origin: LaunchOrigin
    position: Position | None = None
    also: tuple[Position, ...] = ()
    calls: tuple[Position, ...] = ()
    number: int = 1
    count: int = 1
    values: tuple[tuple[str, Fraction | int], ...] = ()


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something the numbers rest on that the source does not say."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A quantity that depends on data. `name` is what --set takes, `symbol` what formulas have."""

    name: str
    symbol: str
    position: Position
    meaning: str
    lower: Formula | None
    upper: Formula | None
    value: Fraction | int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the kernel: its type as written, and its value if one was given."""

    name: str
    type: str
    value: Fraction | int | None = None


@dataclass(frozen=True)
class KernelReport:
    """All that is known about one kernel.

    `exact_unknowns` are those that only the formulas for every size have.
    """

    name: str
    position: Position
    parameters: tuple[Parameter, ...]
    launch: Launch
    assumptions: tuple[Assumption, ...]
    per_thread: Counts
    variation: ThreadVariation | None  # None: all active threads do the same
    grid: Counts
    threads: Count
    active_threads: Count
    bytes: Bytes
    intensities: Intensity
    unknowns: tuple[Unknown, ...]
    gpus: Mapping[str, GpuVerdict] = field(default_factory=dict)
    exact_unknowns: tuple[Unknown, ...] = ()

    @property
    def uniform(self) -> bool:
        return self.variation is None

    @property
    def intensity(self) -> sympy.Expr | None:
        """Compulsory intensity in FLOP/byte as a sympy expression; None if no bytes move."""
        from estimator.algebra.to_sympy import to_sympy

        count = self.intensities.compulsory
        return None if count is None else to_sympy(count.formula)


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file's kernels and what went wrong in it; `lost` are names of kernels without a report,
    each with the error that it was lost to."""

    path: str
    kernels: tuple[KernelReport, ...]
    diagnostics: tuple[Diagnostic, ...]
    lost: tuple[tuple[str, Diagnostic], ...] = ()

    def lost_to(self, error: Diagnostic) -> tuple[str, ...]:
        """The kernels that an error costs."""
        return tuple(dict.fromkeys(name for name, reason in self.lost if reason == error))


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run."""

    files: tuple[FileReport, ...]

    @property
    def kernels(self) -> tuple[KernelReport, ...]:
        """The kernels of all files, in order."""
        return tuple(kernel for file in self.files for kernel in file.kernels)

    @property
    def complete(self) -> bool:
        """Whether every file and kernel could be analysed."""
        from estimator.source.diagnostics import Severity

        return not any(
            diagnostic.code.severity is Severity.ERROR
            for file in self.files
            for diagnostic in file.diagnostics
        )
