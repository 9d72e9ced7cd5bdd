"""A loop's parts, and one iteration of it: the same for every way in which loops are read."""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.condition import Condition, Truth, conjunction
from estimator.immutable import immutable
from estimator.ir.kernel import Domain
from estimator.lower.branches import merge_stores
from estimator.lower.convert import to_condition
from estimator.lower.exits import arrival
from estimator.lower.machine import LoopFrame, Machine
from estimator.lower.pieces import narrowed, union


@immutable(slots=False)
class Loop:
    """A loop's parts; `tests_first` is False for do … while."""

    node: c_ast.Node
    condition: c_ast.Node | None
    step: c_ast.Node | None
    body: c_ast.Node
    tests_first: bool

    @property
    def has_other_exits(self) -> bool:
        """Whether something in the body may leave the loop before its test ends it."""
        return _leaves(self.body, breaks=True)


def _leaves(node: c_ast.Node, *, breaks: bool) -> bool:
    """Whether a `break` of the loop itself, a `return` or a `goto` stands in the node."""
    if isinstance(node, (c_ast.Return, c_ast.Goto)) or (breaks and isinstance(node, c_ast.Break)):
        return True
    inner = isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch))
    return any(_leaves(child, breaks=breaks and not inner) for _, child in node.children())


class Unsuitable(Exception):
    """The loop does not have the form that was tried."""


class LeftOnData(Unsuitable):
    """Data may end the loop in any of many iterations: no form but an unknown trip count."""


def iterate(m: Machine, loop: Loop) -> LoopFrame:
    """Execute the body and the step once; live is where the next iteration would start."""
    frame = LoopFrame()
    m.loops.append(frame)
    m.depth += 1
    start, escapes = m.live, m.escapes
    try:
        with m.scope():
            m.execute(loop.body)
    finally:
        m.depth -= 1
    m.loops.pop()
    if frame.continues:
        _go_on(m, frame, start)
        m.live = union(start, [*(d for d in (*frame.continues, m.live) if not d.is_empty)])
        if m.escapes - escapes == len(frame.continues) and not frame.breaks:
            m.live = start
    if loop.step is not None and not m.live.is_empty:
        m.evaluate(loop.step)
    return frame


def _go_on(m: Machine, frame: LoopFrame, start: Domain) -> None:
    """Bring the variables together of those who come to the iteration's end and who `continue`."""
    ways = [
        (domain, store)
        for domain, store in zip(frame.continues, frame.continued, strict=True)
        if not domain.is_empty
    ]
    if ways and m.live.is_empty:
        m.store = ways.pop()[1]
    for domain, store in reversed(ways):
        m.store = merge_stores(m, arrival(domain, start), store, m.store)


def test_of(m: Machine, loop: Loop) -> Condition:
    """Execute the test. Where the body comes after it, the variables are left as where it holds."""
    if loop.condition is None:
        return Truth(True)
    if loop.tests_first:
        return _holding(m, loop.condition)
    return to_condition(m, m.evaluate(loop.condition), loop.condition)


def _holding(m: Machine, node: c_ast.Node) -> Condition:
    """The condition; of `a && b` both were executed where it holds."""
    if not isinstance(node, c_ast.BinaryOp) or node.op != "&&":
        return to_condition(m, m.evaluate(node), node)
    left = _holding(m, node.left)
    if isinstance(left, Truth) and not left.value:
        return left
    before = m.live
    m.live = narrowed(before, left)
    right = _holding(m, node.right)
    m.live = before
    return conjunction(left, right)
