"""Integers in the width of their types: what conversions cut off, and unsigned wrap-around.

Values are kept as plain polynomials as long as that changes nothing: sums, differences and
products commute with cutting to a width. Division, remainder, shift to the right, comparison
and conversion do not; before them an unsigned value is brought into its type's range.

Two things are taken for granted, as signed arithmetic lets compilers do: indices and sizes
fit their types, and a loop's own variable does not wrap around. Sizes that the host converts to a
narrow type are taken to fit it as well (`Machine.fitted`): a program that works launches what it
computed.
"""

from __future__ import annotations

from estimator.algebra.atoms import Extremum, Role, Select, Symbol
from estimator.algebra.condition import Compare, Junction, Relation, nonnegative
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import Poly
from estimator.algebra.walk import is_nonnegative
from estimator.lower.machine import Machine
from estimator.parse.types import Kind, Scalar

# Narrower types are for data; in these people keep indices of images and tiles.
_INDEX_BITS = 16
# Coefficients from here on are no strides or sizes: products with them leave 32 bits. Loops
# take larger steps than threads, and 64 bits hold more of both.
_LARGE, _LARGE_STEP, _MORE_IN_64_BITS = 2**20, 2**24, 2**20


def converted(
    m: Machine, poly: Poly, source: Scalar | None, target: Scalar, name: str = ""
) -> Poly:
    """An integer of type `source` (None: of no particular type) as one of type `target`.

    `name` is the variable's that it is put into; empty for a cast.
    """
    if poly.has_role(Role.UNKNOWN, Role.PROBE):
        return poly
    if poly.constant is not None:
        return wrapped(m, poly, target)
    if source is not None and source.kind is Kind.UNSIGNED and target.width > source.width:
        return in_range(m, poly, source, of_sizes=target.kind is not Kind.UNSIGNED)
    if source is not None and _holds(target, source):
        return poly
    if m.fitted is not None and target.width < 32:
        if not _is_between(poly, target):
            m.fitted[poly, target] = None
        return poly
    if target.width < 32:
        if _fits(m, poly, target):
            return poly
        if name and _taken_to_fit(m, poly, target):
            m.note("fits-type", f"{name} fits its type {target.name}")
            return poly
        if name and m.given and target.width == _INDEX_BITS:
            m.kernel.wrapped.add(2**_INDEX_BITS)  # for all sizes it may have been taken to fit
        return in_width(poly, target)
    return in_width(poly, target) if is_large(poly, target) else poly


def in_range(m: Machine, poly: Poly, ctype: Scalar, *, of_sizes: bool = False) -> Poly:
    """An unsigned value that may have gone below 0, or far above, as its type holds it.

    With `of_sizes` that is asked of the difference of two sizes too, m - n; n - 1 is not below.
    """
    if ctype.kind is not Kind.UNSIGNED or poly.has_role(Role.UNKNOWN, Role.PROBE):
        return poly
    if poly.constant is not None:
        return wrapped(m, poly, ctype)
    if is_large(poly, ctype):
        return in_width(poly, ctype)
    of_sizes = of_sizes and ctype.width == 32  # narrower ones are in their range already
    may_turn = poly.has_role(Role.THREAD, Role.COUNTER) or (of_sizes and _is_difference(poly))
    if not may_turn or surely_nonnegative(m, poly):
        return poly
    return Poly.of(Select(nonnegative(poly), poly, poly + 2**ctype.width))


def _is_difference(poly: Poly) -> bool:
    """Whether large sizes may make a value negative."""
    return any(monomial and coefficient < 0 for monomial, coefficient in poly.terms.items())


def wrapped(m: Machine, poly: Poly, ctype: Scalar) -> Poly:
    """`in_width` for a known number; one that wraps around is remembered."""
    found = in_width(poly, ctype)
    if found != poly and poly.integer is not None:
        m.kernel.wrapped.add(poly.integer)
    return found


def in_width(poly: Poly, ctype: Scalar) -> Poly:
    """The value modulo 2**bits, in the type's range."""
    modulus: int = 2**ctype.width
    shift = 0 if ctype.kind is Kind.UNSIGNED else modulus // 2
    number = poly.integer
    if number is not None and 0 <= number + shift < modulus:
        return poly
    return poly - modulus * floor_divide(poly + shift, Poly.of(modulus))


def around_zero(poly: Poly, ctype: Scalar) -> Poly:
    """The same number modulo 2**bits, with -1 in place of 2**32 - 1; known numbers stay."""
    if ctype.kind is not Kind.UNSIGNED or poly.constant is not None:
        return poly
    modulus: int = 2**ctype.width
    close = modulus - _LARGE
    if not any(coefficient >= close for coefficient in poly.terms.values()):
        return poly
    terms = poly.terms.items()
    return Poly({one: c - modulus if close <= c < modulus else c for one, c in terms})


def below_zero(a: Poly, b: Poly, ctype: Scalar) -> Poly:
    """`a`, compared with `b`: a known number above half its unsigned type's range as a negative
    one, which is how `b` has what wraps around."""
    number = a.integer
    modulus: int = 2**ctype.width
    if number is None or b.constant is not None or number < modulus // 2:
        return a
    return a - modulus


def surely_nonnegative(m: Machine, poly: Poly) -> bool:
    """Whether a value cannot be negative here, by its form or by the guards around."""
    if is_nonnegative(poly):
        return True
    for piece in m.live.pieces:
        condition = piece.condition
        parts = (
            condition.parts if isinstance(condition, Junction) and condition.every else (condition,)
        )
        if not any(
            isinstance(part, Compare)
            and part.relation is Relation.NONNEGATIVE
            and is_nonnegative(poly - part.poly)
            for part in parts
        ):
            return False
    return bool(m.live.pieces)


def is_large(poly: Poly, ctype: Scalar) -> bool:
    """Whether a product in it is likely to leave its type (a hash's multiplier)."""
    more = _MORE_IN_64_BITS if ctype.size == 8 else 1
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            continue
        steps = any(Role.COUNTER in atom.roles for atom, _ in monomial)
        limit = (_LARGE_STEP if steps else _LARGE) * more
        if coefficient >= limit or -coefficient >= limit:
            return True
    return False


def _holds(target: Scalar, source: Scalar) -> bool:
    """Whether a type holds every value of another."""
    if source.kind is Kind.BOOL or source == target:
        return True
    if (source.kind is Kind.UNSIGNED) == (target.kind is Kind.UNSIGNED):
        return target.width >= source.width
    return source.kind is Kind.UNSIGNED and target.width > source.width


def _is_between(poly: Poly, ctype: Scalar) -> bool:
    """Whether a size cannot be above its type's range, by its form: min(32768, n)."""
    match poly.atom:
        case Extremum(left=left, right=right, largest=largest):
            sides = [_is_between(side, ctype) for side in (left, right)]
            return all(sides) if largest else any(sides)
        case Select(then=then, otherwise=otherwise):
            return _is_between(then, ctype) and _is_between(otherwise, ctype)
    most = 2**ctype.width // (1 if ctype.kind is Kind.UNSIGNED else 2) - 1
    return is_nonnegative(most - poly)


def _fits(m: Machine, poly: Poly, ctype: Scalar) -> bool:
    """Whether thread indices in a launch of known size keep a value inside a narrow type."""
    bounds = _bounds(m, poly, None)
    return bounds is not None and _holds_all(ctype, *bounds)


def _taken_to_fit(m: Machine, poly: Poly, ctype: Scalar) -> bool:
    """Whether a value is an index whose programmer chose 16 bits for it: it fits them in a
    smallest launch, and no extent that is known says otherwise."""
    if ctype.width != _INDEX_BITS or not poly.has_role(Role.THREAD, Role.COUNTER):
        return False
    if ctype.kind is Kind.UNSIGNED and not surely_nonnegative(m, poly):
        return False
    smallest = _bounds(m, poly, 2)
    return _bounds(m, poly, None) is None and smallest is not None and _holds_all(ctype, *smallest)


def _holds_all(ctype: Scalar, low: int, high: int) -> bool:
    bits = ctype.width
    shift: int = 0 if ctype.kind is Kind.UNSIGNED else 2 ** (bits - 1)
    return low >= -shift and high < 2**bits - shift


def _bounds(m: Machine, poly: Poly, otherwise: int | None) -> tuple[int, int] | None:
    """The least and largest value; indices of no known extent have that of `otherwise`."""
    low, high = 0, 0
    for monomial, coefficient in poly.terms.items():
        value = int(coefficient)
        for atom, power in monomial:
            extent = _extent(m, atom.key) if isinstance(atom, Symbol) else None
            extent = otherwise if extent is None else extent
            if extent is None:
                return None
            value *= int((extent - 1) ** power)
        if monomial:
            low, high = low + min(0, value), high + max(0, value)
        else:
            low, high = low + value, high + value
    return low, high


def _extent(m: Machine, name: str) -> int | None:
    kind, _, axis = name.partition(".")
    launch = m.kernel.launch
    extents = {"threadIdx": launch.block, "blockIdx": launch.grid}.get(kind)
    if extents is None or axis not in ("x", "y", "z"):
        return None
    return extents["xyz".index(axis)].integer
