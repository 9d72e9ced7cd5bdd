"""What footprints are counted in: the largest unit that offsets and widths are multiples of."""

from __future__ import annotations

from math import gcd

from estimator.algebra.poly import Poly
from estimator.algebra.whole import is_multiple
from estimator.ir.kernel import Access


def unit_bytes(accesses: list[Access]) -> int:
    """The unit of accesses to one array, in bytes."""
    unit = 0
    for access in accesses:
        width = access.width
        terms = {m: c for m, c in access.offset.terms.items() if c.numerator % width}
        # (i² + i)/2 elements of 4 bytes are 2i² + 2i bytes: a multiple of 4, seen as a whole.
        odd = () if is_multiple(Poly(terms), width) else terms.values()
        unit = gcd(unit, width, *(coefficient.numerator for coefficient in odd))
    return unit or 1
