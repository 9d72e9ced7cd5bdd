"""`goto` to a label further on: threads that jump wait in their frame until the label comes.

A label's region are the statements of its block from the first that jumps to it. Whoever jumps,
out of however many loops and branches, goes on at the label with those who come by the straight
way; if nobody has left the region for elsewhere, these are all who entered it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from estimator.immutable import immutable
from estimator.ir.kernel import Domain
from estimator.lower.branches import merge_stores
from estimator.lower.declarations import declare
from estimator.lower.exits import arrival
from estimator.lower.machine import EMPTY, Exit, Machine
from estimator.lower.pieces import union
from estimator.lower.values import Variable
from estimator.source import codes
from estimator.source.diagnostics import InputError


@immutable(slots=False)
class _Start:
    """The state where a label's region starts."""

    live: Domain
    exits: int
    waiting: int
    escapes: int


def run_block(m: Machine, items: list[c_ast.Node]) -> None:
    """Execute the statements of a block, in the scope that is open.

    Raises InputError for a goto to a label that is not ahead in an open block.
    """
    ahead = [label.name for item in items for label in _labels(item)]
    if not ahead:
        for item in items:
            m.execute(item)
        return
    regions = _regions(items)
    starts: dict[str, _Start] = {}
    labels = m.frames[-1].labels
    labels.append(ahead)
    depth = len(labels)
    try:
        for number, item in enumerate(items):
            for label in _labels(item):
                ahead.remove(label.name)
                if label.name in starts:
                    _arrive(m, label.name, starts[label.name])
                item = label.stmt
            here = _Start(m.live, len(m.frames[-1].exits), _waiting(m), m.escapes)
            starts.update((name, here) for name, start in regions.items() if start == number)
            if m.live.is_empty and ahead and isinstance(item, (c_ast.Decl, c_ast.DeclList)):
                # Nobody comes here, but the name is there after a label.
                for one in item.decls if isinstance(item, c_ast.DeclList) else [item]:
                    declare(m, one)
            m.execute(item)
    finally:
        del labels[depth - 1 :]


def jump(m: Machine, node: c_ast.Goto) -> None:
    """Execute a goto: nobody goes on here."""
    frame = m.frames[-1]
    if not any(node.name in ahead for ahead in frame.labels):
        raise _refused(m, node)
    frame.exits.append(Exit(m.live, label=node.name, store=dict(m.store)))
    m.escapes += 1
    m.live = EMPTY


def _labels(item: c_ast.Node) -> Iterator[c_ast.Label]:
    """The labels in front of a statement."""
    while isinstance(item, c_ast.Label):
        yield item
        item = item.stmt


def _regions(items: list[c_ast.Node]) -> dict[str, int]:
    """Where the region of each label starts, by the number of the statement.

    Regions that overlap start together, so that one lies inside the other.
    """
    targets = [_targets(item) for item in items]
    places = [(label.name, number) for number, item in enumerate(items) for label in _labels(item)]
    regions: dict[str, int] = {}
    for name, place in places:
        first = next((number for number in range(place) if name in targets[number]), None)
        if first is not None:
            overlapping = (
                regions[other] for other, end in places if other in regions and end > first
            )
            regions[name] = min([first, *overlapping])
    return regions


def _targets(node: c_ast.Node) -> set[str]:
    """The labels that a statement jumps to."""
    if isinstance(node, c_ast.Goto):
        return {node.name}
    return set().union(*(_targets(child) for _, child in node.children()))


def _waiting(m: Machine) -> int:
    """How many have left for the end of a loop's iteration, or of a loop or switch."""
    return sum(len(loop.breaks) + len(loop.continues) for loop in m.loops)


def _arrive(m: Machine, label: str, start: _Start) -> None:
    """Go on with those who jumped to a label since its region's start."""
    exits = m.frames[-1].exits
    since = exits[start.exits :]
    jumped = [one for one in since if one.label == label and not one.domain.is_empty]
    exits[start.exits :] = [one for one in since if one.label != label]
    if not jumped:
        return
    domains = [one.domain for one in jumped]
    if m.live.is_empty:
        declared = [key for key in m.store if isinstance(key, Variable)]
        m.store = {**{key: m.store[key] for key in declared}, **jumped.pop().store}
    else:
        domains.append(m.live)
    for one in reversed(jumped):
        condition = arrival(one.domain, start.live)
        m.store = merge_stores(m, condition, one.store, m.store)
    if len(exits) == start.exits and _waiting(m) == start.waiting:
        m.live, m.escapes = start.live, start.escapes  # nobody went elsewhere
    else:
        m.live = union(start.live, domains)


def _refused(m: Machine, node: c_ast.Goto) -> InputError:
    label = _label_named(node.name, m.frames[-1].function.definition.body)
    if label is None:
        message = f"goto to a label that the function does not have: {node.name}"
        return m.fail(codes.UNKNOWN_NAME, node, message, "Write the label, or leave the goto out.")
    if m.unit.offset(label) > m.unit.offset(node):
        message = f"goto into a block, to the label {node.name}"
        help_text = "Move the label out of the block, or write the jump as an if."
    else:
        message = f"goto back to the label {node.name}"
        help_text = "Write the loop that it makes as a for, while or do."
    return m.fail(codes.UNSUPPORTED, node, message, help_text)


def _label_named(name: str, node: c_ast.Node) -> c_ast.Label | None:
    """The label of that name in a function's body."""
    if isinstance(node, c_ast.Label) and node.name == name:
        return node
    found = (_label_named(name, child) for _, child in node.children())
    return next((label for label in found if label is not None), None)
