"""The roofs of one GPU that a kernel meets: time on each unit, as formulas in seconds.

The model is the classical roofline (Williams, Waterman, Patterson, "Roofline: an insightful
visual performance model for multicore architectures", CACM 2009). Precisions share the issue
slots, so their times add up; tensor cores and special functions run on units of their own
beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from estimator.algebra.poly import Number, Poly
from estimator.algebra.ratio import reduce
from estimator.gpus.kinds import is_tensor
from estimator.gpus.profile import GpuProfile
from estimator.immutable import immutable
from estimator.roofline.work import Quantity, Work, as_poly, is_zero, value_of

SPECIAL = "special"


@immutable()
class Roofs:
    """Rates of the units that the kernel uses.

    `peaks_flops_per_s` by precision, those of the tensor cores as `tensor_fp16` and so on;
    `special_per_s` is None where the kernel has no special functions or the profile no rate for
    them; `missing` names precisions without a peak.
    """

    peaks_flops_per_s: Mapping[str, Fraction]
    special_per_s: Fraction | None
    bandwidth_bytes_per_s: Fraction
    missing: tuple[str, ...]

    def groups(self) -> list[list[str]]:
        """The precisions in use by the unit whose time they share: vector, tensor."""
        names = list(self.peaks_flops_per_s)
        vector = [name for name in names if not is_tensor(name)]
        tensor = [name for name in names if is_tensor(name)]
        return [group for group in (vector, tensor) if group]


@immutable()
class Times:
    """Seconds at given sizes, by unit: each precision, and `special` where it counts."""

    by_precision_s: Mapping[str, Fraction]
    special_s: Fraction
    flops: Fraction

    @property
    def compute_s(self) -> Fraction:
        """The longest time of the vector units, the tensor cores, the special-function unit."""
        return max(self._sum(tensor=False), self._sum(tensor=True), self.special_s)

    @property
    def unit(self) -> str:
        """The unit that takes the time: a precision, or `special`."""
        tensor = self._sum(tensor=True) > self._sum(tensor=False)
        times = self._part(tensor=tensor)
        if self.special_s > sum(times.values(), Fraction(0)) or not times:
            return SPECIAL
        return max(times, key=lambda name: times[name])

    def _part(self, *, tensor: bool) -> dict[str, Fraction]:
        return {n: time for n, time in self.by_precision_s.items() if is_tensor(n) is tensor}

    def _sum(self, *, tensor: bool) -> Fraction:
        return sum(self._part(tensor=tensor).values(), Fraction(0))


def roofs_of(work: Work, profile: GpuProfile) -> Roofs:
    """The roofs for the units that `work` uses. Raises GpuError for a profile without bandwidth."""
    used = [name for name, quantity in work.flops.items() if not is_zero(quantity)]
    given = {name: profile.work_peak_flops_per_s(name) for name in used}
    peaks = {name: Fraction(peak) for name, peak in given.items() if peak is not None}
    rate = None if is_zero(work.special) else profile.special_functions_per_s
    return Roofs(
        peaks_flops_per_s=peaks,
        special_per_s=None if rate is None else Fraction(rate),
        bandwidth_bytes_per_s=Fraction(profile.bandwidth_bytes_per_s),
        missing=tuple(name for name in used if name not in peaks),
    )


def times_at(work: Work, roofs: Roofs, values: Mapping[str, Number]) -> Times | None:
    """Compute times at these sizes from the exact formulas; None where a value is missing."""
    by_precision: dict[str, Fraction] = {}
    flops = Fraction(0)
    for name, peak in roofs.peaks_flops_per_s.items():
        count = value_of(work.flops[name].exact, values)
        if count is None:
            return None
        by_precision[name] = count / peak
        flops += count
    special = Fraction(0)
    if roofs.special_per_s is not None:
        count = value_of(work.special.exact, values)
        if count is None:
            return None
        special = count / roofs.special_per_s
    return Times(by_precision, special, flops)


def memory_time_at(
    traffic: Quantity, roofs: Roofs, values: Mapping[str, Number]
) -> Fraction | None:
    """Seconds that the traffic takes at full bandwidth; None where a value is missing."""
    count = value_of(traffic.exact, values)
    return None if count is None else count / roofs.bandwidth_bytes_per_s


def balances(work: Work, traffic: Quantity, roofs: Roofs, *, exact: bool) -> list[Poly] | None:
    """Compute time minus memory time, one polynomial for each unit.

    The kernel is compute-bound where one of them is not negative. Factors that both times have
    are left out: nothing runs where they are 0. None where a formula is no polynomial.
    """

    def poly(quantity: Quantity) -> Poly | None:
        return as_poly(quantity.exact if exact else quantity.formula)

    moved = poly(traffic)
    if moved is None:
        return None
    memory = moved / roofs.bandwidth_bytes_per_s
    found: list[Poly] = []
    for group in roofs.groups():
        time = Poly({})
        for name in group:
            count = poly(work.flops[name])
            if count is None:
                return None
            time = time + count / roofs.peaks_flops_per_s[name]
        found.append(_balance(time, memory))
    if roofs.special_per_s is not None:
        count = poly(work.special)
        if count is None:
            return None
        found.append(_balance(count / roofs.special_per_s, memory))
    return found


def _balance(compute: Poly, memory: Poly) -> Poly:
    if not memory or not compute:
        return compute - memory
    share = reduce(compute, memory)
    return share.numerator - share.denominator
