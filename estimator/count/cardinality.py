"""How many points a set has: boxes by their extents, everything else by isl and barvinok.

Verdoolaege, Seghir, Beyls, Loechner, Bruynooghe: Counting integer points in parametric
polytopes using Barvinok's rational functions. Algorithmica 48 (2007).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import lcm
from typing import Any

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Cases, restrict
from estimator.algebra.condition import (
    FALSE,
    Condition,
    Earlier,
    Exists,
    Junction,
    Truth,
    conjunction,
)
from estimator.algebra.poly import Poly
from estimator.algebra.walk import condition_symbols
from estimator.count.implied import without_implied_bounds
from estimator.count.isl_result import read_counts
from estimator.count.isl_text import NotAffineError, Translator
from estimator.count.peel import Peeled, peel
from estimator.count.power_sums import count_by_index
from estimator.count.strides import count_strided
from estimator.count.tiles import in_tiles
from estimator.count.watched import TakesTooLongError, divisors, watched

# What isl may spend on one question before the answer counts as unknown.
_MAX_OPERATIONS = 1_500_000
# What it may spend on a union with sizes whose indices step in several ways (every second, every
# third), where operations take long: about a second.
_MAX_STEPPED = 60_000
# Parts times parameters of a set that barvinok is asked to count; it knows no budget.
_MOST_CASES = 24
# Indices of a set that barvinok is asked to count: with nine that bound each other, half a minute.
_MOST_INDICES = 8
# Parts with steps of their own (every third element) of one set: each overlap has a step too.
_MOST_STEPPED = 8
# Parts that are ranges repeated at a step, which may overlap: three of different steps, with
# ends that depend on a parameter, take barvinok seconds, four take it hours.
_MOST_REPEATED = 2
# What a period of a parameter (n % 256) and one of an index (every 100th) have in common as a
# multiple: the count has a case for each step of it, and 6,400 take barvinok half a minute.
_LONGEST_PERIOD = 2_000


# Sets without sizes that divide by this much are gone through, up to this many points.
_LARGE_DIVISORS = 1_000
_MOST_LISTED = 1_000_000


class TooComplexError(Exception):
    """isl ran out of its budget, or the set has no end."""


@lru_cache(maxsize=1)
def context() -> Any:
    """isl's context, with the budget set."""
    import islpy as isl

    ctx = isl.DEFAULT_CONTEXT
    ctx.set_max_operations(_MAX_OPERATIONS)
    return ctx


@contextmanager
def budget() -> Iterator[None]:
    """What isl does inside has a budget of its own; beyond it TooComplexError is raised."""
    import islpy as isl

    ctx = context()
    ctx.reset_operations()
    try:
        yield
    except isl.Error as error:
        raise TooComplexError(str(error)) from None
    finally:
        ctx.reset_operations()


def count_points(
    variables: list[Symbol], parts: list[Condition], known: list[Condition] | None = None
) -> Cases:
    """The number of values of `variables` for which all parts hold, as a formula.

    The formula need only be right where all of `known` holds, which holds none of them.
    Raises NotAffineError for parts that sets cannot say, TooComplexError for no answer.
    """
    if FALSE in parts:
        return Cases(())
    flat = conjunction(*parts)
    if isinstance(flat, Truth):
        listed: tuple[Condition, ...] = ()
    else:
        listed = flat.parts if getattr(flat, "every", False) else (flat,)  # type: ignore[union-attr]
    peeled = peel(tuple(variables), listed)
    if not peeled.variables:
        condition = conjunction(peeled.given, *peeled.parts)
        if isinstance(condition, Truth):
            return Cases.of(peeled.factor) if condition.value else Cases(())
        if not any(_is_bound(part) for part in peeled.parts):
            return Cases(((condition, peeled.factor),))
        there = _ask_isl((), peeled.parts, [])
        return restrict(there.scale(peeled.factor), peeled.given)
    for variable in peeled.variables:
        if not any(variable in condition_symbols(part) for part in peeled.parts):
            raise TooComplexError(f"{variable.name} has no bounds")
    try:
        inner = _ask_isl(peeled.variables, peeled.parts, known or [])
    except NotAffineError:
        inner = (
            count_strided(peeled.variables, peeled.parts)
            or count_by_index(peeled.variables, peeled.parts)
            or _between_any_bounds(peeled)
        )
    return restrict(inner.scale(peeled.factor), peeled.given)


def _between_any_bounds(peeled: Peeled) -> Cases:
    """The count of what isl cannot say, each variable from its highest low to its lowest high.

    Raises NotAffineError where bounds hold other indices.
    """
    forced = peel(peeled.variables, peeled.parts, compare=False)
    if forced.variables or any(_is_bound(part) for part in forced.parts):
        raise NotAffineError(Poly.of(peeled.variables[0]))
    condition = conjunction(forced.given, *forced.parts)
    return restrict(Cases.of(forced.factor), condition)


def _is_bound(condition: Condition) -> bool:
    """Whether a condition speaks of iterations, which formulas cannot."""
    if isinstance(condition, Junction):
        return any(_is_bound(part) for part in condition.parts)
    return isinstance(condition, (Earlier, Exists))


def _ask_isl(
    variables: tuple[Symbol, ...], parts: tuple[Condition, ...], known: list[Condition]
) -> Cases:
    translator = Translator(variables)
    texts = [translator.condition(part) for part in without_implied_bounds(parts)]
    for part in known:
        try:
            texts.append(translator.condition(part))
        except NotAffineError:
            continue
    body = " and ".join(texts) or "1 = 1"
    more = len(variables) > 1 or translator.is_quantified
    if translator.has_large and (more or translator.divides_by_large):
        raise TooComplexError("coefficients too large for more than one index")
    dimensions = ", ".join(translator.dimensions[v] for v in variables)
    with budget():
        points = read_set(f"{translator.header()}{{ [{dimensions}] : {body} }}")
        return cardinality(points, translator.meaning)


def read_set(text: str) -> Any:
    """An isl set from its text."""
    import islpy as isl

    return isl.Set.read_from_str(context(), text)


def cardinality(points: Any, meaning: dict[str, Poly]) -> Cases:
    """`card` of an isl set as cases. Raises TooComplexError for a set without end."""
    import islpy as isl

    parameters = points.dim(isl.dim_type.param)
    if points.dim(isl.dim_type.set) > _MOST_INDICES:
        raise TooComplexError("too many indices whose ranges depend on each other")
    if points.n_basic_set() * parameters > _MOST_CASES:
        # Every order of the parts' ends is a case of its own.
        raise TooComplexError("too many parts whose ends are not in a known order")
    known = None
    if parameters and points.n_basic_set() > 1:
        points, meaning, known = in_tiles(points, meaning)
    _check_steps(points)

    def count() -> Cases:
        try:
            if not parameters and (number := _listed(points)) is not None:
                return Cases.of(Poly.of(number))
            answer = _card(points)
        except isl.Error as error:
            raise TooComplexError(str(error)) from None
        if known is not None:
            answer = answer.gist_params(known)
        if "infty" in answer.to_str():
            raise TooComplexError("the set has no end")
        return read_counts(answer, meaning)

    try:
        return watched(points, count)
    except TakesTooLongError:
        raise TooComplexError("counting it takes too long") from None


def _listed(points: Any) -> int | None:
    """The number of points of a set that divides by large numbers, by going through them; None
    where they are too many, or barvinok needs not."""
    if divisors(points) < _LARGE_DIVISORS:
        return None
    import islpy as isl

    room = 1
    for dimension in range(points.dim(isl.dim_type.set)):
        least, most = points.dim_min_val(dimension), points.dim_max_val(dimension)
        if not (least.is_int() and most.is_int()):
            return None
        room *= most.to_python() - least.to_python() + 1
    if room > _MOST_LISTED:
        return None
    number: int = points.count_val().to_python()
    return number


def _card(points: Any) -> Any:
    """isl's `card`, with less to spend where steps make it slow."""
    import islpy as isl

    if points.n_basic_set() < 2 or not points.dim(isl.dim_type.param):
        return points.card()
    steps = sorted(_periods(points.compute_divs())[1])
    if not any(larger % step for step, larger in zip(steps, steps[1:], strict=False)):
        return points.card()  # each a multiple of the one before, as tiles of 16 and blocks of 32
    ctx = context()
    ctx.reset_operations()
    ctx.set_max_operations(_MAX_STEPPED)
    try:
        return points.card()
    finally:
        ctx.set_max_operations(_MAX_OPERATIONS)


def _periods(points: Any) -> tuple[set[int], set[int]]:
    """What a set, its divisions found, divides its parameters by, and what its indices."""
    import islpy as isl

    parts: list[Any] = []
    points.foreach_basic_set(parts.append)
    of_parameters: set[int] = set()
    of_indices: set[int] = set()
    for part in parts:
        for n in range(part.dim(isl.dim_type.div)):
            division = part.get_div(n)
            has_index = division.involves_dims(isl.dim_type.in_, 0, division.dim(isl.dim_type.in_))
            found = of_indices if has_index else of_parameters
            found.add(int(division.get_denominator_val().to_str()))
    return of_parameters, of_indices


def _check_steps(points: Any) -> None:
    """Raise TooComplexError for a set with more parts of steps than barvinok counts in time."""
    import islpy as isl

    if points.n_basic_set() > 1 and points.dim(isl.dim_type.param):
        _check_periods(points.compute_divs())
    if points.n_basic_set() <= _MOST_REPEATED:
        return
    parts: list[Any] = []
    points.foreach_basic_set(parts.append)
    stepped = [part for part in parts if part.dim(isl.dim_type.div)]
    if len(stepped) > _MOST_STEPPED:
        raise TooComplexError("too many parts with steps of their own")
    if not points.dim(isl.dim_type.param):
        return
    # An element of such a range can belong to several steps: which, no formula says.
    repeated = [
        part
        for part in stepped
        if part.remove_unknown_divs().dim(isl.dim_type.div) < part.dim(isl.dim_type.div)
    ]
    if len(repeated) > _MOST_REPEATED:
        raise TooComplexError("too many ranges that are repeated at steps of their own")


def _check_periods(points: Any) -> None:
    """Raise TooComplexError for a union that mixes long periods of parameters and of indices."""
    parameters, indices = (max(found, default=1) for found in _periods(points))
    if min(parameters, indices) > 1 and lcm(parameters, indices) > _LONGEST_PERIOD:
        raise TooComplexError("long periods of sizes and of indices together")
