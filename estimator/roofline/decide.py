"""Which limit binds for one kind of traffic: at given sizes, for all sizes, or from a size on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.limits import smooth
from estimator.algebra.poly import Number, Poly
from estimator.algebra.walk import symbols
from estimator.roofline.question import Bound, Question, Verdict
from estimator.roofline.search import Fixed, bound_of, search, state_at
from estimator.roofline.sign import always_negative, always_nonnegative, lower_bound
from estimator.roofline.work import as_poly, is_zero, value_of

_MOST_UNKNOWNS = 4


def decide(question: Question) -> Verdict:
    """The verdict; never raises for formulas that have values."""
    at_once = _without_sizes(question)
    if at_once is not None:
        return at_once
    free = question.free()
    if not free:
        state = question.state(question.values)
        if state is None:
            return Verdict(Bound.UNDECIDED, reason="nothing runs at these sizes")
        return Verdict(bound_of(state))
    proof = _proof(question, {})
    if proof is not None:
        return Verdict(proof)
    unknown = [symbol for symbol in free if symbol.role is Role.UNKNOWN]
    sizes = [symbol for symbol in free if symbol.role is not Role.UNKNOWN]
    if unknown:
        return _over_bounds(question, unknown, sizes)
    return _over_sizes(question, sizes, {})


def _without_sizes(question: Question) -> Verdict | None:
    """Verdicts that no size changes: a unit is not used, or its rate is not known."""
    work, roofs = question.work, question.roofs
    if roofs.missing:
        names = ", ".join(name.upper() for name in roofs.missing)
        return Verdict(Bound.UNDECIDED, reason=f"the GPU's profile gives no {names} peak")
    works = bool(roofs.peaks_flops_per_s) or roofs.special_per_s is not None
    if not works and not is_zero(work.special):
        return Verdict(Bound.UNDECIDED, reason="the GPU's profile gives no special-function rate")
    moves = not is_zero(question.traffic)
    if works and moves:
        return None
    if works:
        return Verdict(Bound.COMPUTE)
    if moves:
        return Verdict(Bound.MEMORY)
    return Verdict(Bound.UNDECIDED, reason="no FLOPs and no global traffic")


def _proof(question: Question, fixed: Fixed) -> Bound | None:
    """The limit that binds for all sizes, or all that divide evenly, if the formulas show one."""
    lower = _least_values(question)
    for exact in (True, False):
        polys = question.balances(fixed, exact=exact)
        if polys is None:
            continue
        if any(always_nonnegative(poly, lower) for poly in polys):
            return Bound.COMPUTE
        if all(always_negative(poly, lower) for poly in polys):
            return Bound.MEMORY
    return None


def _least_values(question: Question) -> dict[str, Number]:
    least: dict[str, Number] = {}
    for name, (lower, _) in question.bounds.items():
        value = None if lower is None else value_of(lower, question.values)
        if value is not None:
            least[name] = value
    return least


def _over_bounds(question: Question, unknown: list[Symbol], sizes: list[Symbol]) -> Verdict:
    """The verdict that holds at both ends of every unknown, or that the unknowns decide."""
    undecided = Verdict(Bound.DEPENDS, depends_on=tuple(symbol.name for symbol in unknown))
    if len(unknown) > _MOST_UNKNOWNS or not _linear_in(question, unknown):
        return undecided
    ends: list[tuple[Poly, Poly]] = []
    for symbol in unknown:
        pair = question.bounds.get(symbol.name, (None, None))
        lower, upper = (None if end is None else as_poly(end) for end in pair)
        if upper is None:
            return undecided
        ends.append((Poly.of(lower_bound(symbol, {})) if lower is None else lower, upper))
    verdicts = [
        _over_sizes(question, sizes, dict(zip(unknown, corner, strict=True)))
        for corner in product(*ends)
    ]
    first = verdicts[0]
    return first if all(verdict == first for verdict in verdicts) else undecided


def _linear_in(question: Question, unknown: Iterable[Symbol]) -> bool:
    """Whether the balance is linear in each unknown, so that its ends are its extremes."""
    polys = question.balances({}, exact=True)
    if polys is None:
        return False
    for poly in polys:
        for symbol in unknown:
            inside = any(a != symbol and symbol in symbols(Poly.of(a)) for a in poly.atoms())
            if inside or poly.degree([symbol]) > 1:
                return False
    return True


def _over_sizes(question: Question, sizes: list[Symbol], fixed: Fixed) -> Verdict:
    """The verdict over the sizes that have no value, unknowns being `fixed`."""
    proof = _proof(question, fixed) if fixed else None
    if proof is not None:
        return Verdict(proof)
    inner = {symbol for poly in fixed.values() for symbol in symbols(poly)}
    open_ = sorted({*sizes, *inner} - {Symbol(name) for name in question.values})
    if not open_:
        state = state_at(question, fixed)(dict(question.values))
        if state is None:
            return Verdict(Bound.UNDECIDED, reason="nothing runs at these sizes")
        return Verdict(bound_of(state))
    if len(open_) == 1:
        return search(question, open_[0], fixed)
    return _for_large(question, open_, fixed) or Verdict(
        Bound.DEPENDS, depends_on=tuple(symbol.name for symbol in open_)
    )


def _for_large(question: Question, sizes: list[Symbol], fixed: Fixed) -> Verdict | None:
    """What the terms of highest degree in the one kernel parameter decide, the launch fixed."""
    growing = [symbol for symbol in sizes if symbol.role is Role.PARAMETER]
    polys = question.balances(fixed, exact=True)
    if len(growing) != 1 or polys is None:
        return None
    tops: list[Poly] = []
    for poly in polys:
        powers = smooth(poly).collect(growing[0])
        tops.append(powers[max(powers)] if max(powers) > 0 else Poly({}))
    if all(always_negative(top, {}) for top in tops):
        return Verdict(Bound.MEMORY, large=growing[0].name)
    if any(top and always_nonnegative(top, {}) for top in tops):
        return Verdict(Bound.COMPUTE, large=growing[0].name)
    return None
