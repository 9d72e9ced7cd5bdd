"""One offset into a flat array as an index into a multi-dimensional one.

`(z*ny + y)*nx + x` holds the strides nx*ny, nx and 1; sorted by them it is [z][y][x] with
the extents ny and nx, provided that y and x stay inside them.

Grosser, Ramanujam, Pouchet, Sadayappan, Pop: Optimistic delinearization of parametrically
sized arrays. ICS 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from estimator.algebra.atoms import Atom, Symbol
from estimator.algebra.poly import ONE, ZERO, Monomial, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import symbols


@dataclass(frozen=True)
class Shape:
    """An array as rows of rows: strides from the outermost to 1, in units of an element."""

    strides: tuple[Poly, ...]

    def extents(self) -> tuple[Poly, ...]:
        """The extents of all dimensions but the outermost."""
        found = []
        for outer, inner in zip(self.strides, self.strides[1:], strict=False):
            extent = divide_exactly(outer, inner)
            assert extent is not None
            found.append(extent)
        return tuple(found)


Varies = Callable[[Atom], bool]


def varies_with(variables: list[Symbol]) -> Varies:
    """A test whether an atom holds one of the variables."""
    chosen = set(variables)

    def varies(atom: Atom) -> bool:
        if isinstance(atom, Symbol):
            return atom in chosen
        return not chosen.isdisjoint(symbols(Poly.of(atom)))

    return varies


def strides_of(offset: Poly, varies: Varies) -> set[Poly] | None:
    """The symbolic strides of an offset; None where two indices are multiplied."""
    found: set[Poly] = set()
    for monomial in offset.terms:
        index, size = _split(monomial, varies)
        if len(index) > 1 or (index and index[0][1] > 1):
            return None
        if index:
            found.add(Poly({size: 1}))
    return found


def _split(monomial: Monomial, varies: Varies) -> tuple[Monomial, Monomial]:
    index = tuple(f for f in monomial if varies(f[0]))
    size = tuple(f for f in monomial if not varies(f[0]))
    return index, size


def shape_of(strides: set[Poly]) -> Shape | None:
    """The shape with these strides, each a multiple of the next; None if there is none."""
    ordered = sorted(strides | {ONE}, key=lambda s: (-s.degree(), s.key))
    for outer, inner in zip(ordered, ordered[1:], strict=False):
        if divide_exactly(outer, inner) is None:
            return None
    return Shape(tuple(ordered))


def indices_in(offset: Poly, shape: Shape, varies: Varies) -> tuple[Poly, ...]:
    """The offset's index along each dimension of the shape, outermost first."""
    indices = [ZERO for _ in shape.strides]
    for monomial, coefficient in offset.terms.items():
        index, size = _split(monomial, varies)
        stride = Poly({size: 1})
        for n, candidate in enumerate(shape.strides):
            ratio = divide_exactly(stride, candidate)
            if ratio is not None and (not index or ratio == ONE):
                indices[n] = indices[n] + ratio * Poly({index: coefficient})
                break
    return tuple(indices)
