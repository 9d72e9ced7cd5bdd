"""Two pointers that a loop swaps in every iteration: `t = p; p = q; q = t`."""

from __future__ import annotations

from collections.abc import Mapping

from estimator.algebra.atoms import Role
from estimator.algebra.condition import Truth, zero
from estimator.algebra.integer import remainder
from estimator.algebra.poly import Poly
from estimator.lower.convert import fresh, merge, type_of
from estimator.lower.machine import Machine
from estimator.lower.values import PointerValue, Value, Variable


def partners(
    starts: Mapping[Variable, Value],
    probed: Mapping[Variable, Value],
    ends: Mapping[Variable, Value | None],
) -> dict[Variable, PointerValue]:
    """What each pointer starts with that another one has after an odd number of iterations.

    `probed` are the values that the iteration began with, `ends` those that it ended with.
    """
    found: dict[Variable, PointerValue] = {}
    for variable, probe in probed.items():
        for other, start in starts.items():
            if (
                other is not variable
                and isinstance(start, PointerValue)
                and isinstance(probe, PointerValue)
                and ends.get(variable) == probed[other]
                and ends.get(other) == probe
            ):
                found[variable] = start
    return found


def swapped_at(m: Machine, start: PointerValue, other: PointerValue, k: Poly) -> Value:
    """A swapped pointer's value at the start of iteration `k`."""
    if k.has_role(Role.UNKNOWN):
        return fresh(m, type_of(start))
    is_even = zero(remainder(k, Poly.of(2)))
    if isinstance(is_even, Truth):
        return start if is_even.value else other
    return merge(m, is_even, start, other)
