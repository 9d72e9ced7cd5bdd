"""Conditions on data as events: each time one is evaluated it holds or it does not.

All evaluations of a condition share one name, `p@12`, the share of the cases in which it holds. A
variable that keeps the outcome of one and is tested twice holds both times: as an event `p@12#3`
multiplied by itself is itself again. Events have their condition's name once a kernel is lowered.
"""

from __future__ import annotations

from itertools import combinations

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.poly import ZERO, Monomial, Poly
from estimator.algebra.walk import symbols
from estimator.ir.kernel import Domain, Piece

_MARK = "#"


def event_of(share: Symbol, number: int) -> Symbol:
    """One evaluation of the condition that holds in a share of the cases."""
    return Symbol(f"{share.name}{_MARK}{number}", Role.UNKNOWN)


def share_of(event: Symbol) -> Symbol:
    """The share of the cases in which the condition of an event holds."""
    return Symbol(event.name.partition(_MARK)[0], event.role)


def is_event(symbol: object) -> bool:
    """Whether a symbol is one evaluation's."""
    return isinstance(symbol, Symbol) and symbol.role is Role.UNKNOWN and _MARK in symbol.name


def events_in(domain: Domain) -> frozenset[Symbol]:
    """The events that decide who is in a domain."""
    return frozenset(s for piece in domain.pieces for s in symbols(piece.weight) if is_event(s))


def together(one: Poly, other: Poly) -> Poly:
    """The weight of two conditions at once."""
    product = one * other
    if all(power == 1 for monomial in product.terms for _, power in monomial):
        return product
    total = ZERO
    for monomial, coefficient in product.terms.items():
        once: Monomial = tuple((a, 1 if is_event(a) else power) for a, power in monomial)
        total = total + Poly({once: coefficient})
    return total


def settled(domain: Domain) -> Domain:
    """The domain with every event named by its condition."""
    events = events_in(domain)
    if not events:
        return domain
    names: dict[Atom, Poly] = {event: Poly.of(share_of(event)) for event in events}
    pieces = tuple(Piece(p.condition, p.weight.replace(names)) for p in domain.pieces)
    return Domain(domain.counters, pieces)


def are_taken_apart(domain: Domain, under: dict[Symbol, frozenset[Symbol]]) -> bool:
    """Whether a domain multiplies the shares of events that were not evaluated one `under` the
    other, as if they had nothing to do with each other."""
    for piece in domain.pieces:
        for monomial in piece.weight.terms:
            events = [atom for atom, _ in monomial if isinstance(atom, Symbol) and is_event(atom)]
            for one, other in combinations(events, 2):
                if one not in under.get(other, ()) and other not in under.get(one, ()):
                    return True
    return False
