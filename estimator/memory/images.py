"""The elements that accesses touch, as isl sets: images of domains under access maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from estimator.algebra.condition import FALSE, TRUE, Condition, conjunction, nonnegative
from estimator.algebra.poly import Poly
from estimator.count.cardinality import budget, context, read_set
from estimator.count.implied import without_implied_bounds
from estimator.count.isl_result import read_condition
from estimator.count.isl_text import NotAffineError, Translator, is_plain
from estimator.count.peel import at_least, bounds_of
from estimator.count.threads import IndexSpace
from estimator.memory.delinearize import Shape


@dataclass
class Image:
    """One access in one piece of its domain: `indices` into the array's shape, in units.

    It touches `units` units from the last index on. `relaxed` domains lack conditions that
    are not affine, so the image may be too large.
    """

    space: IndexSpace
    indices: tuple[Poly, ...]
    units: int
    weight: Poly
    relaxed: bool
    key: str


def in_range(image: Image, shape: Shape) -> Condition:
    """The sizes for which the inner indices stay inside the extents: `TRUE` for all, `FALSE`
    for none that are large."""
    given: Condition = TRUE
    for index, extent in zip(image.indices[1:], shape.extents(), strict=True):
        last = index + (image.units - 1 if index is image.indices[-1] else 0)
        if _surely_inside(image.space, index, last, extent):
            continue
        given = conjunction(given, _fitting(image, index, last - extent + 1))
    return given


def within(image: Image, n: int, low: Poly, end: Poly) -> Condition:
    """The sizes for which the n-th index stays in low <= index < end, as for `in_range`."""
    return _fitting(image, image.indices[n] - low, image.indices[n] - end + 1)


def is_nowhere(image: Image) -> bool:
    """Whether an image has no point at any size. Raises NotAffineError."""
    translator = Translator(image.space.variables)
    inside = _body(image.space, translator)
    dimensions = ", ".join(translator.dimensions[v] for v in image.space.variables)
    with budget():
        text = f"{translator.header()}{{ [{dimensions}] : {inside} }}"
        return bool(read_set(text).is_empty())


def _surely_inside(space: IndexSpace, index: Poly, last: Poly, extent: Poly) -> bool:
    """Inside, as seen from the bounds of a single variable."""
    bounds = box_bounds(space)
    low, high = index, last
    for variable in space.variables:
        slope = index.coefficient(variable).integer
        if slope is None:
            return False
        if slope == 0:
            continue
        if variable not in bounds or slope < 0:
            return False
        below, above = bounds[variable]
        low = low.replace({variable: below})
        high = high.replace({variable: above})
    return at_least(low, Poly.of(0)) and at_least(extent - 1, high)


def box_bounds(space: IndexSpace) -> dict[Any, tuple[Poly, Poly]]:
    """The bounds of each variable that has its own, as low and high; found once."""
    if space.bounds is None or space.bounds[0] is not space.parts:
        found = bounds_of(space.variables, [*space.ranges(), *space.parts])
        space.bounds = space.parts, found
    return space.bounds[1]


def _fitting(image: Image, above: Poly, below: Poly) -> Condition:
    """The sizes at which no point has above < 0 or below > 0."""
    translator = Translator(image.space.variables)
    try:
        inside = _body(image.space, translator)
        under = translator.condition(nonnegative(-above - 1))
        over = translator.condition(nonnegative(below - 1))
        large = " and ".join(f"{name} >= 1000" for name in translator.parameters.values())
    except NotAffineError:
        return FALSE
    dimensions = ", ".join(translator.dimensions[v] for v in image.space.variables)
    text = f"{translator.header()}{{ [{dimensions}] : {inside} and ({under} or {over}) }}"
    with budget():
        outside = read_set(text)
        if outside.is_empty():
            return TRUE
        everything = read_set(f"{translator.header()}{{ : }}").params()
        fine = everything.subtract(outside.params()).coalesce()
        sizes = read_set(f"{translator.header()}{{ : {large or '1 = 1'} }}").params()
        if fine.intersect(sizes).is_empty():
            return FALSE
        return read_condition(fine, translator.meaning)


def _body(space: IndexSpace, translator: Translator) -> str:
    conditions = without_implied_bounds([*space.ranges(), *space.parts])
    return " and ".join(translator.condition(part) for part in conditions) or "1 = 1"


def read_map(image: Image, like: Translator) -> Any:
    """The map from the domain's variables to the units touched, with the parameters of `like`.

    Raises NotAffineError.
    """
    import islpy as isl

    translator = Translator(image.space.variables, like)
    helpers: list[str] = []
    targets: list[str] = []
    conditions = [_body(image.space, translator)]
    for n, index in enumerate(image.indices):
        known = len(helpers)
        text = translator.affine(index, helpers)
        reach = image.units - 1 if n == len(image.indices) - 1 else 0
        if not reach and len(helpers) == known:
            targets.append(text)
            continue
        targets.append(f"d{n}")
        conditions.append(f"{text} <= d{n} and d{n} <= {text} + {reach}")
    core = translator.with_helpers(" and ".join(conditions), helpers)
    dimensions = ", ".join(translator.dimensions[v] for v in image.space.variables)
    if translator.has_large:
        raise NotAffineError(image.indices[-1])
    body = f"[{dimensions}] -> [{', '.join(targets)}] : {core}"
    return isl.Map.read_from_str(context(), f"{translator.header()}{{ {body} }}")


def drop_unsayable(space: IndexSpace) -> bool:
    """Leave out conditions that sets cannot express; True if there were any."""
    kept = []
    for part in space.parts:
        if is_plain(part):
            kept.append(part)
            continue
        try:
            Translator(space.variables).condition(part)
            kept.append(part)
        except NotAffineError:
            pass
    lost = len(kept) < len(space.parts)
    space.parts = kept
    return lost
