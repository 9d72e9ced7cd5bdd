"""How many bytes of an array are touched at all: each distinct element once.

The footprint is the union of the images of the accesses' domains. Boxes are counted
directly, everything else by isl; what neither can say is an unknown with bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from estimator.algebra.atoms import Floor, Role
from estimator.algebra.cases import Sum
from estimator.algebra.condition import TRUE, Condition, conjunction, negate, nonnegative
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.printing import HUMAN, text
from estimator.count.cardinality import TooComplexError
from estimator.count.domains import DomainCounter
from estimator.count.isl_text import NotAffineError
from estimator.count.radix import split_digits
from estimator.count.sampling import MOST_FACTORS
from estimator.count.shares import parts_of
from estimator.count.threads import IndexSpace, index_space
from estimator.ir.kernel import Access, ArrayObject, KernelIR, Piece, Space
from estimator.memory.boxes import SECTOR_BYTES, box_of, joined
from estimator.memory.chances import UnsayableError, expected_units, share_of, united
from estimator.memory.delinearize import Shape
from estimator.memory.first_round import first_round
from estimator.memory.images import Image, drop_unsayable
from estimator.memory.injective import injective
from estimator.memory.overlapping import leaves_none, overlapping
from estimator.memory.packed import packed
from estimator.memory.partly_known import bounds_of
from estimator.memory.periodic import unrolled
from estimator.memory.shapes import Shaped, shaped
from estimator.memory.touched import Touched
from estimator.memory.unit import unit_bytes
from estimator.memory.unknown_footprint import Footprint, unknown_footprint, unknown_sectors
from estimator.memory.whole_periods import drop_inner_digits, period_of, restrict_to
from estimator.source.position import Position

# The shapes found for arrays, by the array's name and place and the verb, with the unit in bytes.
ShapeKey = tuple[str, Position, str]
Shapes = dict[ShapeKey, tuple[Shaped, int]]

# Arrays that are accessed alike, as c[i] = a[i] + b[i] does, are placed and counted once.
Pattern = tuple[bool, int, bool | None, tuple[tuple[object, ...], ...]]


class Counted(NamedTuple):
    """What images touch, and whether sectors are counted row by row."""

    units: Sum
    sectors: Sum
    by_rows: bool


@dataclass
class Placed:
    """A pattern's images, `flat` and in their shape, where a grid is `running`, and what they
    touch."""

    flat: list[Image]
    shaped: Shaped
    running: Condition
    counted: Counted | None = None


@dataclass
class Notes:
    """What footprints take for granted, as codes and messages.

    Messages are for sizes at which what is `given` holds. `shapes` are found, and at given sizes
    they are `known`; of arrays that are `alike` in name and place nobody knows whose they are.
    """

    found: dict[str, set[str]] = field(default_factory=dict)
    given: dict[str, Condition] = field(default_factory=dict)
    wishes: list[Condition] = field(default_factory=list)
    shapes: Shapes = field(default_factory=dict)
    known: Shapes = field(default_factory=dict)
    alike: set[ShapeKey] = field(default_factory=set)
    patterns: dict[Pattern, Placed] = field(default_factory=dict)

    def add(self, code: str, message: str) -> None:
        """Note an assumption."""
        self.found.setdefault(code, set()).add(message)

    def keep_shape(self, key: ShapeKey, shape: Shaped, unit: int) -> None:
        """Keep the shape of an array, unless another one is like it."""
        if key in self.shapes or key in self.alike:
            self.alike.add(key)
            self.shapes.pop(key, None)
        else:
            self.shapes[key] = shape, unit


def footprint(
    counter: DomainCounter, array: ArrayObject, accesses: list[Access], verb: str, notes: Notes
) -> Footprint:
    """The footprint of accesses to one array; `verb` is "read" or "written"."""
    unit = unit_bytes(accesses)
    known = notes.known.get((array.name, array.position, verb))
    if known is not None:
        try:
            found, width = known
            counted = _count(found.images, found.shape, width)
            _note_rows(counted, found.shape, width, array, notes)
            sector_bytes = counted.sectors.scale(Poly.of(SECTOR_BYTES))
            return Footprint(counted.units.scale(Poly.of(width)), sector_bytes)
        except (UnsayableError, NotAffineError, TooComplexError):
            pass
    for count in (_exact, _periodic):
        try:
            return count(counter, array, accesses, unit, verb, notes)
        except (UnsayableError, NotAffineError, TooComplexError):
            pass
    try:
        return packed(counter, array, accesses, unit, verb)
    except UnsayableError:
        pass

    def exact(some: list[Access]) -> Footprint | None:
        inside = Notes()
        found = _exact(counter, array, some, unit, verb, inside)
        return None if inside.wishes else found

    most, least = bounds_of(counter.kernel, accesses, exact)
    above = None if most is None else most.bytes.scale(ONE / unit)
    return unknown_footprint(counter, array, accesses, unit, verb, above, least)


def _exact(
    counter: DomainCounter,
    array: ArrayObject,
    accesses: list[Access],
    unit: int,
    verb: str,
    notes: Notes,
    covered: bool | None = None,
) -> Footprint:
    """Raises UnsayableError. Indices that repeat are `covered` in a whole period, or in less."""
    if array.indirect or any(a.offset.has_role(Role.UNKNOWN, Role.PROBE) for a in accesses):
        raise UnsayableError
    placed = _placed(counter.kernel, array, accesses, unit, notes, covered)
    found, running = placed.shaped, placed.running
    images, shape, given = found.images, found.shape, found.given
    certain = all(image.weight == ONE and not image.relaxed for image in images)
    if given != TRUE and covered is None:
        first = first_round(counter.kernel, accesses, unit)
        if first is not None:
            return first
    if certain:
        notes.keep_shape((array.name, array.position, verb), found.where(running), unit)
    dense = overlapping(placed.flat, unit) if given != TRUE and certain else None
    by_launch = any(stride.has_role(Role.LAUNCH) for stride in shape.strides)
    if given != TRUE and not (dense and by_launch):  # sizes of launches are the smaller ones
        _note_apart(found, array, notes)
    exact: Footprint | None
    if any(image.relaxed for image in images):
        if covered is not None:
            raise UnsayableError  # its accesses would be counted, not what they repeat
        exact = injective(counter, array, accesses, unit, verb, images)
    else:
        exact = _counted(counter, array, accesses, unit, verb, placed, notes)
    if exact is None:
        most = _count(images, shape, unit)[0] if given == TRUE else None
        return unknown_footprint(counter, array, accesses, unit, verb, most=most)
    if given == TRUE:
        return exact
    if dense is not None and leaves_none(given, dense.given):
        return _one_or_other(given, exact, dense.footprint)
    # For other sizes rows overlap, and nobody knows how.
    open_ = unknown_footprint(counter, array, accesses, unit, verb)
    if dense is not None:
        open_ = _one_or_other(dense.given, dense.footprint, open_)
    return _one_or_other(given, exact, open_)


def _periodic(
    counter: DomainCounter,
    array: ArrayObject,
    accesses: list[Access],
    unit: int,
    verb: str,
    notes: Notes,
) -> Footprint:
    """The footprint of indices that repeat: that of a period, or of less where none is covered."""
    periods = [
        period
        for access in accesses
        for piece in access.domain.pieces
        if (period := period_of(_space(counter.kernel, access, piece, unit))) is not None
    ]
    given = {period.covered for period in periods}
    if len(given) != 1 or any(p.length.degree() > MOST_FACTORS for p in periods):
        raise UnsayableError
    if any(piece.weight != ONE for access in accesses for piece in access.domain.pieces):
        raise UnsayableError  # what one round leaves out another may touch
    (covered,) = given
    # A shape would be that of one case only, so it is not kept.
    inside = Notes(patterns=notes.patterns)
    whole = _exact(counter, array, accesses, unit, verb, inside, covered=True)
    part = _exact(counter, array, accesses, unit, verb, inside, covered=False)
    for code, messages in inside.found.items():
        notes.found.setdefault(code, set()).update(messages)
    notes.given.update(inside.given)
    notes.wishes += [*inside.wishes, covered]
    return _one_or_other(covered, whole, part)


def _one_or_other(given: Condition, one: Footprint, other: Footprint) -> Footprint:
    """One footprint where a condition holds, another elsewhere."""
    return Footprint(
        _either(given, one.bytes, other.bytes),
        _either(given, one.sector_bytes, other.sector_bytes),
    )


def _either(given: Condition, exact: Sum, otherwise: Sum) -> Sum:
    return exact.where(given) + otherwise.where(negate(given))


# -- images ----------------------------------------------------------------------------------


def _placed(
    kernel: KernelIR,
    array: ArrayObject,
    accesses: list[Access],
    unit: int,
    notes: Notes,
    covered: bool | None,
) -> Placed:
    """The images of accesses in their shape. Raises UnsayableError if they have none."""
    # Rows of texels are apart by the texture's own width.
    apart = array.space is Space.TEXTURE
    pieces = tuple(
        (access.domain.counters, piece.condition.key, piece.weight, access.offset, access.width)
        for access in accesses
        for piece in access.domain.pieces
    )
    placed = notes.patterns.get((apart, unit, covered, pieces))
    if placed is None:
        unplaced, running = _running(_images(kernel, accesses, unit, covered))
        found = shaped(unplaced, apart=apart)
        if found is None:
            raise UnsayableError
        placed = notes.patterns[apart, unit, covered, pieces] = Placed(unplaced, found, running)
    return placed


def _space(kernel: KernelIR, access: Access, piece: Piece, unit: int) -> IndexSpace:
    counters, parts = access.domain.counters, parts_of(piece.condition)
    return index_space(kernel.launch, counters, parts, [access.offset / unit])[0]


def _images(
    kernel: KernelIR, accesses: list[Access], unit: int, covered: bool | None
) -> list[Image]:
    """The images of all accesses, equal ones once; indices not yet brought into a shape."""
    found: dict[tuple[str, Poly], list[Image]] = {}
    for access in accesses:
        for piece in access.domain.pieces:
            weight = share_of(piece.weight)
            offset = access.offset / unit
            key = f"{piece.condition.key}|{offset.key}|{access.width}"
            if (key, weight) in found:
                continue
            space = _space(kernel, access, piece, unit)
            period = period_of(space) if covered is not None else None
            if period is not None:
                restrict_to(space, period, covered=covered is True)
            split_digits(space)
            if period is not None:
                drop_inner_digits(space)
            relaxed = drop_unsayable(space)
            image = Image(space, (space.polys[0],), access.width // unit, weight, relaxed, key)
            found[key, weight] = unrolled(image)
    return _without_doubles([image for images in found.values() for image in images])


def _running(images: list[Image]) -> tuple[list[Image], Condition]:
    """The images, and the condition that a grid has threads along the axes that none mentions.

    What only some of them need is among their own conditions.
    """
    needed = [
        {c: None for extent in image.space.unmentioned if (c := _some(extent)) != TRUE}
        for image in images
    ]
    shared = [c for c in needed[0] if all(c in other for other in needed)] if needed else []
    for image, conditions in zip(images, needed, strict=True):
        image.space.parts = [*image.space.parts, *(c for c in conditions if c not in shared)]
    return images, conjunction(*shared)


def _some(extent: Poly) -> Condition:
    """That an extent is at least 1; said of N for ⌈N/256⌉."""
    atom = extent.atom
    if isinstance(atom, Floor):
        return nonnegative(atom.numerator - atom.denominator)
    return nonnegative(extent - 1)


def _without_doubles(images: list[Image]) -> list[Image]:
    """What is touched for certain is not touched perhaps as well."""
    certain = {image.key for image in images if image.weight == ONE}
    return [image for image in images if image.weight == ONE or image.key not in certain]


# -- counting --------------------------------------------------------------------------------


def _count(images: list[Image], shape: Shape, unit: int) -> Counted:
    """Units and sectors in the union of images."""
    if not images:
        return Counted(Sum(), Sum(), by_rows=False)
    boxes = [box_of(image) for image in images]
    distinct = joined([box for box in dict.fromkeys(boxes) if box is not None])
    units: Sum | None = None
    sectors: Sum | None = None
    by_rows = True
    if None not in boxes and len(distinct) == 1:
        units = Sum((distinct[0].units(),))
        counted = distinct[0].sectors(shape, unit)
        sectors = Sum((counted,)) if counted is not None else None
        by_rows = sectors is None or distinct[0].as_one_range(shape) is None
    if units is None or sectors is None:
        touched = Touched(images)
        units = touched.units() if units is None else units
        sectors = touched.sectors(shape, unit) if sectors is None else sectors
    return Counted(units, sectors, by_rows)


def _counted(
    counter: DomainCounter,
    array: ArrayObject,
    accesses: list[Access],
    unit: int,
    verb: str,
    placed: Placed,
    notes: Notes,
) -> Footprint | None:
    """The footprint of images in their shape; None where conditions on data do not add up."""
    images, shape = placed.shaped.images, placed.shaped.shape
    plain = [image for image in images if image.weight == ONE]
    weighted = united([image for image in images if image.weight != ONE])
    if not weighted and placed.counted is None:
        placed.counted = _count(images, shape, unit)
    plain += [chance.image for chance in weighted if chance.share == ONE]
    weighted = [chance for chance in weighted if chance.share != ONE]
    counted = placed.counted or _count(plain, shape, unit)
    _note_rows(counted, shape, unit, array, notes)
    units, sector_bytes = counted.units, counted.sectors.scale(Poly.of(SECTOR_BYTES))
    if weighted:
        # A share of the threads touches what is its own: that share of the elements.
        try:
            own = expected_units(plain, weighted)
        except UnsayableError:
            return None
        units = units + own
        if own.parts:
            sector_bytes = unknown_sectors(counter.kernel, array, accesses, verb)
    running = placed.running
    bytes_ = units.scale(Poly.of(unit))
    return Footprint(bytes_.where(running), sector_bytes.where(running))


def _note_apart(found: Shaped, array: ArrayObject, notes: Notes) -> None:
    """Say for which sizes rows are apart, and wish for them."""
    notes.wishes.append(found.given)
    extents = ", ".join(text(extent, HUMAN) for extent in found.shape.extents())
    what = "reach at most into the next" if found.wrapped else "do not overlap"
    message = f"rows of {array.name} {what} (inner extents {extents})"
    notes.add("rows-apart", message)
    notes.given[message] = found.given


def _note_rows(counted: Counted, shape: Shape, unit: int, array: ArrayObject, notes: Notes) -> None:
    """Say what sectors take for granted of an array with rows."""
    takes = counted.by_rows and shape.is_taken_as_aligned(unit, SECTOR_BYTES)
    if takes and array.space is not Space.TEXTURE:
        notes.add("aligned-rows", f"rows of {array.name} start at a 32-byte sector")
