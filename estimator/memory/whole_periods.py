"""Indices that repeat as one number grows: `c = (i / HW) % C` of a tensor in NCHW.

What is touched while i runs over [0, N) is what is touched over the first period of C*HW, if N
covers one; below that nothing repeats. The two cases are counted apart.
"""

from __future__ import annotations

from estimator.algebra.atoms import Atom, Floor, Symbol
from estimator.algebra.condition import Compare, Condition, Relation, conjunction, nonnegative
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import condition_symbols, is_nonnegative, substitute, symbols
from estimator.count.peel import at_least
from estimator.count.threads import IndexSpace
from estimator.immutable import immutable


@immutable()
class Period:
    """An index of a space that repeats with `variable`, which runs from 0 on below all `ends`."""

    variable: Symbol
    length: Poly
    ends: tuple[Poly, ...]

    @property
    def covered(self) -> Condition:
        """That the variable runs over a whole period."""
        return conjunction(*(nonnegative(end - self.length) for end in self.ends))


def period_of(space: IndexSpace) -> Period | None:
    """The period of a space's only polynomial, an index before it is taken apart."""
    (index,) = space.polys
    variables = set(space.variables)
    for variable, length in filter(None, map(_divided, sorted(_floors(index)))):
        if variable not in variables or length.integer is not None or symbols(length) & variables:
            continue
        later = substitute(index, {variable: Poly.of(variable) + length})
        ends = _ends(space, variable)
        if later == index and ends:
            return Period(variable, length, ends)
    return None


def _floors(index: Poly) -> list[Floor]:
    return [atom for atom in index.atoms() if isinstance(atom, Floor)]


def _divided(atom: Floor) -> tuple[Symbol, Poly] | None:
    """v and d of ⌊v/d⌋, and of ⌊⌊v/a⌋/b⌋ with d = a*b."""
    inner = atom.numerator.atom
    if isinstance(inner, Symbol):
        return inner, atom.denominator
    below = _divided(inner) if isinstance(inner, Floor) else None
    return None if below is None else (below[0], below[1] * atom.denominator)


def _ends(space: IndexSpace, variable: Symbol) -> tuple[Poly, ...]:
    """What the variable stays below, without ends that others imply; empty if there is more."""
    extent = space.extents.get(variable)
    found = [] if extent is None else [extent]
    for part in space.parts:
        if variable not in condition_symbols(part):
            continue
        if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
            return ()
        if part.poly == Poly.of(variable):
            continue
        end = part.poly + Poly.of(variable) + 1
        if symbols(end) & set(space.variables):
            return ()
        found.append(end)
    kept: list[Poly] = []
    for n, end in enumerate(found):
        others = [*kept, *found[n + 1 :]]
        if not any(at_least(end, other) for other in others):
            kept.append(end)
    return tuple(kept)


def restrict_to(space: IndexSpace, period: Period, *, covered: bool) -> None:
    """Let the variable run over one period, if that is `covered`, else over less than one."""
    variable = period.variable
    wraps: dict[Atom, Poly] = {
        atom: ZERO
        for atom in _floors(space.polys[0])
        if _divided(atom) == (variable, period.length)
    }
    space.polys = [substitute(poly, wraps) for poly in space.polys]
    if covered:
        space.parts = [part for part in space.parts if variable not in condition_symbols(part)]
        space.extents[variable] = period.length
    elif space.extents.get(variable) not in period.ends:
        space.extents[variable] = None  # a condition keeps it lower


def drop_inner_digits(space: IndexSpace) -> None:
    """Put digits at 0 that the index does not name and that conditions only keep low.

    `HW*q + r < N` has an r for a q just if it holds for r = 0.
    """
    for variable in list(space.variables):
        mine = [part for part in space.parts if variable in condition_symbols(part)]
        if not variable.name.rpartition("%")[1] or not mine:
            continue
        if any(variable in symbols(poly) for poly in space.polys):
            continue
        if all(_only_from_above(part, variable) for part in mine):
            space.replace(variable, ZERO)
            space.variables.remove(variable)
            space.extents.pop(variable, None)
    space.parts = [_divided_by_step(part, set(space.variables)) for part in space.parts]


def _divided_by_step(part: Condition, variables: set[Symbol]) -> Condition:
    """`HW*q <= last` as q <= ⌊last/HW⌋, which is linear."""
    inside = condition_symbols(part) & variables
    if len(inside) != 1 or not isinstance(part, Compare):
        return part
    (variable,) = inside
    powers = part.poly.collect(variable)
    step, last = -powers.get(1, ZERO), powers.get(0, ZERO)
    if part.relation is not Relation.NONNEGATIVE or set(powers) - {0, 1}:
        return part
    if step.integer is not None or not is_nonnegative(step) or symbols(step) & variables:
        return part
    if variable in symbols(last):
        return part
    return nonnegative(floor_divide(last, step) - Poly.of(variable))


def _only_from_above(part: Condition, variable: Symbol) -> bool:
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return False
    rest = part.poly + Poly.of(variable)
    return part.poly.coefficient(variable) == -ONE and variable not in symbols(rest)
