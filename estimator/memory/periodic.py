"""Periodic indices: `(x - 1 + n) % n`, the neighbour on the other side at an array's ends.

The remainder is P - n*⌊P/n⌋. Where x runs over all of [0, n) the remainders do so too, in
another order; else the index is cut into pieces in which ⌊P/n⌋ is a number.
"""

from __future__ import annotations

from dataclasses import replace

from estimator.algebra.atoms import Atom, Floor, Symbol
from estimator.algebra.condition import FALSE, TRUE, nonnegative
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import condition_symbols, substitute, symbols
from estimator.count.isl_text import NotAffineError
from estimator.memory.images import Image, box_bounds, is_nowhere, within

# A number of periods that an index may be away from its own.
_PERIODS = (-2, -1, 0, 1, 2)
_MOST_PIECES = 32


def unrolled(image: Image) -> list[Image]:
    """An image of one index, the offset, without remainders by sizes, as far as that goes."""
    # In another order iterations are no longer the same, which shares of them depend on.
    image = _permuted(image) if image.weight == ONE else image
    pieces = [image]
    for atom in _remainders(image):
        try:
            cut = [_cut(piece, atom) for piece in pieces]
        except NotAffineError:
            continue
        if all(cut) and sum(map(len, cut)) <= _MOST_PIECES:
            pieces = [one for listed in cut for one in listed]
    return pieces


def _remainders(image: Image) -> list[Floor]:
    """The atoms ⌊P/n⌋ of an index, P varying and n a size."""
    variables = set(image.space.variables)
    (index,) = image.indices
    return [
        atom
        for atom in dict.fromkeys(index.atoms())
        if isinstance(atom, Floor)
        and atom.denominator.integer is None
        and not symbols(atom.denominator) & variables
        and symbols(atom.numerator) & variables
    ]


# -- permutations ----------------------------------------------------------------------------


def _permuted(image: Image) -> Image:
    """The image with x in place of (x + c) % n where x takes each value in [0, n) once."""
    (index,) = image.indices
    for atom in _remainders(image):
        for variable in image.space.variables:
            if atom.numerator.coefficient(variable) == ONE:
                index = _without_shift(image, index, atom, variable)
    return replace(image, indices=(index,))


def _without_shift(image: Image, index: Poly, atom: Floor, variable: Symbol) -> Poly:
    shift = atom.numerator - Poly.of(variable)
    step = index.coefficient(variable)
    rest = index - step * (Poly.of(variable) + shift - atom.denominator * Poly.of(atom))
    if not step or variable in symbols(shift) | symbols(step) | symbols(rest):
        return index
    alone = all(
        condition_symbols(part) & set(image.space.variables) <= {variable}
        for part in image.space.parts
        if variable in condition_symbols(part)
    )
    whole = (ZERO, atom.denominator - 1)
    if not alone or box_bounds(image.space).get(variable) != whole:
        return index
    return rest + step * Poly.of(variable)


# -- pieces ----------------------------------------------------------------------------------


def _cut(image: Image, atom: Floor) -> list[Image]:
    """An image by the value of ⌊P/n⌋; none if that may be anything."""
    size, index = atom.denominator, atom.numerator
    probe = replace(image, indices=(index,))
    if within(probe, 0, size * _PERIODS[0], size * (_PERIODS[-1] + 1)) != TRUE:
        return []
    found: list[Image] = []
    for period in _PERIODS:
        ends = [nonnegative(index - size * period), nonnegative(size * (period + 1) - index - 1)]
        kept = [end for end in ends if end != TRUE]
        space = replace(image.space, parts=[*image.space.parts, *kept])
        here: dict[Atom, Poly] = {atom: Poly.of(period)}
        indices = tuple(substitute(each, here) for each in image.indices)
        one = replace(image, space=space, indices=indices, key=f"{image.key}|{period}")
        if FALSE not in ends and not is_nowhere(one):
            found.append(one)
    return found
