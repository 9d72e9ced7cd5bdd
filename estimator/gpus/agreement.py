"""Printed peaks and bandwidths against what lanes, clocks and bus widths make of them."""

from __future__ import annotations

from collections.abc import Iterator

from estimator.gpus.kinds import Precision, TensorKind
from estimator.gpus.profile import GpuProfile
from estimator.immutable import immutable

TOLERANCE = 0.02


@immutable()
class Agreement:
    """A printed figure and the computed one, both in the unit of the profile's `key`."""

    key: str
    printed: float
    computed: float
    reason: str | None

    @property
    def difference(self) -> float:
        """(computed − printed) / printed."""
        return (self.computed - self.printed) / self.printed

    @property
    def holds(self) -> bool:
        """Whether the two agree within 2 %."""
        return abs(self.difference) <= TOLERANCE


def digits(value: float) -> str:
    """Four significant digits, or all before the point when there are more."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def agreements(profile: GpuProfile) -> tuple[Agreement, ...]:
    """Every figure that the profile both prints and lets compute."""
    return tuple(
        Agreement(key, printed / scale, computed / scale, profile.reasons.get(key))
        for key, printed, computed, scale in _pairs(profile)
        if printed is not None and computed is not None
    )


def _pairs(profile: GpuProfile) -> Iterator[tuple[str, float | None, float | None, float]]:
    for precision in Precision:
        yield (
            f"{precision.value}_tflops",
            profile.printed_peaks_flops_per_s.get(precision),
            profile.computed_peak_flops_per_s(precision),
            1e12,
        )
    for kind in TensorKind:
        yield (
            kind.peak_key,
            profile.printed_tensor_peaks_flops_per_s.get(kind),
            profile.computed_tensor_peak_flops_per_s(kind),
            1e12,
        )
    yield (
        "bandwidth_gb_s",
        profile.memory.printed_bandwidth_bytes_per_s,
        profile.computed_bandwidth_bytes_per_s,
        1e9,
    )
