"""Bounds on footprints that depend on data: what is touched for certain, and what may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from estimator.algebra.atoms import Role
from estimator.algebra.poly import ONE
from estimator.algebra.walk import symbols
from estimator.count.cardinality import TooComplexError
from estimator.count.isl_text import NotAffineError
from estimator.ir.kernel import Access, Domain, KernelIR, Piece
from estimator.memory.chances import UnsayableError
from estimator.memory.unknown_footprint import Footprint

# The footprint of accesses, None where it takes something for granted. Raises UnsayableError,
# NotAffineError, TooComplexError.
Exact = Callable[[list[Access]], Footprint | None]


def bounds_of(
    kernel: KernelIR, accesses: list[Access], exact: Exact
) -> tuple[Footprint | None, Footprint | None]:
    """At most, and at least, what accesses to one array touch; None for what is not known."""
    certain = [access for access in accesses if _is_certain(access)]
    least = _quietly(kernel, certain, exact) if 0 < len(certain) < len(accesses) else None
    most = None
    if not any(access.offset.has_role(Role.UNKNOWN, Role.PROBE) for access in accesses):
        # As if every condition on data held, and every loop that data ends ran.
        whole = [
            replace(a, domain=Domain(a.domain.counters, tuple(map(_always, a.domain.pieces))))
            for a in accesses
        ]
        if any(symbols(piece.weight) for a in accesses for piece in a.domain.pieces):
            most = _quietly(kernel, whole, exact)
    return most, least


def _is_certain(access: Access) -> bool:
    return not access.offset.has_role(Role.UNKNOWN, Role.PROBE) and not any(
        symbols(piece.weight) for piece in access.domain.pieces
    )


def _always(piece: Piece) -> Piece:
    return Piece(piece.condition, ONE)


def _quietly(kernel: KernelIR, accesses: list[Access], exact: Exact) -> Footprint | None:
    """A footprint that brings no unknowns of its own up."""
    before = set(kernel.unknowns)
    try:
        found = exact(accesses)
    except (UnsayableError, NotAffineError, TooComplexError):
        return None
    finally:
        new = [symbol for symbol in kernel.unknowns if symbol not in before]
        for symbol in new:
            del kernel.unknowns[symbol]
    return None if new else found
