"""What conditions say at sizes: whether they hold, and which of their parts do."""

from __future__ import annotations

from collections.abc import Mapping

from estimator.algebra.condition import Compare, Condition, Junction
from estimator.algebra.poly import Number
from estimator.algebra.walk import Undecided, holds


def holds_at(condition: Condition, sample: Mapping[str, Number]) -> bool:
    """Whether a condition holds at sizes by name; one that they do not decide is taken to."""
    try:
        return holds(condition, sample)
    except (Undecided, KeyError, ZeroDivisionError):
        return True


def parts_that_hold(condition: Condition, sample: Mapping[str, Number]) -> tuple[Condition, ...]:
    """What a condition that holds takes: all of its parts, or the first alternative that holds."""
    if not isinstance(condition, Junction):
        return (condition,)
    if condition.every:
        return condition.parts
    first = next(part for part in condition.parts if holds_at(part, sample))
    return parts_that_hold(first, sample)


def is_size_guard(condition: Compare) -> bool:
    """Whether a condition only says that a size is at least some number."""
    lone = [m for m in condition.poly.terms if m]
    return len(lone) == 1 and condition.poly.terms[lone[0]] > 0 and condition.relation.value == ">="


def says_some(condition: Compare) -> bool:
    """Whether a condition only says that a size, or a product of sizes, is not 0."""
    values = condition.poly.terms.values()
    return is_size_guard(condition) and len(values) == 2 and sum(values) >= 0
