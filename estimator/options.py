"""What a user asks of an analysis beyond the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from estimator.gpus.profile import GpuProfile


@dataclass(frozen=True, slots=True)
class Options:
    """Options of `estimator.analyze`, one for each of `kcost analyze`.

    `values` gives parameters of kernels and launches a number (-D), `unknowns` what depends
    on data (--set), both by name. `kernels` are the names to report on, none for all.
    `launches` are texts such as `matmul: grid=((N+15)/16, (N+15)/16) block=(16, 16)`.
    `include_dirs` and `macros` are for the preprocessor. `exact` asks for the formulas that
    hold for every size.
    """

    gpus: tuple[GpuProfile, ...] = ()
    values: Mapping[str, int | Fraction] = field(default_factory=dict)
    kernels: tuple[str, ...] = ()
    launches: tuple[str, ...] = ()
    unknowns: Mapping[str, int | Fraction] = field(default_factory=dict)
    include_dirs: tuple[str, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False
