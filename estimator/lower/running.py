"""Loops over known numbers, executed one iteration after another."""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.condition import Truth, size_of
from estimator.ir.kernel import Domain
from estimator.lower.branches import merge_stores
from estimator.lower.iteration import Loop, Unsuitable, iterate, test_of
from estimator.lower.machine import CellKey, Machine
from estimator.lower.pieces import union
from estimator.lower.recurrence import Recurrence
from estimator.lower.values import Value
from estimator.parse.nodes import nodes_of

_RUN_LIMIT = 4096
# Who goes on into the next iteration is said in so many comparisons; with jumps out of inner loops
# they may be twenty times as many after each.
_LARGEST = 2000
# A loop that data may end is run through up to this many iterations: each has a share of its own.
LEFT_ON_DATA_LIMIT = 16


def run_through(
    m: Machine, loop: Loop, changed: list[CellKey], stepping: dict[CellKey, Recurrence]
) -> None:
    """Execute a loop whose test is known in every iteration. Raises Unsuitable if it is not."""
    del stepping
    if m.dry:
        raise Unsuitable
    before, escapes, exits = m.live, m.escapes, len(m.frames[-1].exits)
    # Loops inside that nothing else suited may be suited where this one's numbers are known;
    # what does not suit even then suits nowhere.
    unsuited, m.unsuited = m.unsuited, set()
    try:
        left, stores = _iterations(m, loop, _tests(m, loop, changed))
    finally:
        m.unsuited |= unsuited
    if left:
        if m.live.is_empty:
            m.store = stores.pop()
        for store in stores:
            m.store = merge_stores(m, None, m.store, store)
        m.live = union(before, [d for d in (*left, m.live) if not d.is_empty])
        if len(m.frames[-1].exits) == exits:
            m.live = before
    elif m.escapes == escapes:
        m.live = before


def _iterations(
    m: Machine, loop: Loop, tests: bool
) -> tuple[list[Domain], list[dict[CellKey, Value]]]:
    """Execute all iterations; gives the domains and stores in which the loop was left early.

    A loop that never tests anything (`tests` is False) must not be left on data: it would not end.
    """
    before, frame_exits = m.live, m.frames[-1].exits
    weights = {piece.weight for piece in before.pieces}
    left: list[Domain] = []
    stores: list[dict[CellKey, Value]] = []
    on_data = False
    for iteration in range(_RUN_LIMIT):
        if loop.tests_first or iteration:
            condition = test_of(m, loop)
            if not isinstance(condition, Truth):
                raise Unsuitable
            if not condition.value:
                return left, stores
        gone = len(frame_exits)
        frame = iterate(m, loop)
        left.extend(frame.breaks)
        stores.extend(frame.stores)
        if m.live.is_empty:
            return left, stores
        if sum(size_of(piece.condition) for piece in m.live.pieces) > _LARGEST:
            raise Unsuitable
        exits = [*frame.breaks, *(one.domain for one in frame_exits[gone:])]
        on_data = on_data or any(p.weight not in weights for one in exits for p in one.pieces)
        if on_data and (not tests or iteration >= LEFT_ON_DATA_LIMIT):
            raise Unsuitable
    raise Unsuitable


def _tests(m: Machine, loop: Loop, changed: list[CellKey]) -> bool:
    """Whether the loop's test speaks of something that the loop changes."""
    if loop.condition is None:
        return False
    names = [node.name for node in nodes_of(loop.condition) if isinstance(node, c_ast.ID)]
    return any(m.lookup(name) in changed for name in names)
