"""Blocks and threads as one index an axis, and loops that stride over the whole grid.

`blockIdx.x*blockDim.x + threadIdx.x` is one number between 0 and the number of threads along
x: where a domain speaks of the two only so, one variable takes their place. A counter that
steps by that number of threads joins them: `i + k*threads` is again one number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.condition import Compare, Condition, Relation, nonnegative
from estimator.algebra.poly import Poly
from estimator.algebra.walk import (
    condition_polys,
    condition_symbols,
    substitute,
    substitute_condition,
    symbols,
)
from estimator.ir.kernel import LaunchShape

AXES = "xyz"
# Indices that number one thing through are counted apart up to this many.
_MOST_APART = 3
Bounds = dict[Symbol, tuple[Poly, Poly]]


@dataclass
class IndexSpace:
    """A domain's variables with their ranges, its conditions, and the images asked for.

    `polys` (offsets of accesses) are rewritten along with the conditions. `extents` gives
    the range 0 ≤ v < extent of a variable; None: bounded by the conditions alone.
    """

    launch: LaunchShape
    variables: list[Symbol]
    extents: dict[Symbol, Poly | None]
    parts: list[Condition]
    polys: list[Poly] = field(default_factory=list)
    # The extents along the axes that the domain does not mention.
    unmentioned: list[Poly] = field(default_factory=list)
    # The bounds found for the variables, good for these very `parts`.
    bounds: tuple[list[Condition], Bounds] | None = field(default=None, init=False, compare=False)

    def replace(self, symbol: Symbol, value: Poly, *gone: Symbol) -> bool:
        """Substitute in all conditions and polynomials, if they hold none of `gone` then.

        Returns whether it was done.
        """
        values: dict[Atom, Poly] = {symbol: value}
        parts, polys = list(self.parts), list(self.polys)
        for n, part in enumerate(parts):
            if symbol in condition_symbols(part):
                parts[n] = substitute_condition(part, values)
            if not condition_symbols(parts[n]).isdisjoint(gone):
                return False
        for n, poly in enumerate(polys):
            if symbol in symbols(poly):
                polys[n] = substitute(poly, values)
            if not symbols(polys[n]).isdisjoint(gone):
                return False
        self.parts, self.polys = parts, polys
        return True

    def ranges(self) -> list[Condition]:
        """The ranges of the variables as conditions."""
        conditions: list[Condition] = []
        for variable in self.variables:
            conditions.append(Compare(Poly.of(variable), Relation.NONNEGATIVE))
            extent = self.extents.get(variable)
            if extent is not None:
                conditions.append(nonnegative(extent - Poly.of(variable) - 1))
        return conditions


@cache
def _index(name: str) -> Symbol:
    return Symbol(name, Role.THREAD)


def thread_symbols(launch: LaunchShape) -> list[tuple[Symbol, Poly]]:
    """blockIdx.* and threadIdx.* with their extents, outermost first."""
    found: list[tuple[Symbol, Poly]] = []
    for name, extents in (("blockIdx", launch.grid), ("threadIdx", launch.block)):
        for axis, extent in reversed(list(zip(AXES, extents, strict=True))):
            found.append((_index(f"{name}.{axis}"), extent))
    return found


def index_space(
    launch: LaunchShape,
    counters: tuple[Symbol, ...],
    parts: list[Condition],
    polys: list[Poly] | None = None,
) -> tuple[IndexSpace, Poly]:
    """The space of a domain, and the number of threads along the axes it does not mention."""
    space = IndexSpace(launch, [], {}, parts, polys or [])
    unmentioned = Poly.of(1)
    used = set().union(*(condition_symbols(part) for part in parts)) if parts else set()
    for poly in space.polys:
        used |= symbols(poly)
    for symbol, extent in thread_symbols(launch):
        if symbol in used:
            space.variables.append(symbol)
            space.extents[symbol] = extent
        else:
            unmentioned = unmentioned * extent
            space.unmentioned.append(extent)
    space.variables.extend(counters)
    space.extents.update(dict.fromkeys(counters))
    for axis, (block, grid) in enumerate(zip(launch.block, launch.grid, strict=True)):
        _merge_axis(space, AXES[axis], block, grid)
    _merge_across(space)
    for counter in counters:
        _merge_counter(space, counter)
    return space, unmentioned


def _merge_axis(space: IndexSpace, axis: str, block: Poly, grid: Poly) -> None:
    """One index for blockIdx and threadIdx along an axis, where the domain allows it."""
    inner, outer = _index(f"threadIdx.{axis}"), _index(f"blockIdx.{axis}")
    if inner not in space.variables or outer not in space.variables:
        return
    flat = _index(f"global.{axis}")
    if not space.replace(inner, Poly.of(flat) - block * Poly.of(outer), outer):
        return
    space.variables.remove(inner)
    space.variables[space.variables.index(outer)] = flat
    space.extents[flat] = block * grid


def _merge_across(space: IndexSpace) -> None:
    """One index for threads or blocks along several axes that are numbered through:
    `blockIdx.x + blockIdx.y*gridDim.x` for a grid of no known size, which sets cannot say."""
    again = True
    while again:
        again = any(
            _merge_pair(space, inner, outer)
            for outer in space.variables
            for inner in space.variables
            if inner is not outer and _steps_over(space, inner, outer)
        )


def _steps_over(space: IndexSpace, inner: Symbol, outer: Symbol) -> bool:
    """Whether something speaks of `inner + extent*outer`.

    Where the extent is a number sets can say it too, but for many indices that takes long.
    """
    extent = space.extents[inner]
    if extent is None or space.extents[outer] is None:
        return False
    if extent.integer is not None and len(space.variables) <= _MOST_APART:
        return False
    for poly in (*space.polys, *(p for part in space.parts for p in condition_polys(part))):
        step = poly.terms.get(((inner, 1),))
        if step is not None and poly.coefficient(outer) == extent * step:
            return True
    return False


def _merge_pair(space: IndexSpace, inner: Symbol, outer: Symbol) -> bool:
    extent, others = space.extents[inner], space.extents[outer]
    assert extent is not None
    assert others is not None
    flat = Symbol(f"{inner.name}+{outer.name}", Role.THREAD)
    if not space.replace(inner, Poly.of(flat) - extent * Poly.of(outer), outer):
        return False
    space.variables.remove(inner)
    space.variables[space.variables.index(outer)] = flat
    space.extents[flat] = extent * others
    return True


def _merge_counter(space: IndexSpace, counter: Symbol) -> None:
    """One index for v + k*extent(v), k being the counter of a grid- or block-stride loop."""
    k = Poly.of(counter)
    started = nonnegative(k)
    for variable in space.variables:
        extent = space.extents.get(variable)
        if extent is None or variable == counter:
            continue
        rest = [part for part in space.parts if part != started]
        if not any(
            counter in condition_symbols(p) and variable in condition_symbols(p) for p in rest
        ):
            continue
        flat = Symbol(f"{variable.name}+{counter.name}", Role.COUNTER)
        trial = IndexSpace(space.launch, [], {}, rest, space.polys)
        if not trial.replace(variable, Poly.of(flat) - extent * k, counter, variable):
            continue
        space.parts, space.polys = trial.parts, trial.polys
        space.variables.remove(counter)
        space.variables[space.variables.index(variable)] = flat
        space.extents[flat] = None
        return
