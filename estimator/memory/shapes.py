"""The shape of an array as all accesses to it agree on, and their places in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod

from estimator.algebra.atoms import Atom, Symbol
from estimator.algebra.condition import FALSE, TRUE, Condition, conjunction, nonnegative
from estimator.algebra.evaluate import Undecided, evaluate, holds
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.walk import condition_polys, substitute, substitute_condition, symbols
from estimator.count.peel import at_least
from estimator.count.shares import parts_of
from estimator.count.threads import IndexSpace
from estimator.immutable import immutable
from estimator.memory.delinearize import (
    Shape,
    Varies,
    indices_in,
    monomial_strides,
    primitive,
    scaled,
    shape_of,
    steps_of,
    strides_of,
    varies_with,
    whole_part,
)
from estimator.memory.images import Image, box_bounds, in_range, is_nowhere, within


@immutable(slots=False)
class Shaped:
    """Images with their indices in a shape, and the sizes for which they stay inside it.

    Some are `wrapped`: cut in pieces where they run into the next rows.
    """

    images: list[Image]
    shape: Shape
    given: Condition
    wrapped: bool

    def where(self, condition: Condition) -> Shaped:
        """The same where a condition on sizes holds, nothing elsewhere."""
        if condition == TRUE:
            return self
        images = [
            replace(i, space=replace(i.space, parts=[*i.space.parts, *parts_of(condition)]))
            for i in self.images
        ]
        return replace(self, images=images)

    def at(self, values: Mapping[str, int | Fraction]) -> Shaped | None:
        """The same with numbers in place of sizes; None for sizes that it is not right for."""
        try:
            inside = holds(self.given, values)
            strides = tuple(Poly.of(evaluate(stride, values)) for stride in self.shape.strides)
        except (Undecided, ZeroDivisionError):
            return None
        if not inside or any(at_least(ZERO, stride) for stride in strides):
            return None
        images = [_at(image, values) for image in self.images]
        there = [image for image in images if FALSE not in image.space.parts]
        return replace(self, images=there, shape=Shape(strides), given=TRUE)


def _at(image: Image, values: Mapping[str, int | Fraction]) -> Image:
    space = image.space
    polys = [*image.indices, *(poly for part in space.parts for poly in condition_polys(part))]
    polys += [extent for extent in space.extents.values() if extent is not None]
    given: dict[Atom, Poly] = {
        symbol: Poly.of(values[symbol.name])
        for poly in polys
        for symbol in symbols(poly)
        if symbol.name in values and not symbol.is_index
    }
    extents = {v: None if e is None else substitute(e, given) for v, e in space.extents.items()}
    parts = [substitute_condition(part, given) for part in space.parts]
    here = replace(space, extents=extents, parts=[part for part in parts if part != TRUE])
    return replace(image, space=here, indices=tuple(substitute(i, given) for i in image.indices))


def shaped(images: list[Image], *, apart: bool = False) -> Shaped | None:
    """The images in the shape that suits all of them, at large sizes at least; None if none does.

    `images` have one index each, the offset. With `apart` no row reaches into the next.
    """
    tried: dict[Shape, Shaped] = {}
    for strides in (_bare_strides, _scaled_strides, _term_strides):
        shape = strides(images)
        if shape is None or shape in tried:
            continue
        placed = [_placed(image, shape) for image in images]
        given = TRUE if apart else conjunction(*(one[1] for one in placed))
        tried[shape] = Shaped([one[0] for one in placed], shape, given, wrapped=False)
        if given == TRUE and not shape.is_slanted:
            return tried[shape]
    fitting = [one for one in tried.values() if one.given == TRUE]
    if fitting:
        return fitting[0]
    # Rows of 512b elements reach into one another for fewer sizes than those of b.
    for one in sorted(tried.values(), key=lambda one: _numbers(one.shape), reverse=True):
        if one.given != FALSE:
            return one
    for shape in tried:
        wrapped = _all_wrapped(images, shape)
        if wrapped is not None:
            return wrapped
    return None


def _numbers(shape: Shape) -> int:
    """The product of the numbers that strides have as factors."""
    return prod(primitive(stride)[1] for stride in shape.strides)


# -- strides ---------------------------------------------------------------------------------


def _together(
    images: list[Image], strides: Callable[[Poly, Varies], set[Poly] | None]
) -> set[Poly] | None:
    """What the offsets of all images say of strides; None if one says nothing."""
    found: set[Poly] = set()
    for image in images:
        own = strides(image.indices[0], varies_with(image.space.variables))
        if own is None:
            return None
        found |= own
    return found


def _bare_strides(images: list[Image]) -> Shape | None:
    found = _together(images, strides_of)
    return None if found is None else shape_of(found)


def _scaled_strides(images: list[Image]) -> Shape | None:
    found = _together(images, steps_of)
    return None if found is None else shape_of(scaled(found))


def _term_strides(images: list[Image]) -> Shape | None:
    found = _together(images, monomial_strides)
    return None if found is None else shape_of(found)


# -- places ----------------------------------------------------------------------------------


def _placed(image: Image, shape: Shape) -> tuple[Image, Condition]:
    """An image with its indices in a shape, and the sizes for which they stay inside of it."""
    best: tuple[Image, Condition] | None = None
    for indices in _readings(image, shape):
        one = replace(image, indices=indices)
        given = in_range(one, shape)
        if given == TRUE or len(shape.strides) == 1:
            return one, given
        if best is None or (best[1] == FALSE and given != FALSE):
            best = one, given
    assert best is not None
    return best


def _readings(image: Image, shape: Shape) -> list[tuple[Poly, ...]]:
    """The ways to read an offset as indices, which differ in where its fixed part counts."""
    varies = varies_with(image.space.variables)
    (offset,) = image.indices
    carried = indices_in(offset, shape, varies)
    if len(shape.strides) == 1:
        return [carried]
    along = indices_in(offset, shape, varies, carry=False)
    return list(dict.fromkeys([carried, along, _from_lowest(image.space, along, shape)]))


def _from_lowest(space: IndexSpace, indices: tuple[Poly, ...], shape: Shape) -> tuple[Poly, ...]:
    """The indices carried so that the lowest one of each row is its first.

    `h*w - 1 - (y*w + x)` is [h - 1 - y][w - 1 - x].
    """
    bounds = box_bounds(space)
    moved = list(indices)
    extents = shape.extents()
    for n in reversed(range(1, len(moved))):
        low = _lowest(moved[n], space.variables, bounds)
        if low is None:
            break
        rows = whole_part(low, extents[n - 1])
        moved[n] = moved[n] - rows * extents[n - 1]
        moved[n - 1] = moved[n - 1] + rows
    return tuple(moved)


def _lowest(
    index: Poly, variables: list[Symbol], bounds: dict[Symbol, tuple[Poly, Poly]]
) -> Poly | None:
    """The lowest value of an index, as seen from the bounds of each variable."""
    low = index
    for variable in variables:
        slope = index.coefficient(variable).integer
        if slope is None or (slope and variable not in bounds):
            return None
        if slope:
            low = low.replace({variable: bounds[variable][0 if slope > 0 else 1]})
    return low


# -- rows that run into the next ones --------------------------------------------------------


def _all_wrapped(images: list[Image], shape: Shape) -> Shaped | None:
    """The images, in pieces where they reach into the rows before or behind their own."""
    pieces: list[Image] = []
    given: Condition = TRUE
    for image in images:
        placed, inside = _placed(image, shape)
        if inside != FALSE:
            pieces.append(placed)
            given = conjunction(given, inside)
            continue
        best: tuple[list[Image], Condition] = ([], FALSE)
        for indices in _readings(image, shape):
            best = _wrapped(replace(image, indices=indices), shape)
            if best[1] != FALSE:
                break
        pieces.extend(best[0])
        given = conjunction(given, best[1])
        if given == FALSE:
            return None
    return Shaped(pieces, shape, given, wrapped=True)


def _wrapped(image: Image, shape: Shape) -> tuple[list[Image], Condition]:
    """One image cut at the ends of rows: what is behind row y is at the start of row y + 1."""
    pieces = [image]
    given: Condition = TRUE
    extents = shape.extents()
    for n in reversed(range(1, len(shape.strides))):
        cut: list[Image] = []
        for piece in pieces:
            one = within(piece, n, -extents[n - 1], extents[n - 1] * 2)
            given = conjunction(given, one)
            if given == FALSE:
                return [], FALSE
            cut.extend(_cut(piece, n, extents[n - 1]))
        pieces = cut
    return pieces, conjunction(given, *(in_range(piece, shape) for piece in pieces))


def _cut(image: Image, n: int, extent: Poly) -> list[Image]:
    """An image by the row in which its n-th index ends up, each piece with something in it."""
    found: list[Image] = []
    index = image.indices[n]
    for row in (-1, 0, 1):
        moved = index - extent * row
        parts = [nonnegative(moved), nonnegative(extent - moved - 1)]
        kept = [part for part in parts if part != TRUE]
        space = replace(image.space, parts=[*image.space.parts, *kept])
        indices = list(image.indices)
        indices[n] = moved
        indices[n - 1] = indices[n - 1] + row
        one = replace(image, space=space, indices=tuple(indices), key=f"{image.key}|{n}:{row}")
        if FALSE not in parts and not is_nowhere(one):
            found.append(one)
    return found
