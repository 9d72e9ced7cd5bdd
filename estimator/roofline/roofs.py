"""The roofs of one GPU that a kernel meets: time on each unit, as formulas in seconds.

The model is the classical roofline (Williams, Waterman, Patterson, "Roofline: an insightful
visual performance model for multicore architectures", CACM 2009). Precisions share the issue
slots, so their times add up; special functions run on a unit of their own beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from estimator.algebra.poly import Number, Poly
from estimator.algebra.ratio import reduce
from estimator.gpus.profile import GpuProfile
from estimator.roofline.work import Quantity, Work, as_poly, is_zero, value_of

SPECIAL = "special"


@dataclass(frozen=True, slots=True)
class Roofs:
    """Rates of the units that the kernel uses.

    `peaks_flops_per_s` by precision; `special_per_s` is None where the kernel has no special
    functions or the profile no rate for them; `missing` names precisions without a peak.
    """

    peaks_flops_per_s: Mapping[str, Fraction]
    special_per_s: Fraction | None
    bandwidth_bytes_per_s: Fraction
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds at given sizes, by unit: each precision, and `special` where it counts."""

    by_precision_s: Mapping[str, Fraction]
    special_s: Fraction
    flops: Fraction

    @property
    def compute_s(self) -> Fraction:
        """The larger of the vector units' time and the special-function unit's."""
        return max(sum(self.by_precision_s.values(), Fraction(0)), self.special_s)

    @property
    def unit(self) -> str:
        """The unit that takes the time: a precision, or `special`."""
        vector_s = sum(self.by_precision_s.values(), Fraction(0))
        if self.special_s > vector_s or not self.by_precision_s:
            return SPECIAL
        return max(self.by_precision_s, key=lambda name: self.by_precision_s[name])


def roofs_of(work: Work, profile: GpuProfile) -> Roofs:
    """The roofs for the units that `work` uses. Raises GpuError for a profile without bandwidth."""
    used = [name for name, quantity in work.flops.items() if not is_zero(quantity)]
    peaks = {
        name: Fraction(profile.peak_flops_per_s(name)) for name in used if profile.has_peak(name)
    }
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
    vector = Poly({})
    for name, peak in roofs.peaks_flops_per_s.items():
        count = poly(work.flops[name])
        if count is None:
            return None
        vector = vector + count / peak
    found = [_balance(vector, memory)] if roofs.peaks_flops_per_s else []
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
