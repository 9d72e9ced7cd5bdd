"""Which limit binds for one kind of traffic: at given sizes, for all sizes, or from a size on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.limits import smooth
from estimator.algebra.poly import Number, Poly
from estimator.algebra.walk import substitute, symbols
from estimator.gpus.kinds import unit_label
from estimator.roofline.question import Bound, Question, Verdict
from estimator.roofline.search import Fixed, bound_of, search, state_at
from estimator.roofline.sign import always_negative, always_nonnegative, lower_bound
from estimator.roofline.work import as_poly, is_zero, value_of

_MOST_UNKNOWNS = 4
# "For large sizes" means from one of these on.
_LEAST_SIZES = (4, 16, 64, 256, 1024)


def decide(question: Question) -> Verdict:
    """The verdict; never raises for formulas that have values."""
    at_once = _without_sizes(question)
    if at_once is not None:
        return at_once
    free = question.free()
    if not [symbol for symbol in free if symbol.role is not Role.UNKNOWN]:
        state = question.state(question.values)
        if state is not None:
            return Verdict(bound_of(state))
        if not free:
            return Verdict(Bound.UNDECIDED, reason="nothing runs at these sizes")
    proof = _proof(question, {})
    if proof is not None:
        return Verdict(proof)
    # Unknowns that only matter at sizes which do not divide evenly decide nothing in general.
    shown = question.free(exact=False)
    unknown = [symbol for symbol in shown if symbol.role is Role.UNKNOWN]
    sizes = [symbol for symbol in free if symbol.role is not Role.UNKNOWN]
    if unknown:
        return _over_bounds(question, unknown, sizes)
    return _over_sizes(question, sizes, {})


def _without_sizes(question: Question) -> Verdict | None:
    """Verdicts that no size changes: a unit is not used, or its rate is not known."""
    work, roofs = question.work, question.roofs
    if roofs.missing:
        names = ", ".join(unit_label(name) for name in roofs.missing)
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
    if len(unknown) > _MOST_UNKNOWNS or not _linear_in(question, unknown, {}):
        return undecided
    ends: list[tuple[Poly, Poly]] = []
    for symbol in unknown:
        pair = question.bounds.get(symbol.name, (None, None))
        lower, upper = (None if end is None else as_poly(end) for end in pair)
        if upper is None:
            return undecided
        ends.append((Poly.of(lower_bound(symbol, {})) if lower is None else lower, upper))
    verdicts: list[Verdict] = []
    for corner in product(*ends):
        fixed = _resolved(question, dict(zip(unknown, corner, strict=True)))
        if fixed is None:
            return undecided
        verdicts.append(_over_sizes(question, sizes, fixed))
    return _common(verdicts) or undecided


def _resolved(question: Question, corner: dict[Symbol, Poly]) -> dict[Atom, Poly] | None:
    """A corner whose bounds speak of other unknowns (at most 2n - n*p), with these put in.

    None where the balance on that bound is not linear in the others, or they go in circles.
    """
    of_others: dict[Atom, Poly] = {
        symbol: end for symbol, end in corner.items() if not corner.keys().isdisjoint(symbols(end))
    }
    plain: dict[Atom, Poly] = {s: end for s, end in corner.items() if s not in of_others}
    if not of_others:
        return plain
    found = {symbol: substitute(end, plain) for symbol, end in of_others.items()}
    if any(not corner.keys().isdisjoint(symbols(end)) for end in found.values()):
        return None
    others = [symbol for symbol in corner if symbol in plain]
    return {**plain, **found} if _linear_in(question, others, of_others) else None


def _common(verdicts: list[Verdict]) -> Verdict | None:
    """What holds at every end of the unknowns, from the latest turn on; None for no one limit.

    The balance is linear in the unknowns: what holds at all ends holds between them.
    """
    first = verdicts[0]
    if all(verdict == first for verdict in verdicts):
        return first
    if first.bound not in (Bound.MEMORY, Bound.COMPUTE):
        return None
    if any(v.bound is not first.bound or v.turn_bound is not None for v in verdicts):
        return None
    turns = [(name, size) for verdict in verdicts for name, size in verdict.turns_at.items()]
    large = [verdict.large for verdict in verdicts if verdict.large]
    names = sorted({name for listed in large for name in listed.split(", ")} | dict(turns).keys())
    if large or len(names) > 1:
        return Verdict(first.bound, large=", ".join(names))
    return Verdict(first.bound, turns_at=dict([max(turns)]))


def _linear_in(question: Question, unknown: Iterable[Symbol], fixed: Fixed) -> bool:
    """Whether the balance is linear in each unknown, so that its ends are its extremes."""
    for poly in _balances(question, fixed):
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
        return search(question, open_[0], _with_hidden(question, fixed))
    polys = _balances(question, fixed)
    left = sorted({symbol for poly in polys for symbol in symbols(poly)})
    if polys and len(left) == 1:
        return search(question, left[0], fixed, polys)
    # Other sizes cancel out, or only say where rows overlap.
    growing = [symbol for symbol in left if symbol in open_] or open_
    return (
        _for_sizes_from(polys, growing)
        or _for_large(polys, growing)
        or Verdict(Bound.DEPENDS, depends_on=tuple(symbol.name for symbol in left or open_))
    )


def _with_hidden(question: Question, fixed: Fixed) -> Fixed:
    """`fixed`, and at its least each unknown that cancels out at sizes that divide evenly."""
    hidden = set(question.free()) - set(question.free(exact=False)) - fixed.keys()
    unknown = [symbol for symbol in hidden if symbol.role is Role.UNKNOWN]
    return {**{symbol: Poly.of(lower_bound(symbol, {})) for symbol in unknown}, **fixed}


def _balances(question: Question, fixed: Fixed) -> list[Poly]:
    """The exact balances if they are polynomials, else those for even sizes; [] for none."""
    exact = question.balances(fixed, exact=True)
    return exact if exact is not None else question.balances(fixed, exact=False) or []


def _for_sizes_from(polys: list[Poly], sizes: list[Symbol]) -> Verdict | None:
    """What holds once all sizes are large enough, as far as signs show it."""
    names = ", ".join(symbol.name for symbol in sizes if symbol.role is not Role.LAUNCH)
    for least in _LEAST_SIZES if names else ():
        lower: dict[str, Number] = {symbol.name: least for symbol in sizes}
        if any(poly and always_nonnegative(poly, lower) for poly in polys):
            return Verdict(Bound.COMPUTE, large=names)
        if polys and all(always_negative(poly, lower) for poly in polys):
            return Verdict(Bound.MEMORY, large=names)
    return None


def _for_large(polys: list[Poly], sizes: list[Symbol]) -> Verdict | None:
    """What the terms of highest degree in the one kernel parameter decide, the launch fixed."""
    growing = [symbol for symbol in sizes if symbol.role is Role.PARAMETER]
    if len(growing) != 1 or not polys:
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
