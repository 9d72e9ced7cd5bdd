"""The grid of a kernel that no host code launches.

As many blocks as cover the guard, or the rows that indices must stay inside of, else an extent
with a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from estimator.algebra.atoms import Floor, Role, Symbol
from estimator.algebra.condition import Compare, Relation
from estimator.algebra.evaluate import evaluate
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.printing import HUMAN, text
from estimator.algebra.walk import symbols
from estimator.count.shares import parts_of as conditions_of
from estimator.ir.kernel import KernelIR, Note, Space
from estimator.memory.delinearize import indices_in, shape_of, strides_of, varies_with
from estimator.memory.inferred_launch import AXES, Triple, polys_of, used_axes


def infer_grid(kernel: KernelIR, block: Triple, unused: list[Poly]) -> tuple[Triple, list[Note]]:
    """Grid extents for a kernel lowered with that block and a named grid.

    `unused` are integer parameters that the kernel does not use.
    """
    used = used_axes(kernel)
    extents: list[Poly] = []
    notes: list[Note] = []
    bare = [a for a in AXES if "blockIdx" in used[a] and "threadIdx" not in used[a]]
    for axis, size in zip(AXES, block, strict=True):
        name = f"gridDim.{axis}"
        if not used[axis] & {"blockIdx", "gridDim"}:
            extents.append(ONE)
            continue
        if "gridDim" in used[axis]:
            extent, why = Poly.of(Symbol(name, Role.LAUNCH)), "a parameter of the launch"
        else:
            extent, why = _axis_extent(kernel, axis, size, bare, unused)
        extents.append(extent)
        is_own = extent == Poly.of(Symbol(name, Role.LAUNCH))
        said = f"{name} is {why}" if is_own else f"{name} = {text(extent, HUMAN)}, {why}"
        notes.append(Note("grid", said))
    x, y, z = extents
    return (x, y, z), notes


def _axis_extent(
    kernel: KernelIR, axis: str, size: Poly, bare: list[str], unused: list[Poly]
) -> tuple[Poly, str]:
    cover = guard_extent(kernel, axis, size)
    if cover is not None:
        return floor_divide(cover + size - 1, size), f"which covers {text(cover, HUMAN)}"
    tiles = _tile_extent(kernel, axis)
    if tiles is not None:
        return tiles
    outer = Symbol(f"blockIdx.{axis}", Role.THREAD)
    inside = _row_extent(kernel, outer, leading=False)
    if inside is not None:
        return inside, "as many as fit into a row"
    if axis not in bare:
        square = _row_extent(kernel, outer, leading=True)
        if square is not None:
            return square, "as many rows as columns"
    if bare == [axis] and len(unused) == 1:
        return unused[0], "the one size that the kernel does not use itself"
    return Poly.of(Symbol(f"gridDim.{axis}", Role.LAUNCH)), "a parameter of the launch"


def guard_extent(kernel: KernelIR, axis: str, size: Poly) -> Poly | None:
    """The number of threads along an axis that a guard lets through; the largest one.

    A guard `i < n - 1` is taken to belong to `n` threads, as launches are written.
    """
    inner, outer = Symbol(f"threadIdx.{axis}", Role.THREAD), Symbol(f"blockIdx.{axis}", Role.THREAD)
    found: list[Poly] = []
    for guard in _guards(kernel):
        part = _without_floor(guard)
        across = -part.coefficient(outer)
        along = -part.coefficient(inner)
        unit = along if size != ONE else across
        scale = unit.integer
        if scale is None or scale < 1 or across != size * scale:
            continue
        rest = part + Poly.of(outer) * across + (Poly.of(inner) * along if size != ONE else ZERO)
        if rest.has_role(Role.THREAD, Role.COUNTER, Role.UNKNOWN):
            continue
        if any(s.name.startswith("gridDim") for s in symbols(rest)):
            continue
        extent = floor_divide(rest, Poly.of(scale)) + 1
        constant = extent.constant_term
        if isinstance(constant, int) and constant < 0 and extent.constant is None:
            extent = extent - constant
        found.append(extent)
    return max(found, key=_size, default=None)


def _tile_extent(kernel: KernelIR, axis: str) -> tuple[Poly, str] | None:
    """The blocks along an axis that a guard lets do something, where each has several elements
    for a thread, or threads along another axis: `blockIdx.x*per + k*blockDim.x + threadIdx.x < n`
    is n in blocks of `per`."""
    outer = Symbol(f"blockIdx.{axis}", Role.THREAD)
    found: list[tuple[Poly, str]] = []
    for guard in _guards(kernel):
        part = _without_floor(guard)
        across = -part.coefficient(outer)
        if not across or not _is_size(across):
            continue
        # The first thread goes first, with the first element of its own.
        rest = part + Poly.of(outer) * across
        for symbol in sorted(symbols(rest)):
            step = -rest.coefficient(symbol)
            first = symbol.role is Role.COUNTER or symbol.name.startswith("threadIdx.")
            if first and step and _is_size(step):
                rest = rest + Poly.of(symbol) * step
        if rest.has_role(Role.THREAD, Role.COUNTER, Role.UNKNOWN) or not rest.has_role(
            Role.PARAMETER
        ):
            continue
        if any(s.name.startswith("gridDim") for s in symbols(rest)):
            continue
        found.append((floor_divide(rest, across) + 1, f"which covers {text(rest + 1, HUMAN)}"))
    return max(found, key=lambda one: _size(one[0]), default=None)


def _is_size(poly: Poly) -> bool:
    """Whether a polynomial is positive for all sizes: nothing of it is taken away."""
    inside = {symbol.role for symbol in symbols(poly)}
    if not inside <= {Role.PARAMETER, Role.LAUNCH, Role.UNIFORM}:
        return False
    return all(value > 0 for value in poly.terms.values())


def _without_floor(guard: Poly) -> Poly:
    """`rows - 1 - floor(i/32) >= 0`, a warp for each row, is `32*rows - 1 - i >= 0`.

    `N - 1 - 16*floor(i/32)`, a warp for each tile, is the same for floor((N - 1)/16) + 1 rows.
    """
    for atom in guard.atoms():
        if not isinstance(atom, Floor) or atom.denominator.integer is None:
            continue
        step = -(guard.coefficient(atom).integer or 0)
        rest = guard + step * Poly.of(atom)
        blocks = ZERO
        for symbol in sorted(symbols(rest)):
            if symbol.role is Role.THREAD:
                blocks = blocks + rest.coefficient(symbol) * Poly.of(symbol)
        limit, before = rest - blocks, blocks / step if step else blocks
        whole = all(isinstance(value, int) for value in before.terms.values())
        if step < 1 or not whole or limit.has_role(Role.THREAD):
            continue
        divisor = atom.denominator
        last = floor_divide(limit, Poly.of(step)) + before
        return divisor * last + divisor - 1 - atom.numerator
    return guard


def _guards(kernel: KernelIR) -> list[Poly]:
    found: dict[str, Poly] = {}
    for domain in kernel.domains():
        for piece in domain.pieces:
            for part in conditions_of(piece.condition):
                if isinstance(part, Compare) and part.relation is Relation.NONNEGATIVE:
                    found[part.key] = part.poly
    return list(found.values())


def _size(extent: Poly) -> float:
    values: Mapping[str, int] = {s.name: 1_000_003 for s in symbols(extent)}
    try:
        return float(evaluate(extent, values))
    except (LookupError, ZeroDivisionError):
        return 0.0


def _common(index: Poly) -> int:
    """What all coefficients of an index are multiples of."""
    numbers = [value for monomial, value in index.terms.items() if monomial]
    if not numbers or any(not isinstance(value, int) for value in index.terms.values()):
        return 1
    return gcd(*(int(value) for value in index.terms.values())) or 1


def _row_extent(kernel: KernelIR, outer: Symbol, *, leading: bool) -> Poly | None:
    """Blocks along an axis that keep an index inside its row; for the outermost index,
    whose end no stride shows, inside as many rows as a row is long.

    The latter only for rows that other axes go along: what one axis goes through alone, a thread
    or a block after the other, is no square.
    """
    found: list[Poly] = []
    variables = [s for poly in polys_of(kernel) for s in symbols(poly) if s.is_index]
    varies = varies_with(variables)
    for access in kernel.accesses:
        if access.array.space is not Space.GLOBAL or access.offset.has_role(Role.UNKNOWN):
            continue
        offset = access.offset / access.width
        strides = strides_of(offset, varies)
        shape = shape_of(strides) if strides else None
        if shape is None or len(shape.strides) < 2:
            continue
        indices = indices_in(offset, shape, varies)
        # Rows that nothing but every eighth of is used are in truth one row of eight times as many.
        extents = [
            extent * _common(outside)
            for outside, extent in zip(indices, shape.extents(), strict=False)
        ]
        pairs = list(zip(indices[1:], extents, strict=True))
        if leading:
            if Symbol(f"threadIdx.{outer.name[-1]}", Role.THREAD) not in symbols(indices[0]):
                continue  # a block for each, of which nobody says how many
            along = {s for index in indices[1:] for s in symbols(index) if s.role is Role.THREAD}
            if all(symbol.name[-1] == outer.name[-1] for symbol in along):
                continue
            pairs = [(indices[0], shape.strides[0])]
        for index, extent in pairs:
            step = index.coefficient(outer).integer
            grows = all(value > 0 for monomial, value in extent.terms.items() if monomial)
            if step is not None and step > 0 and extent.degree() == 1 and grows:
                found.append(floor_divide(extent, Poly.of(step)))
    return min(found, key=_size, default=None)
