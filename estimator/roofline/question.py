"""What is asked about one kernel, one GPU and one kind of traffic, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from estimator.algebra.atoms import Atom, Symbol
from estimator.algebra.poly import Number, Poly
from estimator.algebra.printing import Formula
from estimator.algebra.walk import substitute
from estimator.immutable import immutable
from estimator.roofline.roofs import Roofs, balances, memory_time_at, times_at
from estimator.roofline.work import Quantity, Work, symbols_of

# By symbol name: the least and the largest value of what depends on data, None for no bound.
Bounds = Mapping[str, tuple[Formula | None, Formula | None]]


class Bound(str, Enum):
    """What limits a kernel on a GPU."""

    MEMORY = "memory-bound"
    COMPUTE = "compute-bound"
    DEPENDS = "depends"
    UNDECIDED = "undecided"

    @property
    def opposite(self) -> Bound:
        """The other limit, for memory and compute."""
        return Bound.MEMORY if self is Bound.COMPUTE else Bound.COMPUTE


@immutable()
class Verdict:
    """The binding limit for one kind of traffic.

    `bound` holds at the values given, or for all sizes, or from `turns_at` (parameter → size)
    on, or for large sizes of `large`. `DEPENDS` names what decides in `depends_on`,
    `UNDECIDED` says why in `reason`. `turn_bound` is what holds from `turns_at` on; it differs
    from `bound` only when values below the turn were given.
    """

    bound: Bound
    turns_at: Mapping[str, int] = field(default_factory=dict)
    turn_bound: Bound | None = None
    large: str | None = None
    depends_on: tuple[str, ...] = ()
    reason: str = ""

    @property
    def text(self) -> str:
        """`compute-bound from N = 637`, `memory-bound`, `depends on M, N`, ..."""
        if self.bound is Bound.DEPENDS:
            return f"depends on {', '.join(self.depends_on)}"
        if self.bound is Bound.UNDECIDED:
            return f"undecided: {self.reason}"
        for name, size in self.turns_at.items():
            turn = f"{(self.turn_bound or self.bound).value} from {name} = {size}"
            return turn if self.turn_bound in (None, self.bound) else f"{self.bound.value}; {turn}"
        return f"{self.bound.value} for large {self.large}" if self.large else self.bound.value


@immutable()
class Question:
    """One kind of traffic of one kernel on one GPU, at the values given by symbol name."""

    work: Work
    traffic: Quantity
    roofs: Roofs
    values: Mapping[str, Number]
    bounds: Bounds

    def quantities(self) -> list[Quantity]:
        """The formulas that the answer rests on."""
        counts = [self.work.flops[name] for name in self.roofs.peaks_flops_per_s]
        special = [self.work.special] if self.roofs.special_per_s is not None else []
        return [*counts, *special, self.traffic]

    def free(self, *, exact: bool = True) -> list[Symbol]:
        """The symbols without a value, sorted by name."""
        found: set[Symbol] = set()
        for quantity in self.quantities():
            found |= symbols_of(quantity.exact if exact else quantity.formula)
        return sorted(symbol for symbol in found if symbol.name not in self.values)

    def state(self, values: Mapping[str, Number]) -> bool | None:
        """Whether the kernel is compute-bound at these values; None where nothing runs."""
        times = times_at(self.work, self.roofs, values)
        memory_s = memory_time_at(self.traffic, self.roofs, values)
        if times is None or memory_s is None or times.compute_s <= 0 >= memory_s:
            return None
        return times.compute_s >= memory_s

    def balances(self, fixed: Mapping[Atom, Poly], *, exact: bool) -> list[Poly] | None:
        """`roofs.balances` with `fixed` symbols replaced and the values put in."""
        polys = balances(self.work, self.traffic, self.roofs, exact=exact)
        if polys is None:
            return None
        given: dict[Atom, Poly] = {
            Symbol(name): Poly.of(value) for name, value in self.values.items()
        }
        return [substitute(substitute(poly, fixed), given) for poly in polys]
