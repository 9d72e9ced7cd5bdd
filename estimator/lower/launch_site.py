"""A launch as host code has it, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from estimator.algebra.poly import ONE, Poly
from estimator.immutable import immutable
from estimator.ir.kernel import LaunchShape
from estimator.parse.types import Scalar
from estimator.source.position import Position

Extents = tuple[Poly, Poly, Poly]
UNIT_SHAPE = LaunchShape((ONE, ONE, ONE), (ONE, ONE, ONE))


@immutable(slots=False)
class LaunchSite:
    """A launch as written: the kernel, its extents, and what is known of the arguments.

    A grid or block that cannot be computed is None; `unread` are those that only turned out so
    here. `known` has values of the kernel's parameters at this launch, `related` those that are
    formulas in other sizes (`dw = 2*sw`), `fitted` what is taken to fit a narrow type, `nulls`
    the pointers that are null.
    `calls` are the calls of host functions that lead to it, the nearest first, if they say
    anything of it.
    """

    kernel: str
    grid: Extents | None
    block: Extents | None
    position: Position
    known: Mapping[str, Poly]
    calls: tuple[Position, ...] = ()
    unread: tuple[str, ...] = ()
    related: Mapping[str, Poly] = field(default_factory=dict)
    fitted: tuple[tuple[Poly, Scalar], ...] = ()
    nulls: frozenset[str] = frozenset()

    @property
    def numbers(self) -> dict[str, int]:
        """The parameters' values that are numbers."""
        return {name: n for name, poly in self.known.items() if (n := poly.integer) is not None}
