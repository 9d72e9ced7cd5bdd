"""Elements that are touched if a condition on data holds: how many, where that is certain.

A weight such as p or p*(1 - q) is the share of the cases in which an access happens. Shares of
one element add up only if it is known how the conditions hang together: each other's opposites
(the branches of one `if`), or one inside the other, in the same iteration. For all else there
is no number, and none is given.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.cases import Sum
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import symbols
from estimator.count.cardinality import budget, cardinality
from estimator.count.isl_text import Translator
from estimator.immutable import immutable
from estimator.memory.images import Image, read_map

# Inclusion and exclusion looks at every subset.
_MOST_CLASSES = 4


class UnsayableError(Exception):
    """The footprint is no set that can be counted."""


@immutable(slots=False)
class Chance:
    """An image, and the share of its iterations in which it is touched."""

    image: Image
    share: Poly


def both(left: Poly, right: Poly) -> Poly:
    """The share in which both conditions hold, in one iteration.

    Raises UnsayableError unless they exclude each other or one includes the other.
    """
    product = _once(left * right)
    if product not in (ZERO, left, right):
        raise UnsayableError
    return product


def _once(poly: Poly) -> Poly:
    """The polynomial with p*p = p: a condition that holds twice is one that holds."""
    terms = ZERO
    for monomial, coefficient in poly.terms.items():
        factors: tuple[tuple[Atom, int], ...] = tuple((atom, 1) for atom, _ in monomial)
        terms = terms + Poly({factors: coefficient})
    return terms


def united(images: list[Image]) -> list[Chance]:
    """Images that differ in their weight only as one, touched in the share of their union.

    Raises UnsayableError.
    """
    found: dict[str, Chance] = {}
    for image in images:
        before = found.get(image.key)
        share = image.weight
        if before is not None:
            share = before.share + image.weight - both(before.share, image.weight)
        found[image.key] = Chance(image, share)
    return list(found.values())


def expected_units(plain: list[Image], chances: list[Chance]) -> Sum:
    """The units that chances touch beyond those of the plain images.

    Raises UnsayableError where an element may be touched in several iterations or by several
    threads, or under conditions that have nothing to do with each other.
    """
    if len(chances) > _MOST_CLASSES:
        raise UnsayableError
    # Blocks and threads along an axis that the image does not mention touch the same elements,
    # and each of them decides for itself.
    shared = any(extent != ONE for chance in chances for extent in chance.image.space.unmentioned)
    like = Translator(())
    with budget():
        maps = [read_map(chance.image, like) for chance in chances]
        certain: Any = None
        for image in plain:
            touched = read_map(image, like).range()
            certain = touched if certain is None else certain.union(touched)
        sets = [one.range() for one in maps]
        if certain is not None:
            sets = [points.subtract(certain) for points in sets]
            if all(points.is_empty() for points in sets):
                return Sum()
        if shared or not all(one.is_injective() for one in maps):
            raise UnsayableError
        total = Sum()
        for size in range(1, len(chances) + 1):
            for chosen in combinations(range(len(chances)), size):
                points = _common([sets[n] for n in chosen])
                if points.is_empty():
                    continue
                share = _share_of_all([chances[n] for n in chosen], [maps[n] for n in chosen])
                sign = 1 if size % 2 else -1
                counted = Sum((cardinality(points.coalesce(), like.meaning),))
                total = total + counted.scale(share * sign)
        return total


def _common(sets: list[Any]) -> Any:
    points = sets[0]
    for other in sets[1:]:
        points = points.intersect(other)
    return points


def _share_of_all(chances: list[Chance], maps: list[Any]) -> Poly:
    """The share of iterations in which all of the images are touched."""
    share = ONE
    for n, chance in enumerate(chances):
        for m in range(n):
            same = chances[m].image.space.variables == chance.image.space.variables
            if not same or not maps[m].union(maps[n]).is_injective():
                raise UnsayableError  # touched in different iterations
        share = chance.share if n == 0 else both(share, chance.share)
    return share


def share_of(weight: Poly) -> Poly:
    """A weight as the share of threads that touch anything; repeating touches nothing new.

    Raises UnsayableError where a loop of unknown length decides in every iteration anew.
    """
    unknown = {s for s in symbols(weight) if s.role is Role.UNKNOWN}
    trips = {s for s in unknown if s.name.startswith("trips")}
    if not unknown:
        return ONE
    if trips == unknown:
        return ONE  # the report says that such loops are taken to run at least once
    if trips or any(not isinstance(atom, Symbol) for atom in weight.atoms()):
        raise UnsayableError
    return weight
