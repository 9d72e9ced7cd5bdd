"""Footprints of rows that lie one behind the other, each as long as its number says.

Packed triangles are stored like this: row i of a lower one starts at i(i + 1)/2 and has i + 1
elements. That the next row starts where this one ends, or behind, is an identity of polynomials.
"""

from __future__ import annotations

from itertools import permutations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.cases import Sum
from estimator.algebra.condition import (
    Compare,
    Condition,
    Relation,
    conjunction,
    nonnegative,
)
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import condition_symbols, symbols
from estimator.count.domains import DomainCounter
from estimator.count.implied import without_implied_bounds
from estimator.count.peel import at_least, bounds_among
from estimator.count.power_sums import count_by_index, is_length
from estimator.count.shares import parts_of
from estimator.count.threads import IndexSpace, index_space
from estimator.immutable import immutable
from estimator.ir.kernel import Access, ArrayObject
from estimator.memory.boxes import SECTOR_BYTES, Box, Range
from estimator.memory.chances import UnsayableError
from estimator.memory.delinearize import Shape
from estimator.memory.unknown_footprint import Footprint, unknown_sectors


@immutable()
class _Rows:
    """Row `row` has `length` units from `start` on, for low <= row <= high."""

    row: Symbol
    low: Poly
    high: Poly
    start: Poly
    length: Poly

    @property
    def gap(self) -> Poly:
        """What lies between the end of a row and the start of the next one."""
        following = self.start.replace({self.row: Poly.of(self.row) + 1})
        return following - self.start - self.length


def packed(
    counter: DomainCounter, array: ArrayObject, accesses: list[Access], unit: int, verb: str
) -> Footprint:
    """The footprint of one access whose rows do not meet. Raises UnsayableError."""
    access = _only(array, accesses, unit)
    parts = parts_of(access.domain.pieces[0].condition)
    space, unmentioned = index_space(
        counter.kernel.launch, access.domain.counters, parts, [access.offset / unit]
    )
    conditions = without_implied_bounds([*space.ranges(), *space.parts])
    indices = set(space.variables)
    of_sizes = [part for part in conditions if condition_symbols(part).isdisjoint(indices)]
    conditions = [part for part in conditions if part not in of_sizes]
    rows = _rows(space, conditions) if unmentioned == ONE else None
    if rows is None:
        raise UnsayableError
    if rows.gap == ZERO:
        found = _one_range(rows, unit)
    else:
        some = at_least(rows.gap, ZERO)
        units = count_by_index(tuple(space.variables), tuple(conditions)) if some else None
        if units is None:
            raise UnsayableError
        sectors = unknown_sectors(counter.kernel, array, accesses, verb)
        found = Footprint(Sum((units,)).scale(Poly.of(unit)), sectors)
    given = conjunction(*of_sizes)
    return Footprint(found.bytes.where(given), found.sector_bytes.where(given))


def _only(array: ArrayObject, accesses: list[Access], unit: int) -> Access:
    """The one access that all are like. Raises UnsayableError."""
    first = accesses[0]
    pieces = first.domain.pieces
    alike = all(
        (access.domain.counters, access.domain.pieces) == (first.domain.counters, pieces)
        and (access.offset, access.width) == (first.offset, unit)
        for access in accesses
    )
    certain = len(pieces) == 1 and pieces[0].weight == ONE
    if not alike or not certain or array.indirect:
        raise UnsayableError
    if first.offset.has_role(Role.UNKNOWN, Role.PROBE):
        raise UnsayableError
    return first


def _rows(space: IndexSpace, conditions: list[Condition]) -> _Rows | None:
    """The rows that a space of two indices is made of; None if it has none."""
    (index,) = space.polys
    for row, column in permutations(space.variables, 2) if len(space.variables) == 2 else ():
        slope = index.coefficient(column).integer
        fixed = index - Poly.of(column) * (slope or 0)
        across = [part for part in conditions if column in condition_symbols(part)]
        along = [part for part in conditions if column not in condition_symbols(part)]
        rows = bounds_among(row, along, {row, column})
        if slope not in (1, -1) or column in symbols(fixed) or rows is None:
            continue
        columns = bounds_among(column, _tighter(across, row, rows), {row, column})
        if columns is None:
            continue
        length = columns[1] - columns[0] + 1
        if not is_length(length, along):
            # Only rows with elements count: j <= i says j < n for i < n.
            along = without_implied_bounds([*along, nonnegative(length - 1)])
            rows = bounds_among(row, along, {row, column})
        if rows is not None:
            start = fixed + columns[0] if slope == 1 else fixed - columns[1]
            return _Rows(row, *rows, start, length)
    return None


def _tighter(parts: list[Condition], row: Symbol, rows: tuple[Poly, Poly]) -> list[Condition]:
    """The bounds of a column that no other one implies in any row: j < i says j < n for i < n."""

    def implies(tight: Condition, loose: Condition) -> bool:
        if not (isinstance(tight, Compare) and isinstance(loose, Compare)):
            return False
        if {tight.relation, loose.relation} != {Relation.NONNEGATIVE}:
            return False
        over = loose.poly - tight.poly
        slope = over.coefficient(row).integer
        if not slope:
            return False
        return at_least(over.replace({row: rows[0 if slope > 0 else 1]}), ZERO)

    return [part for part in parts if not any(implies(other, part) for other in parts)]


def _one_range(rows: _Rows, unit: int) -> Footprint:
    """Rows without gaps are one range."""
    start = rows.start.replace({rows.row: rows.low})
    end = (rows.start + rows.length).replace({rows.row: rows.high})
    some = nonnegative(rows.high - rows.low)
    box = Box((Range(start, end - 1, 1, 1),), some)
    sectors = box.sectors(Shape((ONE,)), unit)
    if sectors is None:
        raise UnsayableError
    return Footprint(
        Sum((box.units(),)).scale(Poly.of(unit)), Sum((sectors,)).scale(Poly.of(SECTOR_BYTES))
    )
