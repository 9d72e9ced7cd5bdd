"""Conditions as isl's text: index symbols become dimensions, everything else parameters."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from estimator.algebra.atoms import Atom, Extremum, Floor, Quotient, Select, Symbol
from estimator.algebra.condition import (
    Compare,
    Condition,
    Earlier,
    Exists,
    Junction,
    Relation,
    Truth,
)
from estimator.algebra.poly import Monomial, Number, Poly
from estimator.algebra.walk import symbols

# Every "is not equal" splits a set in two; isl does not survive many of them.
_MOST_HOLES = 10
# The text of one choice between values, in characters.
_LONGEST_CHOICE = 20_000
# Names for what a choice gives, in all conditions of one set.
_MOST_HELPERS = 64
_LARGE = 2**20


class NotAffineError(Exception):
    """A part that sets of integer points cannot express; carries that part."""

    def __init__(self, part: Poly) -> None:
        super().__init__(part.key)
        self.part = part


def is_plain(condition: Condition) -> bool:
    """Whether a condition is affine in symbols and nothing else, which sets can always say."""
    return isinstance(condition, Compare) and all(
        len(monomial) <= 1 and all(p == 1 and isinstance(a, Symbol) for a, p in monomial)
        for monomial in condition.poly.terms
    )


class Translator:
    """Names for one isl set: its dimensions in order, and parameters as they come up.

    A product of parameters (`N*M`) is one isl parameter; `meaning` leads back to it. Sets that
    are to be joined share their parameters with the translator that they are `like`.
    """

    def __init__(self, dimensions: Iterable[Symbol], like: Translator | None = None) -> None:
        self.dimensions = {symbol: f"i{n}" for n, symbol in enumerate(dimensions)}
        self.parameters: dict[Monomial, str] = {} if like is None else like.parameters
        self.meaning: dict[str, Poly] = {} if like is None else like.meaning
        self._helpers = 0
        self._holes = 0
        # Whether some coefficient is far from any size or stride: hashing, or int's range;
        # whether sizes are divided by such a number, and whether a condition is on all rounds.
        self.has_large = False
        self.divides_by_large = False
        self.is_quantified = False

    def header(self) -> str:
        """`[p0, p1] -> `."""
        return f"[{', '.join(self.parameters.values())}] -> "

    def condition(self, condition: Condition) -> str:
        """A condition. Raises NotAffineError."""
        match condition:
            case Truth(value):
                return "1 = 1" if value else "1 = 0"
            case Compare(poly, relation, _):
                return self._compare(poly, relation)
            case Junction(parts, every):
                word = " and " if every else " or "
                return "(" + word.join(self.condition(part) for part in parts) + ")"
            case Earlier(counter, inner, including, negated):
                return self._earlier(counter, inner, including, negated)
            case Exists(counter, inner, negated):
                return self._exists(counter, inner, negated)
        raise NotAffineError(Poly({}))

    def _compare(self, poly: Poly, relation: Relation) -> str:
        helpers: list[str] = []
        text = self.affine(poly, helpers)
        if relation is Relation.NONZERO:
            self._holes += 1
            if self._holes > _MOST_HOLES:
                raise NotAffineError(poly)
            core = f"({text} > 0 or {text} < 0)"
        else:
            core = f"{text} {relation.value} 0"
        return self.with_helpers(core, helpers)

    def with_helpers(self, core: str, helpers: list[str]) -> str:
        if not helpers:
            return core
        names = [helper.split(":", 1)[0] for helper in helpers]
        given = [helper.split(":", 1)[1] for helper in helpers]
        return f"(exists {', '.join(names)} : {' and '.join([*given, core])})"

    def _earlier(self, counter: Symbol, inner: Condition, including: bool, negated: bool) -> str:
        if counter not in self.dimensions:
            raise NotAffineError(Poly.of(counter))
        present, name = self.dimensions[counter], self._helper()
        body = self._bound_as(counter, name, inner)
        bound = "<=" if including else "<"
        text = f"(exists {name} : 0 <= {name} and {name} {bound} {present} and {body})"
        return f"(not {text})" if negated else text

    def _exists(self, counter: Symbol, inner: Condition, negated: bool) -> str:
        name = self._helper()
        text = f"(exists {name} : {self._bound_as(counter, name, inner)})"
        return f"(not {text})" if negated else text

    def _bound_as(self, counter: Symbol, name: str, inner: Condition) -> str:
        """The condition with the counter called `name`, which hides what it is called outside."""
        self.is_quantified = True
        outside = self.dimensions.get(counter)
        self.dimensions[counter] = name
        try:
            return self.condition(inner)
        finally:
            if outside is None:
                del self.dimensions[counter]
            else:
                self.dimensions[counter] = outside

    def _helper(self) -> str:
        self._helpers += 1
        if self._helpers > _MOST_HELPERS:
            raise NotAffineError(Poly({}))  # choices inside choices: their text doubles each time
        return f"e{self._helpers}"

    def affine(self, poly: Poly, helpers: list[str]) -> str:
        """A polynomial as an affine text, scaled to whole coefficients. Raises NotAffineError."""
        scale = 1
        if not all(isinstance(c, int) for c in poly.terms.values()):
            scale = lcm(*(Fraction(c).denominator for c in poly.terms.values()))
        self.has_large = self.has_large or any(
            c >= _LARGE or -c >= _LARGE for m, c in poly.terms.items() if m
        )
        terms = [
            self._term(monomial, coefficient * scale, helpers)
            for monomial, coefficient in poly.terms.items()
        ]
        return "(" + " + ".join(terms or ["0"]) + ")"

    def _term(self, monomial: Monomial, coefficient: Number, helpers: list[str]) -> str:
        if not monomial:
            return str(coefficient)
        if not any(self._varies(atom) for atom, _ in monomial):
            name = self._parameter(monomial, helpers)
        elif len(monomial) > 1 or monomial[0][1] > 1:
            raise NotAffineError(Poly({monomial: 1}))
        else:
            name = self._index(monomial[0][0], helpers)
        return name if coefficient == 1 else f"{coefficient}*{name}"

    def _varies(self, atom: Atom) -> bool:
        """Whether an atom holds one of the set's dimensions."""
        if isinstance(atom, Symbol):
            return atom in self.dimensions
        return not self.dimensions.keys().isdisjoint(symbols(Poly.of(atom)))

    def _parameter(self, monomial: Monomial, helpers: list[str]) -> str:
        if len(monomial) == 1 and monomial[0][1] == 1:
            atom = monomial[0][0]
            if isinstance(atom, Floor) and (divisor := atom.denominator.integer) is not None:
                self.divides_by_large = self.divides_by_large or divisor >= _LARGE
                return self._floor(atom, helpers)
        if monomial not in self.parameters:
            name = f"p{len(self.parameters)}"
            self.parameters[monomial] = name
            self.meaning[name] = Poly({monomial: 1})
        return self.parameters[monomial]

    def _floor(self, atom: Floor, helpers: list[str]) -> str:
        return f"floor({self.affine(atom.numerator, helpers)}/{atom.denominator.integer})"

    def _index(self, atom: Atom, helpers: list[str]) -> str:
        if isinstance(atom, Symbol):
            return self.dimensions[atom]
        if isinstance(atom, Floor) and atom.denominator.integer is not None:
            return self._floor(atom, helpers)
        name = self._helper()
        inner: list[str] = []
        given = self._define(atom, name, inner)
        if len(given) > _LONGEST_CHOICE:
            raise NotAffineError(Poly.of(atom))  # each choice has the text of those inside twice
        helpers.append(f"{name}:{self.with_helpers(given, inner)}")
        return name

    def _define(self, atom: Atom, name: str, helpers: list[str]) -> str:
        """What makes `name` the value of an atom."""
        match atom:
            case Extremum():
                left, right = self.affine(atom.left, helpers), self.affine(atom.right, helpers)
                sign = ">=" if atom.largest else "<="
                return (
                    f"(({left} {sign} {right} and {name} = {left}) or "
                    f"(not ({left} {sign} {right}) and {name} = {right}))"
                )
            case Select():
                given = self.condition(atom.condition)
                then = self.affine(atom.then, helpers)
                otherwise = self.affine(atom.otherwise, helpers)
                return f"(({given} and {name} = {then}) or (not {given} and {name} = {otherwise}))"
            case Quotient() if atom.denominator.integer is not None:
                above, below = self.affine(atom.numerator, helpers), atom.denominator.integer
                return (
                    f"(({above} >= 0 and {name} = floor({above}/{below})) or "
                    f"({above} < 0 and {name} = -floor((-{above})/{below})))"
                )
        raise NotAffineError(Poly.of(atom))
