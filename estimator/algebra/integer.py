"""Integer operations that leave polynomials: division, remainder, extrema, bits, shifts.

Each returns the simplest polynomial it can prove equal, and an atom where there is none.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, gcd

from estimator.algebra.atoms import Bits, Extremum, Floor, Log2, Power, Quotient, Role, Symbol
from estimator.algebra.poly import Monomial, Number, Poly
from estimator.algebra.remembered import remembered
from estimator.algebra.whole import is_multiple


@remembered
def floor_divide(numerator: Poly, denominator: Poly) -> Poly:
    """⌊numerator / denominator⌋ for a positive denominator.

    Multiples of the denominator are taken out, so that `d*⌊x/d⌋ + x % d` is x again.
    """
    divisor = denominator.integer
    if divisor is not None:
        return _divide_by_number(numerator, divisor)
    whole, rest = _split_multiples(numerator, denominator)
    if not rest:
        return whole
    return whole + Poly.of(Floor(rest, denominator))


def _divide_by_number(numerator: Poly, divisor: int) -> Poly:
    if divisor == 1:
        return numerator
    if divisor == 0:
        raise ZeroDivisionError("division by zero in an index")
    whole: dict[Monomial, Number] = {}
    rest: dict[Monomial, Number] = {}
    for monomial, coefficient in numerator.terms.items():
        if isinstance(coefficient, int):
            # Rounded towards 0 but for the constant: ⌊(N - i)/16⌋ keeps its look.
            quotient_: int = coefficient // divisor if coefficient >= 0 or not monomial else 0
            if coefficient < 0 and monomial:
                quotient_ = -(-coefficient // divisor)
            if quotient_:
                whole[monomial] = quotient_
            if coefficient != quotient_ * divisor:
                rest[monomial] = coefficient - quotient_ * divisor
        else:
            rest[monomial] = coefficient
    if not rest:
        return Poly(whole)
    remainder_poly = Poly(rest)
    value = remainder_poly.constant
    if value is not None:
        return Poly(whole) + floor(Fraction(value) / divisor)
    # ⌊(g*x + c)/(g*d)⌋ = ⌊(x + ⌊c/g⌋)/d⌋, and ⌊⌊x/a⌋/b⌋ = ⌊x/(a*b)⌋
    common = divisor
    for monomial, coefficient in rest.items():
        if monomial:
            common = gcd(common, coefficient) if isinstance(coefficient, int) else 1
    if common > 1:
        constant = remainder_poly.constant_term
        reduced: dict[Monomial, Number] = {m: c // common for m, c in rest.items() if m}
        if isinstance(constant, int) and constant // common:
            reduced[()] = constant // common
        return Poly(whole) + _divide_by_number(Poly(reduced), divisor // common)
    if is_multiple(remainder_poly, divisor):
        return Poly(whole) + remainder_poly / divisor
    inner = remainder_poly.atom
    if isinstance(inner, Floor) and inner.denominator.integer is not None:
        nested = inner.denominator.integer * divisor
        return Poly(whole) + floor_divide(inner.numerator, Poly.of(nested))
    return Poly(whole) + Poly.of(Floor(remainder_poly, Poly.of(divisor)))


def floor_of(numerator: Number, denominator: Number) -> int:
    """⌊numerator / denominator⌋ of numbers."""
    if isinstance(numerator, int) and isinstance(denominator, int):
        return numerator // denominator
    return floor(Fraction(numerator) / denominator)


def truncated(numerator: Number, denominator: Number) -> int:
    """The quotient of numbers, rounded towards 0 as C's is."""
    if (numerator < 0) != (denominator < 0):
        return -floor_of(-numerator, denominator)
    return floor_of(numerator, denominator)


def _split_multiples(numerator: Poly, denominator: Poly) -> tuple[Poly, Poly]:
    """numerator = whole * denominator + rest, as far as monomials show it."""
    if len(denominator.terms) != 1:
        from estimator.algebra.ratio import divide_exactly

        quotient_ = divide_exactly(numerator, denominator)
        if quotient_ is not None and all(isinstance(c, int) for c in quotient_.terms.values()):
            return quotient_, Poly({})
        return Poly({}), numerator
    ((divisor, scale),) = denominator.terms.items()
    whole: dict[Monomial, Number] = {}
    rest: dict[Monomial, Number] = {}
    for monomial, coefficient in numerator.terms.items():
        reduced = _remove(monomial, divisor)
        ratio = Fraction(coefficient) / scale
        if reduced is not None and ratio.denominator == 1:
            whole[reduced] = ratio.numerator
        else:
            rest[monomial] = coefficient
    return Poly(whole), Poly(rest)


def _remove(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    powers = dict(monomial)
    for atom, power_ in divisor:
        left = powers.get(atom, 0) - power_
        if left < 0:
            return None
        if left:
            powers[atom] = left
        else:
            del powers[atom]
    return tuple((atom, powers[atom]) for atom, _ in monomial if atom in powers)


def quotient(numerator: Poly, denominator: Poly) -> Poly:
    """C's `/`: rounded towards 0. Plain floor division where no sign can be negative."""
    from estimator.algebra.walk import is_nonnegative

    a, b = numerator.integer, denominator.integer
    if b == 0:
        raise ZeroDivisionError("division by zero in an index")
    if a is not None and b is not None:
        value = abs(a) // abs(b)
        return Poly.of(value if (a < 0) == (b < 0) else -value)
    if b is not None and b < 0:
        return -quotient(numerator, Poly.of(-b))
    # Of (i - 1 + n)/n, too: what is divided by is not 0.
    by = denominator.atom
    least = numerator if by is None else numerator.replace({by: Poly.of(by) + 1})
    if is_nonnegative(numerator) or (isinstance(by, Symbol) and is_nonnegative(least)):
        return floor_divide(numerator, denominator)
    if b is not None:
        exact = numerator / b
        if all(isinstance(c, int) for c in exact.terms.values()) or is_multiple(numerator, b):
            return exact
    return Poly.of(Quotient(numerator, denominator))


def remainder(numerator: Poly, denominator: Poly) -> Poly:
    """C's `%`: numerator - denominator * (numerator / denominator)."""
    return numerator - denominator * quotient(numerator, denominator)


def minimum(left: Poly, right: Poly) -> Poly:
    """The smaller of two values."""
    return _extremum(left, right, largest=False)


def maximum(left: Poly, right: Poly) -> Poly:
    """The larger of two values."""
    return _extremum(left, right, largest=True)


def _extremum(left: Poly, right: Poly, *, largest: bool) -> Poly:
    difference = (left - right).constant
    if difference is not None:
        return left if (difference >= 0) == largest else right
    return Poly.of(Extremum(left, right, largest=largest))


def log2(value: Poly) -> Poly:
    """⌊log₂ value⌋."""
    number = value.integer
    if number is not None and number > 0:
        return Poly.of(number.bit_length() - 1)
    atom = value.atom
    if isinstance(atom, Floor):
        divisor = atom.denominator.integer
        if divisor is not None and divisor & (divisor - 1) == 0:
            return log2(atom.numerator) - (divisor.bit_length() - 1)
    return Poly.of(Log2(value))


# Numbers of more bits stay powers: nothing is that large, and their digits have no end.
LARGEST_EXPONENT = 1024


def power(base: int, exponent: Poly) -> Poly:
    """base ** exponent."""
    number = exponent.integer
    if number is not None and 0 <= number <= LARGEST_EXPONENT:
        return Poly.of(base**number)
    shift = exponent.constant_term
    if isinstance(shift, int) and 0 < shift <= LARGEST_EXPONENT and number is None:
        return Poly.of(base**shift) * power(base, exponent - shift)
    return Poly.of(Power(base, exponent))


def shift_left(value: Poly, amount: Poly) -> Poly:
    """value << amount."""
    return value * power(2, amount)


def shift_right(value: Poly, amount: Poly) -> Poly:
    """value >> amount, which rounds down for either sign."""
    number = amount.integer
    if number is not None and 0 <= number <= LARGEST_EXPONENT:
        return floor_divide(value, Poly.of(2**number))
    return Poly.of(Floor(value, power(2, amount)))


# Digits that a mask of bits takes out of an index.
_MOST_RUNS = 2


def bits(operator: str, left: Poly, right: Poly) -> Poly:
    """`left & right` (or `|`, `^`); a mask of low bits is a remainder."""
    a, b = left.integer, right.integer
    if a is not None and b is not None:
        return Poly.of({"&": a & b, "|": a | b, "^": a ^ b}[operator])
    if a is not None:
        left, right, b = right, left, a
    if operator == "&" and b is not None:
        if b == 0:
            return Poly({})
        if b > 0 and b & (b + 1) == 0:
            return left - (b + 1) * floor_divide(left, Poly.of(b + 1))
        if b < 0 and -b & (-b - 1) == 0:
            return -b * floor_divide(left, Poly.of(-b))
    if operator in "|^" and b == 0:
        return left
    both = None if b is None else _masked(left, b)
    if both is not None and b is not None:
        # x | b is x + b without the bits that both have; x ^ b has them in neither.
        return {"&": both, "|": left + b - both, "^": left + b - both * 2}[operator]
    return Poly.of(Bits(operator, left, right))


def _masked(value: Poly, mask: int) -> Poly | None:
    """value & mask for an index, where the mask is a few runs of ones: each is a digit of it."""
    if mask <= 0 or not value.has_role(Role.THREAD, Role.COUNTER):
        return None
    found = Poly({})
    for _ in range(_MOST_RUNS):
        low = mask & -mask
        high = (mask + low) & ~mask
        high &= -high
        found = found + low * floor_divide(value, Poly.of(low))
        found = found - high * floor_divide(value, Poly.of(high))
        mask &= ~(high - low)
        if not mask:
            return found
    return None
