"""Rows that run over one another: `i + c*stride`, with more values of i than a stride.

Each row starts inside the one before it, so together they are one range without gaps.
"""

from __future__ import annotations

from estimator.algebra.cases import Sum
from estimator.algebra.condition import Condition, conjunction, negate, nonnegative
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.walk import condition_symbols, is_nonnegative, symbols
from estimator.count.cardinality import budget, read_set
from estimator.count.isl_text import NotAffineError, Translator
from estimator.count.peel import at_least
from estimator.immutable import immutable
from estimator.memory.boxes import SECTOR_BYTES, Box, Range, joined
from estimator.memory.delinearize import Shape
from estimator.memory.images import Image, box_bounds
from estimator.memory.unknown_footprint import Footprint

_FLAT = Shape((Poly.of(1),))


@immutable(slots=False)
class Overlapping:
    """The footprint of one range, right where rows overlap: where `given` holds."""

    footprint: Footprint
    given: Condition


def overlapping(images: list[Image], unit: int) -> Overlapping | None:
    """The range that images make whose rows overlap; None where they are not seen to make one.

    `images` have one index each, the offset, in units of `unit` bytes.
    """
    found = one_range(images)
    return None if found is None else Overlapping(footprint_of(found[0], unit), found[1])


def one_range(images: list[Image]) -> tuple[Box, Condition] | None:
    """The range that images make together, and the sizes for which it has no gaps."""
    boxes: list[Box] = []
    given: Condition = conjunction()
    for image in images:
        found = _range_of(image)
        if found is None:
            return None
        boxes.append(found[0])
        given = conjunction(given, found[1])
    whole = joined(list(dict.fromkeys(boxes)))
    return (whole[0], given) if len(whole) == 1 else None


def footprint_of(box: Box, unit: int) -> Footprint:
    """The footprint of one range of units of `unit` bytes."""
    units, sectors = box.units(), box.sectors(_FLAT, unit)
    assert sectors is not None  # of a range without gaps
    bytes_ = units.scale(Poly.of(unit))
    sector_bytes = sectors.scale(Poly.of(SECTOR_BYTES))
    return Footprint(Sum((bytes_,)), Sum((sector_bytes,)))


def _range_of(image: Image) -> tuple[Box, Condition] | None:
    """An image as a range, and the sizes for which it has no gaps."""
    bounds = box_bounds(image.space)
    variables = set(image.space.variables)
    (offset,) = image.indices
    if set(bounds) != variables:
        return None
    there: Condition = conjunction()
    for part in image.space.parts:
        indices = condition_symbols(part) & variables
        if len(indices) > 1:
            return None
        if not indices:
            there = conjunction(there, part)
    steps: list[tuple[Poly, Poly]] = []  # by how much an index steps, and how often
    low = offset
    for variable in image.space.variables:
        below, above = bounds[variable]
        there = conjunction(there, nonnegative(above - below))
        powers = offset.collect(variable)
        step = powers.get(1, ZERO)
        if set(powers) - {0, 1} or symbols(step) & variables:
            return None
        if not step:
            continue
        up = is_nonnegative(step)
        if not up and not is_nonnegative(-step):
            return None
        low = low.replace({variable: below if up else above})
        steps.append((step if up else -step, above - below))
    if symbols(low) & variables:
        return None
    # Numbers before sizes, and sizes before their products.
    steps.sort(key=lambda one: (one[0].degree(), one[0].integer or 0, one[0].key))
    given: Condition = conjunction()
    length = Poly.of(image.units)
    for step, times in steps:
        if not at_least(length, step):
            given = conjunction(given, nonnegative(length - step))
        length = length + step * times
    return Box((Range(low, low + length - 1, 1, 1),), there), given


def leaves_none(*conditions: Condition) -> bool:
    """Whether one of the conditions holds at all sizes, as far as sets can say."""
    translator = Translator(())
    try:
        others = [translator.condition(negate(one)) for one in conditions]
    except NotAffineError:
        return False
    others += [f"{name} >= 0" for name in translator.parameters.values()]
    none = " and ".join(others)
    with budget():
        return bool(read_set(f"{translator.header()}{{ : {none} }}").is_empty())
