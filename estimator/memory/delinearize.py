"""One offset into a flat array as an index into a multi-dimensional one.

`(z*ny + y)*nx + x` holds the strides nx*ny, nx and 1; sorted by them it is [z][y][x] with
the extents ny and nx, provided that y and x stay inside them.

Grosser, Ramanujam, Pouchet, Sadayappan, Pop: Optimistic delinearization of parametrically
sized arrays. ICS 2015.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from estimator.algebra.atoms import Atom, Symbol
from estimator.algebra.poly import ONE, ZERO, Monomial, Poly
from estimator.algebra.ratio import divide_exactly, leading
from estimator.algebra.walk import symbols
from estimator.immutable import immutable


@immutable(slots=False)
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

    @property
    def is_slanted(self) -> bool:
        """Whether rows may be others' diagonals: n + 1 apart, or of arrays that are n + 1 wide."""
        return any(len(stride.terms) > 1 and () in stride.terms for stride in self.strides)

    def is_aligned(self, unit_bytes: int, sector_bytes: int) -> bool:
        """Whether rows start at sectors, as far as is known."""
        sizes = (stride.integer for stride in self.strides[:-1])
        return all(size is None or size * unit_bytes % sector_bytes == 0 for size in sizes)

    def is_taken_as_aligned(self, unit_bytes: int, sector_bytes: int) -> bool:
        """Whether rows start at sectors for some sizes only, and are taken to for all."""
        return self.is_aligned(unit_bytes, sector_bytes) and any(
            stride.integer is None for stride in self.strides[:-1]
        )


Varies = Callable[[Atom], bool]


def varies_with(variables: list[Symbol]) -> Varies:
    """A test whether an atom holds one of the variables."""
    chosen = set(variables)

    def varies(atom: Atom) -> bool:
        if isinstance(atom, Symbol):
            return atom in chosen
        return not chosen.isdisjoint(symbols(Poly.of(atom)))

    return varies


def _by_index(offset: Poly, varies: Varies) -> tuple[dict[Atom, Poly], Poly] | None:
    """The coefficient of each index, and what holds none; None where indices are multiplied."""
    found: dict[Atom, Poly] = {}
    fixed = ZERO
    for monomial, coefficient in offset.terms.items():
        index = [factor for factor in monomial if varies(factor[0])]
        size: Monomial = tuple(factor for factor in monomial if not varies(factor[0]))
        term = Poly({size: coefficient})
        if not index:
            fixed = fixed + term
        elif len(index) > 1 or index[0][1] > 1:
            return None
        else:
            found[index[0][0]] = found.get(index[0][0], ZERO) + term
    return found, fixed


def strides_of(offset: Poly, varies: Varies) -> set[Poly] | None:
    """The symbolic strides of an offset; None where two indices are multiplied."""
    steps = steps_of(offset, varies)
    return None if steps is None else {primitive(step)[0] for step in steps}


def steps_of(offset: Poly, varies: Varies) -> set[Poly] | None:
    """What an offset grows by with each index; None where two indices are multiplied."""
    parts = _by_index(offset, varies)
    return None if parts is None else {step for step in parts[0].values() if step}


def monomial_strides(offset: Poly, varies: Varies) -> set[Poly] | None:
    """Strides by the terms of an offset: i*(N + 1), on a diagonal, has the strides N and 1."""
    parts = _by_index(offset, varies)
    if parts is None:
        return None
    return {Poly({m: 1}) for coefficient in parts[0].values() for m in coefficient.terms}


def primitive(stride: Poly) -> tuple[Poly, int]:
    """A stride without its numeric factor, and that: 4W and -W are both steps of W."""
    factor = 0
    for coefficient in stride.terms.values():
        factor = gcd(factor, coefficient.numerator)
    sign = -1 if all(c < 0 for c in stride.terms.values()) else 1
    return stride / (factor * sign), factor


def scaled(steps: set[Poly]) -> set[Poly]:
    """Strides with the number that all steps along them share.

    Filters of 9 weights each have the strides 9*IC and 1: `(oc*IC + ic)*9 + k`.
    """
    factors: dict[Poly, int] = {}
    for step in steps:
        stride, factor = primitive(step)
        factors[stride] = gcd(factors.get(stride, 0), factor)
    return {stride * factor for stride, factor in factors.items() if stride != ONE}


def shape_of(strides: set[Poly]) -> Shape | None:
    """The shape with these strides, each a multiple of the next; None if there is none."""
    ordered = sorted(strides | {ONE}, key=lambda s: (-s.degree(), s.key))
    for outer, inner in zip(ordered, ordered[1:], strict=False):
        if divide_exactly(outer, inner) is None:
            return None
    return Shape(tuple(ordered))


def indices_in(
    offset: Poly, shape: Shape, varies: Varies, *, carry: bool = True
) -> tuple[Poly, ...]:
    """The offset's index along each dimension of the shape, outermost first.

    A fixed part that is a whole number of rows moves the row's index; without `carry` it
    counts along the row itself (`n - 1 - j` is the j-th element from the row's end).
    """
    indices = [ZERO for _ in shape.strides]
    parts = _by_index(offset, varies)
    assert parts is not None
    for atom, coefficient in parts[0].items():
        left = coefficient
        for n, stride in enumerate(shape.strides):
            whole = _steps(left, stride)
            indices[n] = indices[n] + whole * Poly.of(atom)
            left = left - whole * stride
        indices[-1] = indices[-1] + left * Poly.of(atom)
    fixed = parts[1]
    if not carry:
        indices[-1] = indices[-1] + fixed
        return tuple(indices)
    for n, stride in enumerate(shape.strides):
        whole = whole_part(fixed, stride)
        indices[n] = indices[n] + whole
        fixed = fixed - whole * stride
    return tuple(indices)


def _steps(coefficient: Poly, stride: Poly) -> Poly:
    """The number of strides in a coefficient, as far as its terms show it."""
    ratio = divide_exactly(coefficient, stride)
    if ratio is not None and ratio.constant is not None:
        return ratio
    if len(stride.terms) == 1:
        (monomial,) = stride.terms
        if monomial in coefficient.terms:
            return Poly.of(coefficient.terms[monomial])
    return ZERO


def whole_part(fixed: Poly, stride: Poly) -> Poly:
    """How many whole strides a fixed part shows: 2 of N + 2 in 2N + 7."""
    exact = divide_exactly(fixed, stride)
    if exact is not None and all(isinstance(c, int) for c in exact.terms.values()):
        return exact
    lead, scale = leading(stride)
    if not lead:
        return ZERO
    whole = ZERO
    for monomial, coefficient in fixed.terms.items():
        ratio = divide_exactly(Poly({monomial: coefficient}), Poly({lead: scale}))
        if ratio is not None and all(isinstance(c, int) for c in ratio.terms.values()):
            whole = whole + ratio
    return whole
