"""Sizes within the limits of a kernel's own conditions: those of `if (m > 1024) return;`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from estimator.algebra.atoms import Role
from estimator.algebra.cases import Sum
from estimator.algebra.condition import Compare
from estimator.algebra.poly import Number
from estimator.algebra.walk import symbols
from estimator.count.holding import happens, holds_at, own_conditions

# Limits above this are none: any size of a launch that fits the device is below.
_MOST = 1 << 20


def within_limits(
    purposes: Iterable[Iterable[Sum]], sample: Mapping[str, Number], fixed: set[str]
) -> dict[str, Number] | None:
    """Sizes, by name, that make a kernel serve more of its purposes than at `sample`, each at the
    limit that the kernel itself tests it for; None where none do, or as much is done without.

    A purpose is what one of its sums counts: that something is computed or loaded, or that results
    are stored. Sizes that are `fixed` stay what they are.
    """
    groups = [list(group) for group in purposes]
    done = _served(groups, sample)
    if done == len(groups):
        return None
    best: dict[str, Number] | None = None
    for limited in _limited([each for group in groups for each in group], sample, fixed):
        served = _served(groups, {**sample, **limited})
        if served > done:
            best, done = limited, served
    return best


def _served(groups: list[list[Sum]], sample: Mapping[str, Number]) -> int:
    return sum(any(happens(each, sample) for each in group) for group in groups)


def _limited(
    sums: list[Sum], sample: Mapping[str, Number], fixed: set[str]
) -> Iterator[dict[str, Number]]:
    """For each case that does something, but not at `sample`, the sizes that it is limited to."""
    seen: set[tuple[str, ...]] = set()
    for condition, poly in (p for each in sums for part in each.parts for p in part.pieces):
        failing = [one for one in own_conditions(condition) if not holds_at(one, sample)]
        keys = tuple(one.key for one in failing)
        if not poly or not failing or keys in seen:
            continue
        seen.add(keys)
        limited: dict[str, Number] = {}
        for one in failing:
            limited.update(_at_limit(one, {**sample, **limited}, fixed))
        if limited and holds_at(condition, {**sample, **limited}):
            yield limited


def _at_limit(
    condition: Compare, sample: Mapping[str, Number], fixed: set[str]
) -> dict[str, Number]:
    """The largest sizes, all the same, for which a condition holds that limits them by a number."""
    inside = symbols(condition.poly)
    names = {symbol.name for symbol in inside} - fixed
    if not names or any(s.role not in (Role.PARAMETER, Role.LAUNCH) for s in inside):
        return {}

    def fits(size: int) -> bool:
        return holds_at(condition, {**sample, **dict.fromkeys(names, size)})

    if not fits(1) or fits(_MOST):
        return {}
    low, high = 1, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return dict.fromkeys(names, low)
