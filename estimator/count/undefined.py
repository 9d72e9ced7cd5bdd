"""What C leaves undefined at the sizes given: a division by zero that some thread executes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from estimator.algebra.condition import Condition, conjunction
from estimator.algebra.evaluate import Undecided
from estimator.algebra.poly import Poly
from estimator.algebra.walk import BY_ZERO, condition_polys, condition_symbols, symbols
from estimator.count.domains import DomainCounter
from estimator.count.shares import line_of
from estimator.count.shares import parts_of as demands
from estimator.count.specialize import sizes_of, specialized
from estimator.ir.kernel import Domain, KernelIR, Piece
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.position import Position


def zero_divisions(kernel: KernelIR, values: Mapping[str, int | Fraction]) -> list[Diagnostic]:
    """A warning for each line that divides by zero at these sizes, in threads that run."""
    given = sorted(s.name for s in sizes_of(kernel) if s.name in values)
    if not given:
        return []
    at_sizes = specialized(kernel, values)
    places: dict[int, Position] = {}
    for position in _places(at_sizes, DomainCounter(at_sizes)):
        places.setdefault(position.line, position)
    message = f"divides by zero at {', '.join(f'{name} = {values[name]}' for name in given)}"
    return [diagnose(codes.ZERO_DIVISION, position, message) for position in places.values()]


def _places(kernel: KernelIR, counter: DomainCounter) -> Iterator[Position]:
    """Where a division by zero is executed, or may be."""
    for access in kernel.accesses:
        if _divides(access.offset) and any(
            _happens(counter, access.domain, piece) for piece in access.domain.pieces
        ):
            yield access.position

    for domain in {id(d): d for d in kernel.domains()}.values():
        for piece in domain.pieces:
            wrong = [part for part in demands(piece.condition) if _condition_divides(part)]
            if wrong and _happens(counter, domain, piece):
                line = line_of(wrong[0])
                path = kernel.position.path
                yield Position(path, line, 1) if line else kernel.position


def _condition_divides(condition: Condition) -> bool:
    return any(_divides(poly) for poly in condition_polys(condition))


def _divides(poly: Poly) -> bool:
    """Whether a polynomial has a division by zero inside."""
    return any(symbol.name.endswith(BY_ZERO) for symbol in symbols(poly))


def _happens(counter: DomainCounter, domain: Domain, piece: Piece) -> bool:
    """Whether anything reaches the division; yes, where that is not known."""
    rest = [part for part in demands(piece.condition) if not _condition_divides(part)]
    reached = Domain(domain.counters, (Piece(conjunction(*rest), piece.weight),))
    if len(rest) < len(demands(piece.condition)) and domain.counters:
        # Without the part that divides a counter may have no end.
        rest = [part for part in rest if condition_symbols(part).isdisjoint(domain.counters)]
        reached = Domain((), (Piece(conjunction(*rest)),))
    try:
        return counter.count(reached).total.evaluate({}) != 0
    except (Undecided, ZeroDivisionError):
        return True
