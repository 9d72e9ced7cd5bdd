"""Two ways on from a condition, and what is known after them."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Condition, negate
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.walk import symbols
from estimator.ir.kernel import Domain, Piece
from estimator.lower.convert import merge, unknown_like
from estimator.lower.machine import CellKey, Machine
from estimator.lower.pieces import narrowed
from estimator.lower.values import IntValue, StructValue, Value

# Terms of a share such as (1 − p)·(1 − q)·…: a chain of n conditions on data has 2^n.
_MOST_TERMS = 16


def both_ways(
    m: Machine,
    condition: Condition,
    then: Callable[[], None],
    otherwise: Callable[[], None],
    node: c_ast.Node,
) -> None:
    """Execute `then` where the condition holds and `otherwise` elsewhere, and join them."""
    before, store = m.live, m.store
    ends, stores, whole = [], [], True
    for branch, taken, place in (
        (then, condition, getattr(node, "iftrue", node)),
        (otherwise, negate(condition), getattr(node, "iffalse", node) or node),
    ):
        start = _short(m, narrowed(before, taken), place)
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


def _short(m: Machine, domain: Domain, node: c_ast.Node) -> Domain:
    """The domain, with a name in place of a share that has grown long."""
    if all(len(piece.weight.terms) <= _MOST_TERMS for piece in domain.pieces):
        return domain
    pieces: list[Piece] = []
    for number, piece in enumerate(domain.pieces):
        weight = piece.weight
        if len(weight.terms) > _MOST_TERMS:
            prefix = f"times{number + 1 if number else ''}"
            weight = Poly.of(m.unknown(prefix, node, "how often a thread comes here", lower=ZERO))
        pieces.append(Piece(piece.condition, weight))
    return Domain(domain.counters, tuple(pieces))


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
    if isinstance(key, tuple):
        m.store.pop(key, None)  # what else the array holds is not said by what it held
    elif value is not None:
        m.store[key] = unknown_like(m, value)
        if lost:
            m.lost |= unknowns_of(m.store[key])


def unknowns_of(value: Value | None) -> frozenset[Symbol]:
    """The unknowns that an integer, an offset or a structure's members depend on."""
    if isinstance(value, StructValue):
        return frozenset().union(*(unknowns_of(member) for member in value.fields.values()))
    poly = value.poly if isinstance(value, IntValue) else getattr(value, "offset", None)
    if not isinstance(poly, Poly):
        return frozenset()
    return frozenset(s for s in symbols(poly) if s.role is Role.UNKNOWN)
