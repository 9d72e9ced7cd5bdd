"""From exact formulas to those that people read: for large sizes that divide evenly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import floor, lcm

from estimator.algebra.atoms import Atom, Extremum, Floor, Quotient, Role, Select, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.poly import ZERO, Monomial, Number, Poly
from estimator.algebra.printing import text
from estimator.algebra.walk import evaluate, holds, symbols

# A multiple of every divisor that block sizes and vector widths bring.
_UNIT = 2**12 * 3**2 * 5 * 7


class EvenSizes:
    """Chooses the piece for large sizes and divides without rounding, noting what that takes.

    Kernel parameters are taken to be far larger than parameters of the launch.
    """

    def __init__(self, names: Iterable[Symbol], given: Mapping[str, Number] | None = None) -> None:
        self.sample: dict[str, Number] = {}
        self.reversed: dict[str, Number] = {}
        ordered = sorted(set(names))
        for n, symbol in enumerate(ordered):
            self.sample[symbol.name] = _typical(symbol, n)
            self.reversed[symbol.name] = _typical(symbol, len(ordered) - n)
        for name, number in (given or {}).items():
            self.sample[name] = self.reversed[name] = number
        self.multiples: dict[Monomial, int] = {}
        self.ordered = False

    def formula(self, exact: Sum | Cases | Poly) -> Poly:
        """The formula for large sizes that divide evenly."""
        match exact:
            case Poly():
                return self._smooth(exact)
            case Cases():
                return self._piece(exact)
            case Sum():
                total = ZERO
                for part in exact.parts:
                    total = total + self._piece(part)
                return total

    def _piece(self, cases: Cases) -> Poly:
        single = cases.single
        if single is not None:
            return self._smooth(single)
        self._learn(cases)
        chosen = cases.select(self.sample)
        other = cases.select(self.reversed)
        result = self._smooth(chosen)
        if other != chosen and self._smooth(other) != result:
            self.ordered = True
        return result

    def _learn(self, cases: Cases) -> None:
        """Give symbols that came up later a typical value too."""
        from estimator.algebra.walk import condition_symbols

        for condition, poly in cases.pieces:
            for symbol in condition_symbols(condition) | symbols(poly):
                if symbol.name not in self.sample:
                    value = _typical(symbol, len(self.sample))
                    self.sample[symbol.name] = self.reversed[symbol.name] = value

    def _smooth(self, poly: Poly) -> Poly:
        values: dict[Atom, Poly] = {}
        for atom in poly.atoms():
            new = self._smooth_atom(atom)
            if new is not None:
                values[atom] = new
        return poly.replace(values) if values else poly

    def _smooth_atom(self, atom: Atom) -> Poly | None:
        match atom:
            case Floor() | Quotient():
                divisor = atom.denominator.constant
                numerator = self._smooth(atom.numerator)
                if divisor is not None:
                    return self._divide(numerator, Fraction(divisor))
                return None
            case Extremum():
                if not self._decidable(atom):
                    return None
                left, right = evaluate(atom.left, self.sample), evaluate(atom.right, self.sample)
                if atom.left != 0 and atom.right != 0:
                    self.ordered = True
                return self._smooth(atom.left if (left >= right) == atom.largest else atom.right)
            case Select():
                if not self._decidable(atom):
                    return None
                self.ordered = True
                return self._smooth(
                    atom.then if holds(atom.condition, self.sample) else atom.otherwise
                )
        return None

    def _decidable(self, atom: Atom) -> bool:
        for symbol in symbols(Poly.of(atom)):
            if symbol.role in (Role.THREAD, Role.COUNTER, Role.UNKNOWN):
                return False
            self.sample.setdefault(symbol.name, _typical(symbol, len(self.sample)))
            self.reversed.setdefault(symbol.name, self.sample[symbol.name])
        return True

    def _divide(self, numerator: Poly, divisor: Fraction) -> Poly:
        """⌊numerator / divisor⌋ where all but the constant divides."""
        result = ZERO
        for monomial, coefficient in numerator.terms.items():
            share = Fraction(coefficient) / divisor
            if monomial:
                if any(
                    not atom.roles.isdisjoint((Role.THREAD, Role.COUNTER)) for atom, _ in monomial
                ):
                    return Poly.of(Floor(numerator, Poly.of(divisor)))
                if share.denominator != 1:
                    self._need(monomial, share.denominator)
                result = result + Poly({monomial: 1}) * Poly.of(share)
            else:
                result = result + floor(share)
        return result

    def _need(self, monomial: Monomial, multiple: int) -> None:
        self.multiples[monomial] = lcm(self.multiples.get(monomial, 1), multiple)

    def _needed(self) -> list[tuple[str, int]]:
        """What has to divide by what, leaving out products whose factors do."""
        single = {m[0][0]: n for m, n in self.multiples.items() if len(m) == 1 and m[0][1] == 1}
        listed: list[tuple[str, int]] = []
        for monomial, multiple in self.multiples.items():
            implied = 1
            if len(monomial) > 1 or monomial[0][1] > 1:
                for atom, power in monomial:
                    implied *= single.get(atom, 1) ** power
            if implied % multiple:
                listed.append((text(Poly({monomial: 1})), multiple))
        return sorted(listed)

    def assumptions(self) -> list[tuple[str, str]]:
        """Codes and messages of what the formulas take for granted."""
        found: list[tuple[str, str]] = []
        if needed := self._needed():
            listed = ", ".join(f"{name} by {n}" for name, n in needed)
            found.append(
                ("even-sizes", f"sizes divide evenly: {listed} (--exact gives formulas for all sizes)")
            )
        if self.ordered:
            found.append(
                (
                    "large-sizes",
                    "sizes are large, kernel parameters larger than launch sizes "
                    "(--exact gives formulas for all sizes)",
                )
            )
        return found


def _typical(symbol: Symbol, n: int) -> int:
    """A large value that divides evenly, different for each symbol."""
    scale = 1 if symbol.role is Role.LAUNCH else 1_000_000
    return _UNIT * scale * (100 + n)
