"""One GPU's verdict as a JSON object."""

from __future__ import annotations

from typing import Any

from estimator.roofline.verdict import GpuVerdict, Verdict

_NUMBERS = (
    "compute_time_s",
    "memory_time_s",
    "memory_time_requested_s",
    "time_ratio",
    "lower_bound_s",
    "attainable_flops_per_s",
    "attainable_requested_flops_per_s",
)


def gpu_object(verdict: GpuVerdict) -> dict[str, Any]:
    """Roofs, verdicts, turns and, where all sizes have values, times; null where they do not."""
    kinds: dict[str, Verdict] = {
        "compulsory": verdict.compulsory,
        "requested": verdict.requested,
    }
    return {
        "name": verdict.name,
        "peak_flops_per_s": dict(verdict.peaks_flops_per_s),
        "special_per_s": verdict.special_per_s,
        "bandwidth_bytes_per_s": verdict.bandwidth_bytes_per_s,
        "ridge": dict(verdict.ridges_flop_per_byte),
        "ridge_of_kernel": verdict.ridge_flop_per_byte,
        "unit": verdict.unit,
        "verdict": {kind: found.bound.value for kind, found in kinds.items()},
        "verdict_text": {kind: found.text for kind, found in kinds.items()},
        "turns_at": dict(verdict.compulsory.turns_at),
        "requested_turns_at": dict(verdict.requested.turns_at),
        "depends_on": {kind: list(found.depends_on) for kind, found in kinds.items()},
        "reuse_decides": verdict.reuse_decides,
        "reuse": verdict.reuse,
        "notes": list(verdict.notes),
        **{name: getattr(verdict.numbers, name, None) for name in _NUMBERS},
    }
