"""Two ways on from a condition, and what is known after them."""

from __future__ import annotations

from collections.abc import Callable

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Condition, negate
from estimator.algebra.poly import Poly
from estimator.algebra.walk import symbols
from estimator.lower.convert import merge, unknown_like
from estimator.lower.machine import CellKey, Machine, narrowed
from estimator.lower.values import IntValue, StructValue, Value


def both_ways(
    m: Machine, condition: Condition, then: Callable[[], None], otherwise: Callable[[], None]
) -> None:
    """Execute `then` where the condition holds and `otherwise` elsewhere, and join them."""
    before, store = m.live, m.store
    ends, stores, whole = [], [], True
    for branch, taken in ((then, condition), (otherwise, negate(condition))):
        start = narrowed(before, taken)
        m.live, m.store = start, dict(store)
        branch()
        ends.append(m.live)
        stores.append(m.store)
        whole = whole and m.live is start
    if whole:
        m.live = before
    else:
        m.rejoin(before, *ends)
    if ends[0].is_empty and not ends[1].is_empty:
        m.store = stores[1]
    elif ends[1].is_empty and not ends[0].is_empty:
        m.store = stores[0]
    else:
        m.store = merge_stores(m, condition, stores[0], stores[1])


def merge_stores(
    m: Machine,
    condition: Condition | None,
    left: dict[CellKey, Value],
    right: dict[CellKey, Value],
) -> dict[CellKey, Value]:
    """One store after two branches; what differs is decided by the condition, or unknown."""
    merged: dict[CellKey, Value] = {}
    for key, value in left.items():
        other = right.get(key)
        if other is None or other is value:
            if other is not None or not isinstance(key, tuple):
                merged[key] = value
        else:
            merged[key] = merge(m, condition, value, other)
    for key, value in right.items():
        if key not in left and not isinstance(key, tuple):
            merged[key] = value
    return merged


def havoc(m: Machine, key: CellKey, *, lost: bool = False) -> None:
    """Forget the value of a variable; it is `lost` if no data decides it."""
    value = m.store.get(key)
    if value is not None:
        m.store[key] = unknown_like(m, value)
        if lost:
            m.lost |= unknowns_of(m.store[key])


def unknowns_of(value: Value | None) -> frozenset[Symbol]:
    """The unknowns that an integer, an offset or the members of a structure depend on."""
    if isinstance(value, StructValue):
        return frozenset().union(*(unknowns_of(one) for one in value.fields.values()))
    poly = value.poly if isinstance(value, IntValue) else getattr(value, "offset", None)
    if not isinstance(poly, Poly):
        return frozenset()
    return frozenset(s for s in symbols(poly) if s.role is Role.UNKNOWN)
