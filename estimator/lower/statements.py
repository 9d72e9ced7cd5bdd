"""Executing statements: one function a kind of pycparser node."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pycparser import c_ast

from estimator.algebra.condition import (
    FALSE,
    Condition,
    Data,
    Truth,
    conjunction,
    disjunction,
    negate,
)
from estimator.ir.kernel import Domain
from estimator.lower.branches import both_ways, merge_stores
from estimator.lower.comparing import compare
from estimator.lower.convert import to_condition
from estimator.lower.declarations import declare
from estimator.lower.events import share_of
from estimator.lower.iteration import Loop
from estimator.lower.jumps import jump, run_block
from estimator.lower.loops import run_loop
from estimator.lower.machine import EMPTY, CellKey, Exit, LoopFrame, Machine
from estimator.lower.pieces import narrowed, otherwise, union
from estimator.lower.values import IntValue, Value
from estimator.source import codes


def execute(m: Machine, node: c_ast.Node | None) -> None:
    """Execute a statement in the live domain; nothing happens where that is empty."""
    if node is None or m.live.is_empty:
        return
    m.step(node)
    handler = _HANDLERS.get(type(node))
    if handler is None:
        m.evaluate(node)
    else:
        handler(m, node)


def _compound(m: Machine, node: c_ast.Compound) -> None:
    with m.scope():
        run_block(m, node.block_items or [])


def _declarations(m: Machine, node: c_ast.DeclList) -> None:
    for item in node.decls:
        declare(m, item)


def _typedef(m: Machine, node: c_ast.Typedef) -> None:
    m.unit.types.add_typedef(node)


def _if(m: Machine, node: c_ast.If) -> None:
    condition = to_condition(m, m.evaluate(node.cond), node.cond)
    if isinstance(condition, Truth):
        with m.scope():
            execute(m, node.iftrue if condition.value else node.iffalse)
        return

    def branch(statement: c_ast.Node | None) -> Callable[[], None]:
        def run() -> None:
            with m.scope():
                execute(m, statement)

        return run

    both_ways(m, condition, branch(node.iftrue), branch(node.iffalse), node)


def _for(m: Machine, node: c_ast.For) -> None:
    with m.scope():
        execute(m, node.init)
        run_loop(m, Loop(node, node.cond, node.next, node.stmt, tests_first=True))


def _while(m: Machine, node: c_ast.While) -> None:
    run_loop(m, Loop(node, node.cond, None, node.stmt, tests_first=True))


def _do(m: Machine, node: c_ast.DoWhile) -> None:
    run_loop(m, Loop(node, node.cond, None, node.stmt, tests_first=False))


def _return(m: Machine, node: c_ast.Return) -> None:
    value = m.evaluate(node.expr) if node.expr is not None else None
    m.frames[-1].exits.append(Exit(m.live, value, store=dict(m.store)))
    m.escapes += 1
    m.live = EMPTY


def _break(m: Machine, node: c_ast.Break) -> None:
    if m.loops:
        m.loops[-1].breaks.append(m.live)
        m.loops[-1].stores.append(dict(m.store))
    m.live = EMPTY


def _continue(m: Machine, node: c_ast.Continue) -> None:
    for frame in reversed(m.loops):
        if frame.is_loop:
            frame.continues.append(m.live)
            frame.continued.append(dict(m.store))
            m.escapes += 1
            break
    m.live = EMPTY


def _switch(m: Machine, node: c_ast.Switch) -> None:
    items = node.stmt.block_items if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
    labels = [item for item in items or () if isinstance(item, (c_ast.Case, c_ast.Default))]
    _refuse_inner_labels(m, items or ())
    conditions = _matches(m, node.cond, labels)
    _share_one_whole(m, conditions)
    before, entry, escapes = m.live, m.store, m.escapes
    frame = LoopFrame(is_loop=False)
    m.loops.append(frame)
    m.live = EMPTY
    has_default = False
    with m.scope():
        for label, condition in zip(labels, conditions, strict=True):
            entered = narrowed(before, condition)
            if isinstance(label, c_ast.Default):
                entered, has_default = otherwise(before, conditions), True
            _enter_case(m, entered, before, entry)
            run_block(m, label.stmts or [])
    m.loops.pop()
    ends, stores = [*frame.breaks, m.live], [*frame.stores, m.store]
    if not has_default:
        ends.append(otherwise(before, conditions))
        stores.append(entry)
    living = [index for index, end in enumerate(ends) if not end.is_empty]
    m.live = before if m.escapes == escapes else union(before, [ends[i] for i in living])
    m.store = stores[living[0]] if living else entry
    for index in living[1:]:
        m.store = merge_stores(m, None, m.store, stores[index])


def _refuse_inner_labels(m: Machine, items: Iterable[c_ast.Node]) -> None:
    """Raise InputError for a label of a switch that stands in a block of its own."""
    stack: list[c_ast.Node] = []
    for item in items:
        is_label = isinstance(item, (c_ast.Case, c_ast.Default))
        stack.extend(item.stmts or () if is_label else (item,))
    while stack:
        node = stack.pop()
        if isinstance(node, (c_ast.Case, c_ast.Default)):
            message = "a case inside a block of its switch"
            help_text = "Move the label out of the block."
            raise m.fail(codes.UNSUPPORTED, node, message, help_text)
        if not isinstance(node, c_ast.Switch):
            stack.extend(child for _, child in node.children())


def _matches(
    m: Machine, chosen: c_ast.Node, labels: list[c_ast.Case | c_ast.Default]
) -> list[Condition]:
    """For each label whether the value is its own; labels are constants, so one is at most."""
    value = m.evaluate(chosen)
    conditions: list[Condition] = []
    seen: set[int | None] = set()
    for label in labels:
        if isinstance(label, c_ast.Default):
            conditions.append(FALSE)
            continue
        constant = m.evaluate(label.expr)
        asked = c_ast.BinaryOp("==", chosen, label.expr, label.expr.coord)
        is_this = compare(m, "==", value, constant, asked)
        number = constant.poly.integer if isinstance(constant, IntValue) else None
        if number is None or number in seen:
            # Not C, but the first of two labels with one value is the one that counts.
            is_this = conjunction(negate(disjunction(*conditions)), is_this)
        seen.add(number)
        conditions.append(is_this)
    return conditions


def _share_one_whole(m: Machine, conditions: list[Condition]) -> None:
    """The shares of the cases of a switch on data are together at most 1."""
    shares = [share_of(c.probability) for c in conditions if isinstance(c, Data) and c.positive]
    for number, share in enumerate(shares):
        info = m.kernel.unknowns.get(share)
        if info is not None:
            m.kernel.unknowns[share] = replace(info, others=tuple(shares[:number]))


def _enter_case(m: Machine, entered: Domain, before: Domain, entry: dict[CellKey, Value]) -> None:
    """Go on where the case matches, and where the one before it fell through."""
    if m.live.is_empty:
        m.live, m.store = entered, dict(entry)
    elif not entered.is_empty:
        m.live = union(before, [m.live, entered])
        m.store = merge_stores(m, None, m.store, entry)


def _labelled(m: Machine, node: c_ast.Label) -> None:
    execute(m, node.stmt)


def _nothing(m: Machine, node: c_ast.Node) -> None:
    del m, node


_HANDLERS: dict[type, Callable[..., None]] = {
    c_ast.Compound: _compound,
    c_ast.Decl: declare,
    c_ast.DeclList: _declarations,
    c_ast.Typedef: _typedef,
    c_ast.If: _if,
    c_ast.For: _for,
    c_ast.While: _while,
    c_ast.DoWhile: _do,
    c_ast.Return: _return,
    c_ast.Break: _break,
    c_ast.Continue: _continue,
    c_ast.Switch: _switch,
    c_ast.Label: _labelled,
    c_ast.Goto: jump,
    c_ast.EmptyStatement: _nothing,
    c_ast.Pragma: _nothing,
    c_ast.StaticAssert: _nothing,
}
