"""What formulas take of loops whose length is not known."""

from __future__ import annotations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import ZERO
from estimator.algebra.walk import symbols
from estimator.ir.kernel import KernelIR, Note


def loops_that_run(kernel: KernelIR) -> list[Note]:
    """That loops of unknown length are taken to run at least once, where there are any."""
    names = sorted(
        {
            symbol.name
            for domain in {id(d): d for d in kernel.domains()}.values()
            for piece in domain.pieces
            for symbol in symbols(piece.weight)
            if symbol.name.startswith("trips")
            and symbol.role is Role.UNKNOWN
            and not _surely_runs(kernel, symbol)
        }
    )
    if not names:
        return []
    return [Note("loops-run", f"loops of unknown length run at least once: {', '.join(names)}")]


def _surely_runs(kernel: KernelIR, trips: Symbol) -> bool:
    """Whether a loop is only recorded where it runs at least once."""
    info = kernel.unknowns.get(trips)
    return info is not None and info.lower is not None and info.lower != ZERO
