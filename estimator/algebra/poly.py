"""Polynomials with rational coefficients over atoms: the numbers that kernels compute with.

A dict from monomial to coefficient, in one canonical form, so that equal polynomials are
equal objects by value. Counting needs no more than this; sympy, whose import alone costs as
much time as a whole analysis, is only loaded for those who ask for its expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Union

from estimator.algebra.atoms import Atom, Role, Symbol

Number = Union[int, Fraction]
Monomial = tuple[tuple[Atom, int], ...]
Operand = Union["Poly", int, Fraction, Atom]


class Poly:
    """An immutable polynomial; `terms` maps monomials (sorted by atom) to coefficients ≠ 0."""

    __slots__ = ("_hash", "_key", "symbols_cache", "terms")

    terms: dict[Monomial, Number]

    def __init__(self, terms: dict[Monomial, Number]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._key: str | None = None
        self.symbols_cache: frozenset[Symbol] | None = None

    @staticmethod
    def of(value: Operand) -> Poly:
        """The polynomial that a number or an atom stands for."""
        if isinstance(value, Poly):
            return value
        if isinstance(value, Atom):
            return Poly({((value, 1),): 1})
        return Poly({(): _whole(value)} if value else {})

    @property
    def key(self) -> str:
        """Canonical text, equal for equal polynomials."""
        if self._key is None:
            self._key = "+".join(sorted(_term_key(m, c) for m, c in self.terms.items())) or "0"
        return self._key

    # -- arithmetic ------------------------------------------------------------------------

    def __add__(self, other: Operand) -> Poly:
        if type(other) is not Poly:
            other = Poly.of(other)
        if not other.terms:
            return self
        if not self.terms:
            return other
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            _add_term(terms, monomial, coefficient)
        return Poly(terms)

    __radd__ = __add__

    def __neg__(self) -> Poly:
        return Poly({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Operand) -> Poly:
        if type(other) is not Poly:
            other = Poly.of(other)
        if not other.terms:
            return self
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            _add_term(terms, monomial, -coefficient)
        return Poly(terms)

    def __rsub__(self, other: Operand) -> Poly:
        return Poly.of(other) - self

    def __mul__(self, other: Operand) -> Poly:
        if type(other) is int:
            return self._scaled(other)
        if type(other) is not Poly:
            other = Poly.of(other)
        if len(other.terms) == 1 and () in other.terms:
            return self._scaled(other.terms[()])
        if len(self.terms) == 1 and () in self.terms:
            return other._scaled(self.terms[()])
        terms: dict[Monomial, Number] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                _add_term(terms, _multiply(left, right), a * b)
        return Poly(terms)

    __rmul__ = __mul__

    def _scaled(self, factor: Number) -> Poly:
        if factor == 1:
            return self
        if not factor:
            return ZERO
        if type(factor) is int and len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if type(coefficient) is int:
                return Poly({monomial: coefficient * factor})
        return Poly({m: _whole(c * factor) for m, c in self.terms.items()})

    def __truediv__(self, other: int | Fraction) -> Poly:
        if other == 1:
            return self
        return Poly(
            {
                m: c // other if type(c) is int and not c % other else _whole(Fraction(c) / other)
                for m, c in self.terms.items()
            }
        )

    def __pow__(self, exponent: int) -> Poly:
        result = self if exponent else ONE
        for _ in range(exponent - 1):
            result = result * self
        return result

    # -- queries ---------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Poly):
            return self.terms == other.terms
        if isinstance(other, (int, Fraction)):
            return self.terms == ({(): other} if other else {})
        return NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return self.key

    @property
    def constant(self) -> Number | None:
        """The value of a polynomial without atoms, else None."""
        if not self.terms:
            return 0
        if len(self.terms) == 1:
            return self.terms.get(())
        return None

    @property
    def integer(self) -> int | None:
        """The value if it is a known integer, else None."""
        value = self.constant
        return value if isinstance(value, int) else None

    @property
    def constant_term(self) -> Number:
        return self.terms.get((), 0)

    @property
    def atom(self) -> Atom | None:
        """The atom if the polynomial is just that, else None."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
                return monomial[0][0]
        return None

    def atoms(self) -> Iterator[Atom]:
        """The atoms that stand in some term, each once; not those inside other atoms."""
        seen: set[Atom] = set()
        for monomial in self.terms:
            for atom, _ in monomial:
                if atom not in seen:
                    seen.add(atom)
                    yield atom

    def has_role(self, *roles: Role) -> bool:
        """Whether a symbol of one of these roles stands anywhere in the polynomial."""
        return any(
            not atom.roles.isdisjoint(roles) for monomial in self.terms for atom, _ in monomial
        )

    def degree(self, atoms: Iterable[Atom] | None = None) -> int:
        """The total degree, or the degree in the given atoms."""
        chosen = None if atoms is None else set(atoms)
        return max(
            (
                sum(power for atom, power in monomial if chosen is None or atom in chosen)
                for monomial in self.terms
            ),
            default=0,
        )

    def collect(self, atom: Atom) -> dict[int, Poly]:
        """Coefficients of the powers of `atom`."""
        parts: dict[int, dict[Monomial, Number]] = {}
        for monomial, coefficient in self.terms.items():
            power = 0
            rest = monomial
            for index, (factor, exponent) in enumerate(monomial):
                if factor == atom:
                    power = exponent
                    rest = monomial[:index] + monomial[index + 1 :]
                    break
            parts.setdefault(power, {})[rest] = coefficient
        return {power: Poly(terms) for power, terms in parts.items()}

    def coefficient(self, atom: Atom) -> Poly:
        """The coefficient of the first power of `atom`."""
        return self.collect(atom).get(1, ZERO)

    def replace(self, values: Mapping[Atom, Poly]) -> Poly:
        """Atoms of the terms replaced; atoms inside other atoms stay (see `substitute`)."""
        if not any(atom in values for atom in self.atoms()):
            return self
        # Sums grow in place: adding one polynomial to the next would copy them over and over.
        terms: dict[Monomial, Number] = {}
        for monomial, coefficient in self.terms.items():
            kept = tuple(factor for factor in monomial if factor[0] not in values)
            product = Poly({kept: coefficient})
            if len(kept) < len(monomial):
                for atom, power in monomial:
                    if atom in values:
                        product = product * values[atom] ** power
            for made, number in product.terms.items():
                terms[made] = terms.get(made, 0) + number
        return Poly({made: _whole(number) for made, number in terms.items() if number})


def symbol(name: str) -> Poly:
    """A parameter of that name, as a polynomial."""
    return Poly.of(Symbol(name))


def _add_term(terms: dict[Monomial, Number], monomial: Monomial, coefficient: Number) -> None:
    """Add to a sum that grows in place."""
    total = terms.get(monomial, 0) + coefficient
    if total:
        terms[monomial] = total if type(total) is int else _whole(total)
    else:
        terms.pop(monomial, None)


def _whole(value: Number) -> Number:
    # A bool or an int passes at once: almost all coefficients are.
    if type(value) is not Fraction or value.denominator != 1:
        return value
    return value.numerator


def _term_key(monomial: Monomial, coefficient: Number) -> str:
    factors = [f"{atom.key}^{power}" if power != 1 else atom.key for atom, power in monomial]
    return "*".join([str(coefficient), *factors])


def _multiply(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    if len(left) == 1 and len(right) == 1 and left[0][0] != right[0][0]:
        return left + right if left < right else right + left
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items()))


ZERO = Poly({})
ONE = Poly({(): 1})
