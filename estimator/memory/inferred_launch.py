"""What a kernel that no host code launches says about its launch.

`inferred_block` and `inferred_grid` read block and grid from it; everything that they find is an
assumption, and reported as one.
"""

from __future__ import annotations

from collections.abc import Iterator

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import Poly
from estimator.algebra.walk import condition_polys, parts_of, symbols
from estimator.ir.kernel import KernelIR, LaunchShape

AXES = "xyz"
Triple = tuple[Poly, Poly, Poly]


def open_launch(block: Triple | None = None, grid: Triple | None = None) -> LaunchShape:
    """A launch of which nothing is known but what is given."""
    return LaunchShape(grid or _named("gridDim"), block or _named("blockDim"))


def _named(name: str) -> Triple:
    x, y, z = (Poly.of(Symbol(f"{name}.{axis}", Role.LAUNCH)) for axis in AXES)
    return x, y, z


def polys_of(kernel: KernelIR) -> Iterator[Poly]:
    """Every polynomial that the kernel's behaviour depends on, offsets in elements."""
    seen: set[int] = set()
    for domain in kernel.domains():
        if id(domain) in seen:
            continue
        seen.add(id(domain))
        for piece in domain.pieces:
            yield from condition_polys(piece.condition)
    for access in kernel.accesses:
        yield access.offset / access.width


def with_parts(polys: Iterator[Poly]) -> list[Poly]:
    """The polynomials and those inside their atoms."""
    found = list(polys)
    for poly in found:
        for atom in poly.atoms():
            found.extend(parts_of(atom))
    return found


def used_axes(kernel: KernelIR) -> dict[str, set[str]]:
    """Which of threadIdx, blockIdx, blockDim and gridDim a kernel uses, by axis."""
    used: dict[str, set[str]] = {axis: set() for axis in AXES}
    for poly in polys_of(kernel):
        for symbol in symbols(poly):
            name, _, axis = symbol.name.partition(".")
            if axis in used and name in ("threadIdx", "blockIdx", "blockDim", "gridDim"):
                used[axis].add(name)
    return used
