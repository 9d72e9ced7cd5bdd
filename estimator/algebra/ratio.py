"""Quotients of polynomials: intensities and averages."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm

from estimator.algebra.atoms import Atom, Role
from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.poly import ONE, ZERO, Monomial, Number, Poly
from estimator.algebra.remembered import remembered
from estimator.algebra.walk import symbols
from estimator.immutable import immutable

# Sizes at which signs are looked at.
_LARGE = 2**20


@immutable()
class Ratio:
    """numerator / denominator in lowest terms, as far as `reduce` finds them."""

    numerator: Poly
    denominator: Poly = ONE

    def evaluate(self, values: Mapping[str, Number]) -> Number:
        """The value; raises Undecided for a missing symbol, ZeroDivisionError for x/0."""
        return Fraction(evaluate(self.numerator, values)) / evaluate(self.denominator, values)

    @property
    def poly(self) -> Poly | None:
        """The ratio as a polynomial where the denominator is a number."""
        value = self.denominator.constant
        return None if value is None else self.numerator / value

    def __mul__(self, other: Ratio) -> Ratio:
        return reduce(self.numerator * other.numerator, self.denominator * other.denominator)

    def __add__(self, other: Ratio) -> Ratio:
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return reduce(numerator, self.denominator * other.denominator)


@remembered
def reduce(numerator: Poly, denominator: Poly) -> Ratio:
    """numerator / denominator with common factors taken out.

    The denominator keeps its sign, which is that of sizes and of shares between 0 and 1: what
    divides by bytes, which are positive, does so still: (1 - p)/(3 - p), not (p - 1)/(p - 3).
    Raises ZeroDivisionError for a denominator that is 0.
    """
    if not denominator:
        raise ZeroDivisionError("a formula divides by zero")
    if not numerator:
        return Ratio(ZERO, ONE)
    given = denominator
    numerator, denominator = _cancel_monomial(numerator, denominator)
    for divisor in _candidates(numerator, denominator):
        one, other = divide_exactly(numerator, divisor), divide_exactly(denominator, divisor)
        if one is not None and other is not None:
            numerator, denominator = _cancel_monomial(one, other)
            break
    numerator, denominator = _cancel_factors(numerator, denominator)
    above, below = _content(numerator), _content(denominator)
    scale = Fraction(above) / below
    numerator, denominator = numerator / above, denominator / below
    if _is_negative(denominator) != _is_negative(given):
        numerator, denominator = -numerator, -denominator
    return Ratio(numerator * scale.numerator, denominator * scale.denominator)


def _is_negative(poly: Poly) -> bool:
    """Whether a polynomial is negative at typical sizes and shares."""
    values = list(poly.terms.values())
    if all(value > 0 for value in values):
        return False
    sample: dict[str, Number] = {}
    for n, symbol in enumerate(sorted(symbols(poly))):
        of_data = symbol.role is Role.UNKNOWN
        sample[symbol.name] = Fraction(1, n + 3) if of_data else _LARGE + n
    try:
        return evaluate(poly, sample) < 0
    except (Undecided, ZeroDivisionError):
        return leading(poly)[1] < 0


def _cancel_factors(numerator: Poly, denominator: Poly) -> tuple[Poly, Poly]:
    """Without the factors of one that divide the other: (H - 2)(W - 2) in a stencil's."""
    from estimator.algebra.factor import factors

    if numerator.constant is not None or len(set(denominator.atoms())) < 2:
        return numerator, denominator
    for factor, power in factors(denominator)[1]:
        for _ in range(power if len(factor.terms) > 1 else 0):
            above, below = divide_exactly(numerator, factor), divide_exactly(denominator, factor)
            if above is None or below is None:
                break
            numerator, denominator = above, below
    return numerator, denominator


def _candidates(numerator: Poly, denominator: Poly) -> list[Poly]:
    """Polynomials that may divide both: each of the two, and their remainder in one atom."""
    if denominator.constant is not None or numerator.constant is not None:
        return []
    candidates = [denominator, numerator]
    shared = set(numerator.atoms()) & set(denominator.atoms())
    if len(shared) == 1:
        candidates.append(_euclid(numerator, denominator, shared.pop()))
    return [candidate for candidate in candidates if candidate.constant is None]


def _euclid(left: Poly, right: Poly, atom: Atom) -> Poly:
    """The greatest common divisor in one atom, if no other atom is in the way; else 1."""
    if any(other != atom for poly in (left, right) for other in poly.atoms()):
        return ONE
    while right:
        left, right = right, _remainder(left, right, atom)
    return left


def _remainder(left: Poly, right: Poly, atom: Atom) -> Poly:
    degree = right.degree([atom])
    lead = right.collect(atom)[degree].constant_term
    while left and left.degree([atom]) >= degree:
        top = left.degree([atom])
        factor = Fraction(left.collect(atom)[top].constant_term) / lead
        left = left - right * Poly.of(factor) * Poly.of(atom) ** (top - degree)
        if left.degree([atom]) == top and top == 0:
            break
    return left


def _cancel_monomial(numerator: Poly, denominator: Poly) -> tuple[Poly, Poly]:
    common = _common_powers([*numerator.terms, *denominator.terms])
    if not common:
        return numerator, denominator
    return _lower(numerator, common), _lower(denominator, common)


def _common_powers(monomials: list[Monomial]) -> dict[Atom, int]:
    common = dict(monomials[0])
    for monomial in monomials[1:]:
        powers = dict(monomial)
        common = {a: min(p, powers[a]) for a, p in common.items() if a in powers}
        if not common:
            break
    return common


def _lower(poly: Poly, common: dict[Atom, int]) -> Poly:
    return Poly(
        {
            tuple((a, p - common.get(a, 0)) for a, p in monomial if p > common.get(a, 0)): c
            for monomial, c in poly.terms.items()
        }
    )


def _content(poly: Poly) -> Number:
    """The number that divides all coefficients, with the sign of the first term in order."""
    above = gcd(*(coefficient.numerator for coefficient in poly.terms.values()))
    below = lcm(*(coefficient.denominator for coefficient in poly.terms.values()))
    sign = 1 if leading(poly)[1] > 0 else -1
    return sign * above if below == 1 else Fraction(sign * above, below)


def order(monomial: Monomial) -> tuple[int, tuple[tuple[str, int], ...]]:
    """A key that sorts monomials by total degree, then by name: N³ before N²·M before N."""
    degree = sum(power for _, power in monomial)
    return (-degree, tuple((atom.key, -power) for atom, power in monomial))


def leading(poly: Poly) -> tuple[Monomial, Number]:
    """The first term in `order`."""
    monomial = min(poly.terms, key=order)
    return monomial, poly.terms[monomial]


# Longer polynomials have no factors that anyone would see, and long division looks at all terms.
_MOST_TERMS = 200


@remembered
def divide_exactly(numerator: Poly, divisor: Poly) -> Poly | None:
    """numerator / divisor if that is a polynomial, else None (multivariate long division)."""
    if not divisor or len(numerator.terms) > _MOST_TERMS or len(divisor.terms) > _MOST_TERMS:
        return None
    lead, lead_coefficient = _lex_leading(divisor)
    quotient: dict[Monomial, Number] = {}
    rest = numerator
    for _ in range(200):
        if not rest:
            return Poly(quotient)
        monomial, coefficient = _lex_leading(rest)
        factor = _divide_monomial(monomial, lead)
        if factor is None:
            return None
        term = Poly({factor: coefficient}) / lead_coefficient
        quotient.update(term.terms)
        rest = rest - term * divisor
    return None


def _lex_leading(poly: Poly) -> tuple[Monomial, Number]:
    """The leading term in the lexicographic order, which multiplication keeps."""
    atoms = sorted({atom for monomial in poly.terms for atom, _ in monomial})

    def powers(monomial: Monomial) -> list[int]:
        found = dict(monomial)
        return [found.get(atom, 0) for atom in atoms]

    monomial = max(poly.terms, key=powers)
    return monomial, poly.terms[monomial]


def _divide_monomial(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    powers = dict(monomial)
    for atom, power in divisor:
        if powers.get(atom, 0) < power:
            return None
        powers[atom] -= power
    return tuple((atom, power) for atom, power in powers.items() if power)
