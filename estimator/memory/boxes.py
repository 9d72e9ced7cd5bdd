"""Footprints that are boxes: each dimension a range of its own, counted without isl."""

from __future__ import annotations

from estimator.algebra.atoms import Symbol
from estimator.algebra.cases import Cases
from estimator.algebra.condition import Condition, Truth, conjunction, nonnegative
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.walk import condition_symbols, is_nonnegative, product, symbols
from estimator.count.peel import at_least
from estimator.immutable import immutable
from estimator.memory.delinearize import Shape
from estimator.memory.images import Image, box_bounds

SECTOR_BYTES = 32


@immutable(slots=False)
class Range:
    """Every `step`-th index from low to high, `width` units at each."""

    low: Poly
    high: Poly
    step: int
    width: int

    @property
    def points(self) -> Poly:
        return floor_divide(self.high - self.low, Poly.of(self.step)) + 1

    @property
    def is_contiguous(self) -> bool:
        return self.step <= self.width

    @property
    def units(self) -> Poly:
        """How many units the range touches."""
        if self.is_contiguous:
            return self.high - self.low + self.width
        return self.points * self.width


@immutable(slots=False)
class Box:
    """A product of ranges, outermost first, where `given` holds."""

    ranges: tuple[Range, ...]
    given: Condition

    def units(self) -> Cases:
        """The number of units in the box."""
        given = conjunction(self.given, *_overlapping_and_there(self.ranges[-1]))
        return _given(product([r.units for r in self.ranges]), given)

    def sectors(self, shape: Shape, unit_bytes: int) -> Cases | None:
        """The number of 32-byte sectors; None where the last range is no simple one."""
        flat = self.as_one_range(shape)
        if flat is None and not shape.is_aligned(unit_bytes, SECTOR_BYTES):
            return None
        last = self.ranges[-1] if flat is None else flat
        count = _sectors_of(last, unit_bytes)
        if count is None:
            return None
        given = conjunction(self.given, *_overlapping_and_there(self.ranges[-1]))
        if not _is_zero_if_empty(last, unit_bytes):
            given = conjunction(given, nonnegative(last.high - last.low))
        if flat is None:
            count = product([r.points for r in self.ranges[:-1]]) * count
        return _given(count, given)

    def as_one_range(self, shape: Shape) -> Range | None:
        """Whole rows, one after another, are one range."""
        inner = self.ranges[1:]
        for extent, each in zip(shape.extents(), inner, strict=True):
            if not (each.is_contiguous and each.low == ZERO):
                return None
            if each.high + each.width != extent:
                return None
        outer = self.ranges[0]
        if outer.step > outer.width:
            return None
        stride = shape.strides[0]
        return Range(outer.low * stride, (outer.high + outer.width) * stride - 1, 1, 1)


def _given(count: Poly, given: Condition) -> Cases:
    if isinstance(given, Truth):
        return Cases.of(count) if given.value else Cases(())
    return Cases(((given, count),))


def _sectors_of(each: Range, unit_bytes: int) -> Poly | None:
    """Sectors of a range, arrays and rows starting at a sector."""
    size = Poly.of(SECTOR_BYTES)
    if each.is_contiguous:
        first = each.low * unit_bytes
        last = (each.high + each.width) * unit_bytes - 1
        return floor_divide(last, size) - floor_divide(first, size) + 1
    stride = each.step * unit_bytes
    start = (each.low * unit_bytes).constant_term
    aligned = all(
        isinstance(c, int) and (c * unit_bytes) % SECTOR_BYTES == 0
        for monomial, c in each.low.terms.items()
        if monomial
    )
    if stride % SECTOR_BYTES or not aligned or not isinstance(start, int):
        return None
    inside = start % SECTOR_BYTES + each.width * unit_bytes
    return each.points * (-(-inside // SECTOR_BYTES))


def _overlapping_and_there(each: Range) -> list[Condition]:
    """That there is an element, where the formula for elements that overlap needs it said."""
    if not each.is_contiguous or each.width == each.step:
        return []
    return [nonnegative(each.high - each.low)]


def _is_zero_if_empty(each: Range, unit_bytes: int) -> bool:
    """Whether the formula for sectors is 0 where a range without gaps has no element."""
    if not each.is_contiguous:
        return True
    starts = each.low * unit_bytes / SECTOR_BYTES
    surely_some = is_nonnegative(each.high - each.low)
    return surely_some or all(isinstance(c, int) for c in starts.terms.values())


def box_of(image: Image) -> Box | None:
    """The image as a box; None if it is none, or not seen to be."""
    space = image.space
    bounds = box_bounds(space)
    variables = set(space.variables)
    if set(bounds) != variables:
        return None
    given: Condition = conjunction()
    for part in space.parts:
        indices = condition_symbols(part) & variables
        if len(indices) > 1:
            return None
        if not indices:
            given = conjunction(given, part)
    ranges: list[Range] = []
    used: set[Symbol] = set()
    for n, index in enumerate(image.indices):
        width = image.units if n == len(image.indices) - 1 else 1
        one = _range(index, variables, bounds, width)
        if one is None or used & one[1]:
            return None
        used |= one[1]
        ranges.append(one[0])
    for variable in space.variables:
        low, high = bounds[variable]
        extent = high - low + 1
        floor_of = extent if variable in used else extent - 1
        if not is_nonnegative(floor_of) and not at_least(floor_of, ZERO):
            given = conjunction(given, nonnegative(floor_of))
    return Box(tuple(ranges), given)


def _range(
    index: Poly, variables: set[Symbol], bounds: dict[Symbol, tuple[Poly, Poly]], width: int
) -> tuple[Range, set[Symbol]] | None:
    """The range of one dimension: a variable times a number, plus something fixed.

    Several variables make one range where each steps over the whole of those before it.
    """
    terms: list[tuple[int, Symbol]] = []
    fixed = index
    for variable in symbols(index) & variables:
        slope = index.coefficient(variable).integer
        if slope is None or slope == 0:
            return None
        terms.append((slope, variable))
        fixed = fixed - Poly.of(variable) * slope
    if symbols(fixed) & variables:
        return None
    if not terms:
        return Range(fixed, fixed, 1, width), set()
    terms.sort(key=lambda term: abs(term[0]))
    low = high = fixed
    step = abs(terms[0][0])
    reach: Poly = Poly.of(step)
    for n, (slope, variable) in enumerate(terms):
        below, above = bounds[variable]
        if n and reach != Poly.of(abs(slope)):
            return None
        reach = (above - below + 1) * abs(slope)
        ends = (below * slope, above * slope)
        low = low + (ends[0] if slope > 0 else ends[1])
        high = high + (ends[1] if slope > 0 else ends[0])
    return Range(low, high, step, width), {variable for _, variable in terms}


def joined(boxes: list[Box]) -> list[Box]:
    """Boxes that are one box shifted along its last range, without gaps, as a single one."""
    groups: dict[tuple[object, ...], list[Box]] = {}
    for box in boxes:
        last = box.ranges[-1]
        shape = (last.step, last.width, last.high - last.low)
        start = last.low - last.low.constant_term
        key = (box.ranges[:-1], box.given, shape, start)
        groups.setdefault(key, []).append(box)
    return [box for group in groups.values() for box in _joined_group(group)]


def _joined_group(group: list[Box]) -> list[Box]:
    """Ranges of one length at different places: each joins the one that it touches."""
    if len(group) == 1 or not group[0].ranges[-1].is_contiguous:
        return group
    ordered = sorted(group, key=lambda box: box.ranges[-1].low.constant_term)
    found = [ordered[0]]
    for before, box in zip(ordered, ordered[1:], strict=False):
        last, here = found[-1].ranges[-1], box.ranges[-1]
        shift = here.low - last.high
        gap = (here.low - before.ranges[-1].low).constant_term
        if gap > here.width and (shift.constant is None or shift.constant > here.width):
            found.append(box)
            continue
        # Neighbours: together they are one range, unless both are empty.
        given = conjunction(box.given, nonnegative(here.high - here.low))
        whole = Range(last.low, here.high, here.step, here.width)
        found[-1] = Box((*box.ranges[:-1], whole), given)
    return found
