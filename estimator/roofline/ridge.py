"""The ridge point of a kernel that mixes precisions."""

from __future__ import annotations

from estimator.algebra.poly import Poly
from estimator.algebra.ratio import reduce
from estimator.roofline.roofs import Roofs
from estimator.roofline.work import Work, as_poly


def common_ridge(work: Work, roofs: Roofs) -> float | None:
    """FLOP/byte from which on the vector units bind, each precision at its own peak.

    FLOPs / (sum of FLOPs/peak) / bandwidth. None without FLOPs, or where the mix, and with it
    the ridge, changes with the sizes.
    """
    flops, time_s = Poly({}), Poly({})
    for name, peak in roofs.peaks_flops_per_s.items():
        count = as_poly(work.flops[name].formula)
        if count is None:
            return None
        flops, time_s = flops + count, time_s + count / peak
    if len(roofs.peaks_flops_per_s) == 1:
        (peak,) = roofs.peaks_flops_per_s.values()
        return float(peak / roofs.bandwidth_bytes_per_s)
    if not flops:
        return None
    rate = reduce(flops, time_s).poly
    value = None if rate is None else rate.constant
    return None if value is None else float(value / roofs.bandwidth_bytes_per_s)
