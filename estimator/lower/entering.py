"""Where loops run at all, and what is taken for granted of their steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pycparser import c_ast

from estimator.algebra.condition import depends_on_data
from estimator.algebra.poly import Poly
from estimator.algebra.printing import HUMAN, text
from estimator.algebra.walk import is_nonnegative, symbols
from estimator.ir.kernel import Domain, Piece
from estimator.lower.branches import unknowns_of
from estimator.lower.convert import to_condition
from estimator.lower.machine import CellKey, Machine
from estimator.lower.pieces import narrowed
from estimator.lower.recurrence import Recurrence
from estimator.lower.values import IntValue, Variable
from estimator.parse.nodes import nodes_of

if TYPE_CHECKING:
    from estimator.lower.iteration import Loop


def weighted(domain: Domain, weight: Poly) -> Domain:
    """The domain, `weight` times over."""
    pieces = tuple(Piece(p.condition, p.weight * weight) for p in domain.pieces)
    return Domain(domain.counters, pieces)


def entered_in(m: Machine, loop: Loop) -> tuple[Domain, bool, bool]:
    """Where a loop of unknown length runs at all, whether that is known, and if it is not,
    whether it is lost rather than decided by data."""
    if loop.condition is None or not loop.tests_first:
        return m.live, True, False
    store, live = dict(m.store), m.live
    m.dry += 1
    condition = to_condition(m, m.evaluate(loop.condition), loop.condition)
    m.dry -= 1
    m.store, m.live = store, live
    if not depends_on_data(condition):
        return narrowed(live, condition), True, False
    names = [node.name for node in nodes_of(loop.condition) if isinstance(node, c_ast.ID)]
    found = [m.lookup(name) for name in names]
    values = [m.store.get(variable) for variable in found if isinstance(variable, Variable)]
    if not any(unknowns_of(value) & m.lost for value in values):
        return live, False, False
    meaning = "share of the cases in which the loop runs at all"
    share = m.unknown("p_runs", loop.node, meaning, lower=Poly.of(0), upper=Poly.of(1))
    return weighted(live, Poly.of(share)), True, True


def note_steps(m: Machine, stepping: dict[CellKey, Recurrence]) -> None:
    """Note that steps of a size that the kernel is given are steps forward."""
    for recurrence in stepping.values():
        step = recurrence.step
        if m.dry or step is None or step.constant is not None or not is_nonnegative(step):
            continue
        launch = m.kernel.launch
        sizes = {symbol for extent in (*launch.grid, *launch.block) for symbol in symbols(extent)}
        if isinstance(recurrence.start, IntValue) and symbols(step) - sizes:
            m.note("steps", f"{text(step, HUMAN)} >= 1, as a loop steps by it")
