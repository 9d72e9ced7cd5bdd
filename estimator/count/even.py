"""From exact formulas to those that people read: for large sizes that divide evenly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations
from math import floor, lcm

from estimator.algebra.atoms import Atom, Extremum, Floor, Quotient, Role, Select, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.condition import (
    Compare,
    Condition,
    Junction,
    Relation,
    negate,
)
from estimator.algebra.poly import ZERO, Monomial, Number, Poly
from estimator.algebra.printing import condition_text, text
from estimator.algebra.walk import (
    condition_polys,
    condition_symbols,
    evaluate,
    evaluate_atom,
    exponents,
    holds,
    substitute,
    symbols,
)
from estimator.count.holding import holds_at, is_size_guard, parts_that_hold, says_some
from estimator.count.orders import strongest
from estimator.count.whole_blocks import whole_blocks

# A multiple of every divisor that block sizes and vector widths bring.
_UNIT = 2**12 * 3**2 * 5 * 7
_LARGE = 1_000_000
_SMALLER = _LARGE * 4096
_EXPONENT = 30  # 1 << 30 is the largest power that an int holds
# Sizes of which `_factors` takes the product at most.
MOST_FACTORS = 3
# Of more sizes than this, pairs are too many to try.
_MOST_COMBINED = 8
# More conditions than this are counted, not listed.
_MOST_LISTED = 6


class EvenSizes:
    """Chooses the piece for large sizes and divides without rounding, noting what that takes.

    The sizes looked at are large, launch sizes smaller than the kernel's parameters; where
    nothing would happen at them (a filter larger than its image) some are taken to be small,
    those `launched` with a number before others. A number that a launch has is what it is where
    the formulas for large sizes do not hold for it.
    """

    def __init__(
        self,
        names: Iterable[Symbol],
        given: Mapping[str, Number] | None = None,
        launched: Mapping[str, Number] | None = None,
    ) -> None:
        self._names = sorted(set(names))
        self._launched = dict(launched or {})
        self._pinned: dict[Symbol, Number] = {}
        self._given = dict(given or {})
        self.small: list[str] = []
        self._exponents: set[str] = set()
        self.sample = self._sized(())
        self.multiples: dict[Monomial, int] = {}
        self.multiples_for_sectors: dict[Monomial, int] = {}
        self._formulas: dict[Sum, Poly] = {}  # what was found before, with all notes made
        self._blocks: set[tuple[str, str]] = set()  # what divides by what, sizes both
        self._choices: dict[str, tuple[str, int]] = {}  # what is taken, and its line or 0
        self._orders: dict[str, Compare] = {}

    def choose(self, counted: Iterable[Sum], wished: Iterable[Condition]) -> None:
        """Find sizes at which as much as possible happens and the wishes hold."""
        sums, wishes = list(counted), list(wished)
        for each in sums:
            for part in each.parts:
                self._learn(part)
        best = -1
        products = self._factors() if wishes else ()
        for small, tiny in chain(self._candidates(), products):
            sample = self._sized(small, tiny)
            score = sum(bool(part.select(sample)) for each in sums for part in each.parts)
            score += 100 * sum(holds_at(wish, sample) for wish in wishes)
            if score > best:
                best, self.sample = score, sample
                self.small = [symbol.name for symbol in (*small, *tiny)]
        if not self.small:
            self._cover(sums, wishes)
        self._pin(sums)

    def _cover(self, sums: list[Sum], wishes: list[Condition]) -> None:
        """Take a grid of no known size as one that covers the data, where nothing that is done
        depends on it then: `n`, and not every thread, of which a guard lets n through."""
        free = [s for s in self._names if s.role is Role.LAUNCH and s.name not in self._given]
        parts = [part for each in sums for part in each.parts]
        for size in free:
            sample = {**self.sample, size.name: self.sample[size.name] * _SMALLER}
            if any(holds_at(wish, self.sample) and not holds_at(wish, sample) for wish in wishes):
                continue
            before = [whole_blocks(part.select(self.sample), self.sample)[0] for part in parts]
            after = [part.select(sample) for part in parts]
            lost = any(one and not other for one, other in zip(before, after, strict=True))
            decides = any(size in symbols(one) for one in before)
            if decides and not lost and not any(size in symbols(one) for one in after):
                self.sample = sample

    def _pin(self, sums: list[Sum]) -> None:
        """Take sizes as launched whose own conditions in the pieces chosen do not hold so."""
        for cases in (part for each in sums for part in each.parts):
            for condition, _ in cases.pieces:
                if not holds_at(condition, self.sample):
                    continue
                for part in parts_that_hold(condition, self.sample):
                    inside = condition_symbols(part)
                    names = {symbol.name for symbol in inside}
                    own = names and names <= self._launched.keys() - self._given.keys()
                    if own and not holds_at(part, self._launched):
                        self._pinned |= {s: self._launched[s.name] for s in inside}
        for symbol, number in sorted(self._pinned.items()):
            self.sample[symbol.name] = number
            self._choices[symbol.key] = f"{symbol.name} = {number}, as launched", 0
            self.small = [name for name in self.small if name != symbol.name]

    def _candidates(self) -> Iterator[tuple[tuple[Symbol, ...], tuple[Symbol, ...]]]:
        """Which sizes to take as small, and which as smaller still: first none, then few."""
        free = [s for s in self._names if s.name not in self._given]
        numbers = tuple(s for s in free if s.name in self._launched)
        for tiny in [(), numbers] if numbers and len(numbers) < len(free) else [()]:
            yield (), tiny
            rest = [s for s in free if s not in tiny]
            for size in (1, 2, 3):
                if size == 1 or len(rest) <= _MOST_COMBINED:
                    yield from ((small, tiny) for small in combinations(rest, size))

    def _factors(self) -> Iterator[tuple[tuple[Symbol, ...], tuple[Symbol, ...]]]:
        """Sizes whose product is below any other size: they must be much smaller."""
        free = [s for s in self._names if s.name not in self._given]
        if len(free) <= _MOST_COMBINED:
            for size in range(2, MOST_FACTORS + 1):
                yield from (((), factors) for factors in combinations(free, size))

    def _sized(self, small: tuple[Symbol, ...], tiny: tuple[Symbol, ...] = ()) -> dict[str, Number]:
        sample: dict[str, Number] = {}
        for n, symbol in enumerate(self._names):
            scale = 1 if symbol.role is Role.LAUNCH or symbol in small else _LARGE
            sample[symbol.name] = _UNIT * scale * (100 + n) // (_SMALLER if symbol in tiny else 1)
            if symbol.name in self._exponents:
                sample[symbol.name] = _EXPONENT
        sample.update(self._given)
        return sample

    def _learn(self, cases: Cases) -> None:
        """Give symbols that came up later a typical value too."""
        for condition, poly in cases.pieces:
            for each in (poly, *condition_polys(condition)):
                for symbol in exponents(each):
                    self._exponents.add(symbol.name)
                    if symbol.name not in self._given:
                        self.sample[symbol.name] = _EXPONENT
            for symbol in condition_symbols(condition) | symbols(poly):
                self._know(symbol)

    def _know(self, symbol: Symbol) -> None:
        if symbol.name not in self.sample:
            self._names.append(symbol)
            scale = 1 if symbol.role is Role.LAUNCH else _LARGE
            self.sample[symbol.name] = _UNIT * scale * (100 + len(self._names))

    def sectors(self, exact: Sum) -> Poly:
        """`formula` for a number of sectors: what it takes is noted as taken for these only."""
        own, self.multiples = self.multiples, self.multiples_for_sectors
        try:
            return self.formula(exact)
        finally:
            self.multiples = own

    def formula(self, exact: Sum | Cases | Poly) -> Poly:
        """The formula for large sizes that divide evenly."""
        match exact:
            case Poly():
                return self._smooth(exact)
            case Cases():
                return self._piece(exact)
            case Sum():
                found = self._formulas.get(exact)
                if found is None:
                    found = sum((self._piece(part) for part in exact.parts), ZERO)
                    if self.multiples is not self.multiples_for_sectors:
                        self._formulas[exact] = found
                return found

    def _piece(self, cases: Cases) -> Poly:
        single = cases.single
        if single is not None:
            return self._smooth(single)
        self._learn(cases)
        for condition, _ in cases.pieces:
            self._note_choices(condition)
        chosen = cases.select(self.sample)
        result = self._smooth(chosen)
        if chosen and any(poly.degree() > chosen.degree() for _, poly in cases.pieces):
            # Saturated: more threads than the launch has, say.
            self._note_order(next(c for c, p in cases.pieces if p is chosen), single=True)
        if self._has_rivals(cases, chosen, result):
            condition = next(c for c, p in cases.pieces if p is chosen)
            self._note_order(condition)
        return result

    def _note_choices(self, condition: Condition) -> None:
        """The program's own conditions on parameters: taken as they are at large sizes."""
        match condition:
            case Junction(parts, _):
                for part in parts:
                    self._note_choices(part)
            case Compare(_, _, line) if line and not self._is_plain(condition):
                opposite = negate(condition)
                if opposite.key in self._choices:
                    return
                holding = condition if holds_at(condition, self.sample) else opposite
                self._choices[condition.key] = condition_text(holding), line

    def _is_plain(self, condition: Compare) -> bool:
        """Whether a condition needs no mention: the given values, or any large size, decide it."""
        inside = {symbol.name for symbol in symbols(condition.poly)}
        return is_size_guard(condition) or inside <= set(self._given)

    def _has_rivals(self, cases: Cases, chosen: Poly, result: Poly) -> bool:
        """Whether another piece is for large sizes too, and says something else."""
        if not chosen:
            return False
        pinned = {symbol.name: number for symbol, number in self._pinned.items()}
        known = {**dict.fromkeys(self._exponents, _EXPONENT), **pinned, **self._given}
        for others in self._other_orders(result):
            other = cases.select({**self.sample, **others, **known})
            if other != chosen and self._smooth(other) != result:
                return True
        return False

    def _other_orders(self, result: Poly) -> Iterator[dict[str, Number]]:
        """Large sizes in another order: the last name smallest, and more threads than data for
        a result that depends on how many there are."""
        names = list(reversed(self._names))
        launch = [symbol.role is Role.LAUNCH for symbol in names]
        for above in (False, True) if result.has_role(Role.LAUNCH) else (False,):
            yield {
                symbol.name: _UNIT * (100 + n) * (_SMALLER if is_launch is above else 1)
                for n, (symbol, is_launch) in enumerate(zip(names, launch, strict=True))
            }

    def _note_order(self, condition: Condition, *, single: bool = False) -> None:
        for part in parts_that_hold(condition, self.sample):
            if not isinstance(part, Compare):
                continue
            inside = symbols(part.poly)
            as_launched = inside <= self._pinned.keys()
            if len(inside) > (0 if single else 1) and not as_launched:
                self._orders[part.key] = part

    def _is_even(self, order: Compare) -> bool:
        """Whether sizes that divide by blocks are so anyway."""
        poly, taken = whole_blocks(order.poly, self.sample)
        if not taken or not {(text(size), text(block)) for size, block in taken} <= self._blocks:
            return False
        if poly.constant is not None:
            # At -1 the other piece is taken, which says the same where it begins.
            return order.relation is Relation.NONNEGATIVE and poly.constant >= -1
        return is_size_guard(Compare(poly, order.relation))

    def _smooth(self, poly: Poly) -> Poly:
        values: dict[Atom, Poly] = {}
        if self._pinned:
            poly = substitute(poly, {s: Poly.of(number) for s, number in self._pinned.items()})
        for atom in poly.atoms():
            new = self._smooth_atom(atom)
            if new is not None:
                values[atom] = new
        found, taken = whole_blocks(poly.replace(values) if values else poly, self.sample)
        self._blocks.update((text(size), text(block)) for size, block in taken)
        return found

    def _smooth_atom(self, atom: Atom) -> Poly | None:
        match atom:
            case Floor() | Quotient():
                # A block size that a condition chooses is a number once that is decided.
                divisor = self._smooth(atom.denominator).constant
                if not divisor or divisor < 0:
                    return None
                return self._divide(self._smooth(atom.numerator), divisor)
            case Extremum():
                if not self._decidable(atom):
                    return None
                left, right = evaluate(atom.left, self.sample), evaluate(atom.right, self.sample)
                larger = left >= right
                if atom.left != 0 and atom.right != 0:
                    sides = [text(atom.left), text(atom.right)]
                    self._choices[atom.key] = f"{sides[not larger]} >= {sides[larger]}", 0
                return self._smooth(atom.left if larger == atom.largest else atom.right)
            case Select():
                if not self._decidable(atom):
                    return None
                truth = holds(atom.condition, self.sample)
                holding = atom.condition if truth else negate(atom.condition)
                self._choices[atom.key] = condition_text(holding), 0
                return self._smooth(atom.then if truth else atom.otherwise)
        return None

    def _decidable(self, atom: Atom) -> bool:
        for symbol in symbols(Poly.of(atom)):
            if symbol.role in (Role.THREAD, Role.COUNTER, Role.UNKNOWN):
                return False
            self._know(symbol)
        try:
            evaluate_atom(atom, self.sample)
        except ZeroDivisionError:
            return False
        return True

    def _divide(self, numerator: Poly, divisor: Number) -> Poly:
        """⌊numerator / divisor⌋ where all but the constant divides."""
        result: dict[Monomial, Number] = {}
        for monomial, share in (numerator / divisor).terms.items():
            if monomial:
                if any(
                    not atom.roles.isdisjoint((Role.THREAD, Role.COUNTER)) for atom, _ in monomial
                ):
                    return Poly.of(Floor(numerator, Poly.of(divisor)))
                if share.denominator != 1:
                    multiple = lcm(self.multiples.get(monomial, 1), share.denominator)
                    self.multiples[monomial] = multiple
                result[monomial] = share
            elif floor(share):
                result[monomial] = floor(share)
        return Poly(result)

    def _needed(self, multiples: Mapping[Monomial, int]) -> list[tuple[str, int]]:
        """What has to divide by what, leaving out products whose factors do."""
        every = [*self.multiples.items(), *multiples.items()]
        single = {m[0][0]: n for m, n in every if len(m) == 1 and m[0][1] == 1}
        listed: list[tuple[str, int]] = []
        for monomial, multiple in multiples.items():
            implied = self.multiples.get(monomial, 1) if multiples is not self.multiples else 1
            if len(monomial) > 1 or monomial[0][1] > 1:
                for atom, power in monomial:
                    implied *= single.get(atom, 1) ** power
            if implied % multiple:
                listed.append((text(Poly({monomial: 1})), multiple))
        return sorted(listed)

    def assumptions(self) -> list[tuple[str, str]]:
        """Codes and messages of what the formulas take for granted."""
        found: list[tuple[str, str]] = []
        even = [f"{name} by {n}" for name, n in self._needed(self.multiples)]
        even += [f"{size} by {block}" for size, block in sorted(self._blocks)]
        if even:
            listed = ", ".join(even)
            found.append(("even-sizes", f"sizes divide evenly: {listed}"))
        if needed := self._needed(self.multiples_for_sectors):
            listed = ", ".join(f"{name} by {n}" for name, n in needed)
            found.append(("even-sectors", f"for whole sectors, sizes divide evenly: {listed}"))
        if self.small:
            found.append(("small-sizes", f"small against the other sizes: {', '.join(self.small)}"))
        if conditions := self._conditions():
            more = len(conditions) - _MOST_LISTED
            if more > 1:
                conditions[_MOST_LISTED:] = [f"and {more} more"]
            found.append(("conditions", "; ".join(conditions)))
        return found

    def _conditions(self) -> list[str]:
        """What is taken to hold, each once, with the lines that ask."""
        lines: dict[str, set[int]] = {}
        for said, line in self._choices.values():
            lines.setdefault(said, set()).add(line)
        orders = [
            order
            for order in self._orders.values()
            if not (says_some(order) or self._is_even(order))
        ]
        for order in strongest(orders):
            lines.setdefault(condition_text(order), set())
        found: list[str] = []
        for said, at in lines.items():
            listed = ", ".join(map(str, sorted(at - {0})))
            found.append(f"{said} (line{'s' * (',' in listed)} {listed})" if listed else said)
        return found
