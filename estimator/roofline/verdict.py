"""What a GPU makes of a kernel: the binding limit, where it turns, and the time at least.

The classical roofline (Williams, Waterman, Patterson, CACM 2009) with the device memory as
its only memory roof, once for compulsory and once for requested traffic: what a kernel
really moves lies between the two, and caches decide where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import Number
from estimator.gpus.profile import GpuProfile
from estimator.immutable import immutable
from estimator.roofline.decide import decide
from estimator.roofline.question import Bound, Bounds, Question, Verdict
from estimator.roofline.ridge import common_ridge
from estimator.roofline.roofs import SPECIAL, Roofs, Times, memory_time_at, roofs_of, times_at
from estimator.roofline.work import Work, is_zero

__all__ = ["Bound", "GpuVerdict", "Verdict", "Work", "judge"]

# At which size of everything the unit that limits is named when no values are given.
_LARGE = 2**20


@immutable()
class Numbers:
    """Times in seconds and rates at the values given.

    `memory_time_s` is for compulsory traffic. `time_ratio` is memory time / compute time, None
    without computation. `lower_bound_s` is the larger of the two: no launch is faster.
    `attainable_flops_per_s` is min(peak, intensity × bandwidth), None without FLOPs.
    """

    compute_time_s: float
    memory_time_s: float
    memory_time_requested_s: float
    time_ratio: float | None
    lower_bound_s: float
    attainable_flops_per_s: float | None
    attainable_requested_flops_per_s: float | None


@immutable()
class GpuVerdict:
    """One kernel on one GPU.

    `peaks_flops_per_s` and `ridges_flop_per_byte` are by precision in use; the kernel's own
    ridge, weighted by its mix of precisions, is `ridge_flop_per_byte` where the mix is the
    same for all sizes. `unit` is the unit that computation takes longest on: a precision, or
    `special`; None without computation. `numbers` is None unless all sizes have values.
    """

    id: str
    name: str
    peaks_flops_per_s: Mapping[str, float]
    special_per_s: float | None
    bandwidth_bytes_per_s: float
    ridges_flop_per_byte: Mapping[str, float]
    ridge_flop_per_byte: float | None
    unit: str | None
    compulsory: Verdict
    requested: Verdict
    reuse_decides: bool
    reuse: str
    notes: tuple[str, ...]
    numbers: Numbers | None


def judge(
    work: Work,
    profile: GpuProfile,
    values: Mapping[str, Number] | None = None,
    bounds: Bounds | None = None,
) -> GpuVerdict:
    """The verdict for `work` on a GPU.

    `values` gives sizes and unknowns by symbol name; symbols without one stay free. `bounds`
    gives unknowns without a value their (lower, upper) formulas, None for no bound. Raises
    GpuError (K502) when the profile has no bandwidth.
    """
    values = values or {}
    roofs = roofs_of(work, profile)
    compulsory, requested = (
        _verdict(Question(work, traffic, roofs, values, bounds or {}))
        for traffic in (work.compulsory, work.requested)
    )
    compulsory, requested = _consistent(compulsory, requested)
    return GpuVerdict(
        id=profile.id,
        name=profile.short_name,
        peaks_flops_per_s={name: float(p) for name, p in roofs.peaks_flops_per_s.items()},
        special_per_s=None if roofs.special_per_s is None else float(roofs.special_per_s),
        bandwidth_bytes_per_s=float(roofs.bandwidth_bytes_per_s),
        ridges_flop_per_byte={
            name: float(peak / roofs.bandwidth_bytes_per_s)
            for name, peak in roofs.peaks_flops_per_s.items()
        },
        ridge_flop_per_byte=common_ridge(work, roofs),
        unit=_unit(work, roofs, values, compulsory),
        compulsory=compulsory,
        requested=requested,
        reuse_decides=_differ(compulsory, requested),
        reuse=_reuse_sentence(compulsory, requested),
        notes=_notes(work, roofs),
        numbers=_numbers(work, roofs, values),
    )


def _verdict(question: Question) -> Verdict:
    """The verdict; at given values, with the turn that the formulas have without them."""
    found = decide(question)
    if not question.values or found.bound not in (Bound.MEMORY, Bound.COMPUTE) or found.turns_at:
        return found
    sizes = {symbol for symbol in _symbols(question) if symbol.role is not Role.UNKNOWN}
    if len(sizes) != 1:
        return found
    (size,) = sizes
    others = {name: value for name, value in question.values.items() if name != size.name}
    general = decide(replace(question, values=others))
    if not general.turns_at:
        return found
    return replace(found, turns_at=general.turns_at, turn_bound=general.bound)


def _symbols(question: Question) -> set[Symbol]:
    return set(replace(question, values={}).free())


def _consistent(compulsory: Verdict, requested: Verdict) -> tuple[Verdict, Verdict]:
    """What holds for the lesser traffic holds for the larger: requested is never the lesser."""
    if compulsory == Verdict(Bound.MEMORY) and requested.bound is Bound.DEPENDS:
        return compulsory, compulsory
    if requested == Verdict(Bound.COMPUTE) and compulsory.bound is Bound.DEPENDS:
        return requested, requested
    return compulsory, requested


def _differ(compulsory: Verdict, requested: Verdict) -> bool:
    if Bound.UNDECIDED in (compulsory.bound, requested.bound):
        return False
    if compulsory.bound is not requested.bound:
        return True
    if compulsory.bound is Bound.DEPENDS or not (compulsory.turns_at and requested.turns_at):
        return False
    at_values = compulsory.turn_bound is not None or requested.turn_bound is not None
    return not at_values and compulsory.turns_at != requested.turns_at


def _reuse_sentence(compulsory: Verdict, requested: Verdict) -> str:
    if not _differ(compulsory, requested):
        return ""
    return (
        "reuse decides: if caches keep every element that is used again, "
        f"{_phrase(compulsory)}; if they keep none, {_phrase(requested)}"
    )


def _phrase(verdict: Verdict) -> str:
    if verdict.turn_bound is not None:
        return verdict.bound.value
    return f"it {verdict.text}" if verdict.bound is Bound.DEPENDS else verdict.text


def _notes(work: Work, roofs: Roofs) -> tuple[str, ...]:
    notes = []
    if is_zero(work.special) and not any(not is_zero(count) for count in work.flops.values()):
        notes.append("no floating-point work; integer work is not modelled")
    if not is_zero(work.special) and roofs.special_per_s is None:
        notes.append("special functions are left out: the profile gives no rate for them")
    if any(len(group) > 1 for group in roofs.groups()):
        notes.append("precisions share the issue slots: their times are added up")
    return tuple(notes)


def _unit(work: Work, roofs: Roofs, values: Mapping[str, Number], verdict: Verdict) -> str | None:
    """The unit with the longest time at the values, at the turn, or at large sizes."""
    if not roofs.peaks_flops_per_s:
        return None if roofs.special_per_s is None else SPECIAL
    if len(roofs.peaks_flops_per_s) == 1 and roofs.special_per_s is None:
        return next(iter(roofs.peaks_flops_per_s))
    question = Question(work, work.compulsory, roofs, {}, {})
    sample: dict[str, Number] = {symbol.name: _LARGE for symbol in question.free()}
    times = times_at(work, roofs, {**sample, **verdict.turns_at, **values})
    return None if times is None else times.unit


def _numbers(work: Work, roofs: Roofs, values: Mapping[str, Number]) -> Numbers | None:
    times = times_at(work, roofs, values)
    compulsory = memory_time_at(work.compulsory, roofs, values)
    requested = memory_time_at(work.requested, roofs, values)
    if times is None or compulsory is None or requested is None or roofs.missing:
        return None
    return Numbers(
        compute_time_s=float(times.compute_s),
        memory_time_s=float(compulsory),
        memory_time_requested_s=float(requested),
        time_ratio=float(compulsory / times.compute_s) if times.compute_s else None,
        lower_bound_s=float(max(times.compute_s, compulsory)),
        attainable_flops_per_s=_attainable(times, compulsory),
        attainable_requested_flops_per_s=_attainable(times, requested),
    )


def _attainable(times: Times, memory_s: Number) -> float | None:
    """FLOPs over the longest time, which is min(peak, intensity × bandwidth)."""
    longest = max(times.compute_s, memory_s)
    return float(times.flops / longest) if times.flops and longest else None
