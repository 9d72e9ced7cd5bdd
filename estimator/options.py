"""What a user asks of an analysis beyond the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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

    Raises TypeError for a field of another type, such as a GPU's name for its profile.
    """

    gpus: tuple[GpuProfile, ...] = ()
    values: Mapping[str, int] = field(default_factory=dict)
    kernels: tuple[str, ...] = ()
    launches: tuple[str, ...] = ()
    unknowns: Mapping[str, int | Fraction] = field(default_factory=dict)
    include_dirs: tuple[str, ...] = ()
    macros: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False

    def __post_init__(self) -> None:
        """Refuse here what would fail somewhere inside an analysis."""
        for name in ("gpus", "kernels", "launches", "include_dirs"):
            if isinstance(getattr(self, name), str):
                raise TypeError(f"{name} is a tuple, not a text: ({getattr(self, name)!r},)")
        for gpu in self.gpus:
            if isinstance(gpu, str):
                raise TypeError(f"gpus holds profiles: estimator.find_gpu({gpu!r})")
        for name in ("kernels", "launches", "include_dirs"):
            _check(name, getattr(self, name), str, "texts")
        _check("values", self.values.values(), int, "integers")
        _check("unknowns", self.unknowns.values(), (int, Fraction), "integers and Fractions")
        _check("macros", self.macros.values(), str, "texts")


def _check(name: str, given: Iterable[object], types: type | tuple[type, ...], called: str) -> None:
    for one in given:
        if not isinstance(one, types):
            raise TypeError(f"{name} holds {called}, not {one!r}")
