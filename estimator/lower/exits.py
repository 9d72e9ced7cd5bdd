"""Leaving a loop early: what `break`, `return` and `goto` take away from later iterations."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import (
    TRUE,
    Condition,
    Earlier,
    Junction,
    conjunction,
    disjunction,
    negate,
)
from estimator.algebra.poly import Poly
from estimator.ir.kernel import Domain
from estimator.lower.branches import havoc
from estimator.lower.entering import weighted
from estimator.lower.happens import happens
from estimator.lower.machine import CellKey, Exit, LoopFrame, Machine
from estimator.lower.pieces import narrowed
from estimator.lower.ranges import counter_range
from estimator.lower.values import Value

Marks = tuple[int, int, int, int]
_RETURN = ("p_return", "return")


def leave_early(
    m: Machine, before: Domain, counter: Symbol, frame: LoopFrame, marks: Marks, exits: int
) -> Domain | None:
    """Take the iterations after a `break`, `return` or `goto` out of what the loop recorded.

    Gives the domain after the loop; None where data decides who leaves.
    """
    out = m.frames[-1].exits[exits:]
    domains = [*frame.breaks, *(one.domain for one in out)]
    if any(not _same_weight(domain, before) for domain in domains):
        return None
    leaves = disjunction(*(_condition(domain, before, counter) for domain in domains))
    stays = Earlier(counter, leaves, including_present=False, negated=True)
    m.rewrite(marks, lambda domain: narrowed(domain, stays))
    if not out:
        return before
    ways = [_condition(one.domain, before, counter) for one in out]
    # Where all go the same way, it does not matter in which iteration they do.
    first = TRUE if len({one.label for one in out}) == 1 and not frame.breaks else stays
    for number, (one, way) in enumerate(zip(out, ways, strict=True), start=exits):
        if one.label:
            domain = narrowed(before, happens(counter, conjunction(way, first)))
        else:
            domain = narrowed(one.domain, stays)
        m.frames[-1].exits[number] = replace(one, domain=domain)
    first = TRUE if not frame.breaks else stays
    gone = happens(counter, conjunction(disjunction(*ways), first))
    return narrowed(before, negate(gone))


def leave_sometime(m: Machine, before: Domain, node: c_ast.Node, exits: int) -> Domain:
    """The domain after a loop of unknown length; who left it is a share with a name."""
    out = m.frames[-1].exits[exits:]
    kept = [one for one in out if not one.label]
    stays = Poly.of(1)
    shares: list[Symbol] = []
    for label in dict.fromkeys(one.label for one in out):
        prefix, how = ("p_goto_" + label, f"go to {label} from") if label else _RETURN
        meaning = f"share of the threads that {how} inside the loop"
        others = tuple(shares)
        named = m.unknown(prefix, node, meaning, lower=Poly.of(0), upper=Poly.of(1), others=others)
        shares.append(named)
        share = Poly.of(named)
        stays -= share
        if label:
            kept.append(Exit(weighted(before, share), label=label))
    m.frames[-1].exits[exits:] = kept
    return weighted(before, stays) if out else before


def leaving_count(
    condition: Condition, started: Condition, before: Domain, counter: Symbol, leaving: Domain
) -> Poly | None:
    """How many iterations end before one that is left (by a `break`), or the loop's test ends.

    `condition` is the loop's test, `started` the range of its iterations.
    """
    leaves = relative(_condition(leaving, before, counter), started)
    trips = counter_range(conjunction(condition, negate(leaves)), counter)
    return None if trips is None else trips.count


def _same_weight(domain: Domain, before: Domain) -> bool:
    weights = {piece.weight for piece in before.pieces}
    return all(piece.weight in weights for piece in domain.pieces)


def _condition(domain: Domain, before: Domain, counter: Symbol) -> Condition:
    """Who leaves in an iteration, beyond the condition of being in the loop at all."""
    shared = before.pieces[0].condition if len(before.pieces) == 1 else None
    condition = disjunction(*(relative(piece.condition, shared) for piece in domain.pieces))
    for inner in reversed(domain.counters[len(before.counters) :]):
        if inner != counter:
            condition = happens(inner, condition)
    return condition


def strays(
    changed: list[CellKey],
    start: dict[CellKey, Value],
    stores: list[dict[CellKey, Value]],
) -> list[CellKey]:
    """The variables that an iteration which leaves the loop changes on its way out.

    What they are then depends on the iteration: a loop's steps say nothing of it.
    """
    return [one for one in changed if any(store.get(one) != start.get(one) for store in stores)]


def carry(m: Machine, exits: int, unknown: list[CellKey], *, lost: bool = False) -> None:
    """Let those who leave a loop go on with the variables as they are after it, or `unknown`.

    These are `lost` where no data decides who leaves.
    """
    after = dict(m.store)
    for variable in unknown:
        havoc(m, variable, lost=lost)
    m.frames[-1].exits[exits:] = [
        replace(one, store=dict(m.store)) for one in m.frames[-1].exits[exits:]
    ]
    m.store = after


def arrival(domain: Domain, before: Domain) -> Condition | None:
    """Who of `before` is in `domain`; None where data decides, or the iteration of a loop."""
    if len(before.pieces) != 1 or len(domain.counters) != len(before.counters):
        return None
    (piece,) = before.pieces
    if any(one.weight != piece.weight for one in domain.pieces):
        return None
    return disjunction(*(relative(one.condition, piece.condition) for one in domain.pieces))


def relative(condition: Condition, given: Condition | None) -> Condition:
    """The condition without the parts that are given already."""
    if given is None:
        return condition
    known = given.parts if isinstance(given, Junction) and given.every else (given,)
    if isinstance(condition, Junction) and condition.every:
        return conjunction(*(part for part in condition.parts if part not in known))
    return conjunction(*([] if condition in known else [condition]))
