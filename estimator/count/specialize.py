"""A kernel at given sizes: with numbers in place of parameters almost everything is linear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.condition import Condition, Junction, negate
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.walk import condition_symbols, substitute, substitute_condition, symbols
from estimator.ir.kernel import Access, Domain, KernelIR, Piece

_SIZES = (Role.PARAMETER, Role.LAUNCH, Role.UNIFORM)


def sizes_of(kernel: KernelIR) -> set[Symbol]:
    """The parameters, of kernel and launch, that a kernel's behaviour depends on."""
    found: set[Symbol] = set()
    for extent in (*kernel.launch.grid, *kernel.launch.block):
        found |= symbols(extent)
    for domain in {id(d): d for d in kernel.domains()}.values():
        for piece in domain.pieces:
            found |= condition_symbols(piece.condition)
            found |= symbols(piece.weight)
    for access in kernel.accesses:
        found |= symbols(access.offset)
    return {symbol for symbol in found if symbol.role in _SIZES}


def specialized(kernel: KernelIR, values: Mapping[str, int | Fraction]) -> KernelIR:
    """The kernel with numbers in place of the sizes that have one. Its unknowns are its own."""
    return replaced(
        kernel,
        {s: Poly.of(values[s.name]) for s in sizes_of(kernel) if s.name in values},
    )


def replaced(kernel: KernelIR, given: Mapping[Atom, Poly]) -> KernelIR:
    """The kernel with other formulas in place of some symbols or atoms."""
    domains: dict[int, Domain] = {}

    def at_sizes(thing: Any) -> Any:
        domain = thing.domain
        if id(domain) not in domains:
            pieces = tuple(
                Piece(condition, substitute(piece.weight, given))
                for piece in domain.pieces
                if (condition := substitute_condition(piece.condition, given)).key != "false"
            )
            domains[id(domain)] = Domain(domain.counters, pieces)
        return replace(thing, domain=domains[id(domain)])

    x, y, z = (substitute(extent, given) for extent in kernel.launch.grid)
    u, v, w = (substitute(extent, given) for extent in kernel.launch.block)
    accesses: list[Access] = []
    for access in kernel.accesses:
        executed = at_sizes(access)
        # What is never executed accesses nothing, even where its index divides by zero.
        offset = ZERO if executed.domain.is_empty else substitute(access.offset, given)
        accesses.append(replace(executed, offset=offset))
    return replace(
        kernel,
        launch=replace(kernel.launch, grid=(x, y, z), block=(u, v, w)),
        operations=[at_sizes(operation) for operation in kernel.operations],
        accesses=accesses,
        syncs=[at_sizes(sync) for sync in kernel.syncs],
        unknown_costs=[at_sizes(call) for call in kernel.unknown_costs],
        unknowns=dict(kernel.unknowns),
        notes=list(kernel.notes),
        condition_texts=_texts(kernel, given),
    )


def _texts(kernel: KernelIR, given: Mapping[Atom, Poly]) -> dict[str, str]:
    """What the source says of conditions, by their keys with the other formulas in place."""
    found = dict(kernel.condition_texts)

    def read(condition: Condition) -> None:
        if isinstance(condition, Junction):
            for part in condition.parts:
                read(part)
            return
        for one, turned in ((condition, False), (negate(condition), True)):
            said = kernel.condition_texts.get(one.key)
            if said is not None:
                new = substitute_condition(condition, given)
                found.setdefault((negate(new) if turned else new).key, said)

    for domain in {id(d): d for d in kernel.domains()}.values():
        for piece in domain.pieces:
            read(piece.condition)
    return found
