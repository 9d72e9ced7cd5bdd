"""Loop counters that stand where sets of integer points cannot say them."""

from __future__ import annotations

from estimator.algebra.atoms import Atom, Bits, Power, Quotient, Role, Symbol
from estimator.algebra.poly import Poly
from estimator.algebra.walk import condition_polys, symbols
from estimator.ir.kernel import Domain
from estimator.lower.machine import Machine


def is_awkward(m: Machine, marks: tuple[int, int, int, int], counter: Symbol) -> bool:
    """Whether the counter stands where sets cannot say it: 2**k, k*threadIdx.x, bits of k, and
    steps of a size in a condition."""
    polys: list[Poly] = [access.offset for access in m.kernel.accesses[marks[1] :]]
    conditions: list[Poly] = []
    domains: list[Domain] = []
    for things in (
        m.kernel.operations[marks[0] :],
        m.kernel.accesses[marks[1] :],
        m.kernel.syncs[marks[2] :],
    ):
        for thing in things:
            if not domains or thing.domain is not domains[-1]:
                domains.append(thing.domain)
    seen: set[int] = set()
    for domain in domains:
        if id(domain) in seen:
            continue
        seen.add(id(domain))
        for piece in domain.pieces:
            conditions.extend(condition_polys(piece.condition))
    if any(_awkward_poly(poly, counter) for poly in (*polys, *conditions)):
        return True
    return any(_steps_by_size(poly, counter) for poly in conditions)


def _awkward_poly(poly: Poly, counter: Symbol) -> bool:
    for monomial in poly.terms:
        indices = 0
        holds_counter = False
        for atom, power in monomial:
            if isinstance(atom, Symbol):
                indices += power * atom.is_index
                holds_counter = holds_counter or atom == counter
            elif Role.COUNTER in atom.roles and _mentions(atom, counter):
                if isinstance(atom, (Power, Bits, Quotient)):
                    return True
                indices += power
                holds_counter = True
        if holds_counter and indices > 1:
            return True
    return False


def _steps_by_size(poly: Poly, counter: Symbol) -> bool:
    """Whether the counter counts steps of a size, from another index on: i + k*stride < n.

    Without the other index, a division gives the counter's bound.
    """
    steps = any(
        len(monomial) > 1 and any(atom == counter for atom, _ in monomial)
        for monomial in poly.terms
    )
    return steps and any(one.is_index and one != counter for one in symbols(poly))


def _mentions(atom: Atom, counter: Symbol) -> bool:
    return counter in symbols(Poly.of(atom))
