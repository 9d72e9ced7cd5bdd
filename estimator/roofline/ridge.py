"""The ridge point of a kernel that mixes precisions."""

from __future__ import annotations

from estimator.algebra.poly import Poly
from estimator.algebra.ratio import reduce
from estimator.roofline.roofs import Roofs
from estimator.roofline.work import Work, as_poly


def common_ridge(work: Work, roofs: Roofs) -> float | None:
    """FLOP/byte from which on computation binds, each precision at its own peak.

    FLOPs / (the longest time of a unit: the sum of its FLOPs/peak) / bandwidth. None without
    FLOPs, or where the mix, and with it the ridge, changes with the sizes.
    """
    if len(roofs.peaks_flops_per_s) == 1:
        (peak,) = roofs.peaks_flops_per_s.values()
        return float(peak / roofs.bandwidth_bytes_per_s)
    flops, times_s = Poly({}), list[Poly]()
    for group in roofs.groups():
        time_s = Poly({})
        for name in group:
            count = as_poly(work.flops[name].formula)
            if count is None:
                return None
            flops, time_s = flops + count, time_s + count / roofs.peaks_flops_per_s[name]
        times_s.append(time_s)
    if not flops:
        return None
    rates = [reduce(flops, time_s).poly for time_s in times_s if time_s]
    values = [None if rate is None else rate.constant for rate in rates]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    return float(min(known) / roofs.bandwidth_bytes_per_s)
