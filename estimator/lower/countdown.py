"""Unsigned variables that loops count down: `for (unsigned i = n; i > 0; i--)`."""

from __future__ import annotations

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import Compare, Condition, Junction, Relation, conjunction
from estimator.algebra.poly import ZERO
from estimator.algebra.walk import substitute, symbols
from estimator.lower.machine import Machine
from estimator.lower.widths import surely_nonnegative


def before_wrapping(m: Machine, condition: Condition, counter: Symbol) -> Condition:
    """A loop's test, as it is until it fails for the first time.

    `i > 0` on an unsigned i is `i >= 1 or i < 0`, a value below 0 being a very large one. Where
    i starts at 0 or above and comes down in steps that cannot jump over the values for which
    the test fails, it never gets below 0, and the test is `i >= 1`.
    """
    if not isinstance(condition, Junction):
        return condition
    if condition.every:
        return conjunction(*(before_wrapping(m, part, counter) for part in condition.parts))
    if len(condition.parts) != 2:
        return condition
    one, other = condition.parts
    return _down_to(m, one, other, counter) or _down_to(m, other, one, counter) or condition


def _down_to(m: Machine, above: Condition, wrapped: Condition, counter: Symbol) -> Condition | None:
    """`above` (i - c >= 0), where i stops before it is `wrapped` (-i - 1 >= 0); else None."""
    if not (isinstance(above, Compare) and isinstance(wrapped, Compare)):
        return None
    if {above.relation, wrapped.relation} != {Relation.NONNEGATIVE}:
        return None
    gap = (-(above.poly + wrapped.poly) - 1).integer  # how many values fail the test
    powers = above.poly.collect(counter)
    step = -powers.get(1, ZERO)
    if (
        gap is None
        or set(powers) - {0, 1}
        or counter in symbols(step) | symbols(powers.get(0, ZERO))
    ):
        return None
    start = substitute(-wrapped.poly - 1, {counter: ZERO})
    size = step.integer
    if size is None or not 0 < size <= gap or not surely_nonnegative(m, start):
        return None
    return above
