"""From exact formulas to those that people read: for large sizes that divide evenly."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import lcm
from typing import Any, Union

from estimator.algebra.atoms import Atom, Extremum, Floor, Quotient, Role, Select, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.condition import (
    Compare,
    Condition,
    Junction,
    Relation,
    negate,
    nonnegative,
)
from estimator.algebra.evaluate import Undecided, evaluate, evaluate_atom, holds
from estimator.algebra.poly import ZERO, Monomial, Number, Poly
from estimator.algebra.printing import condition_text, text
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import is_nonnegative, substitute, symbols
from estimator.count.dividing import quotients_of
from estimator.count.holding import (
    holds_at,
    is_size_guard,
    parts_that_hold,
    says_some,
    values_outside,
)
from estimator.count.loosened import loosened
from estimator.count.odd import odd_half
from estimator.count.orders import strongest
from estimator.count.sampling import EXPONENT, SMALLER, UNIT, Sampled
from estimator.count.whole_blocks import whole_blocks

# More conditions than this are counted, not listed.
_MOST_LISTED = 6

# What formulas took for granted up to some point: a copy of each of the notes.
Noted = tuple[Union[dict[Any, Any], set[Any]], ...]


class EvenSizes(Sampled):
    """Chooses the piece for large sizes and divides without rounding, noting what that takes."""

    def __init__(
        self,
        names: Iterable[Symbol],
        given: Mapping[str, Number] | None = None,
        launched: Mapping[str, Number] | None = None,
    ) -> None:
        super().__init__(names, given, launched)
        self.multiples: dict[Monomial, int] = {}
        self.multiples_for_sectors: dict[Monomial, int] = {}
        # What was found before, with all notes made: as formulas, and as numbers of sectors.
        self._formulas: dict[Sum | Cases, Poly] = {}
        self._formulas_for_sectors: dict[Sum | Cases, Poly] = {}
        self._blocks: set[tuple[str, str]] = set()  # what divides by what, sizes both
        self._orders: dict[str, Compare] = {}

    def sectors(self, exact: Sum) -> Poly:
        """`formula` for a number of sectors: what it takes is noted as taken for these only."""
        own = self.multiples, self._formulas
        self.multiples, self._formulas = self.multiples_for_sectors, self._formulas_for_sectors
        try:
            return self.formula(exact)
        finally:
            self.multiples, self._formulas = own

    def formula(self, exact: Sum | Cases | Poly) -> Poly:
        """The formula for large sizes that divide evenly."""
        match exact:
            case Poly():
                return self._smooth(exact)
            case Cases() if exact.single is not None:
                return self._smooth(exact.single)
        found = self._formulas.get(exact)
        if found is None:
            if isinstance(exact, Sum):
                found = sum((self.formula(part) for part in exact.parts), ZERO)
            else:
                found = self._piece(exact)
            self._formulas[exact] = found
        return found

    def noted(self) -> Noted:
        """What is noted so far, to go `back_to` where a formula turns out not to be needed."""
        return tuple(each.copy() for each in self._notes())

    def back_to(self, noted: Noted) -> None:
        """Forget what was noted since."""
        # In place: in `sectors`, what is noted there is noted under two names.
        for now, before in zip(self._notes(), noted, strict=True):
            now.clear()
            now.update(before)

    def _notes(self) -> Noted:
        return (
            self.multiples,
            self.multiples_for_sectors,
            self._formulas,
            self._formulas_for_sectors,
            self._blocks,
            self._orders,
            self._choices,
        )

    def note_division(self, numerator: Poly, denominator: Poly) -> None:
        """Note that sizes divide, as they do where all threads have the same share of them."""
        above, below = self._smooth(numerator), self._smooth(denominator)
        divisor = below.constant
        if divisor:
            self._divide(above, divisor)
        elif above and divide_exactly(above, below) is None:
            self._blocks.add((text(above), text(below)))

    def _piece(self, cases: Cases) -> Poly:
        self._learn(cases)
        for each, _ in cases.pieces:
            self._note_choices(each)
        chosen = cases.select(self.sample)
        result = self._smooth(chosen)
        condition = next((c for c, poly in cases.pieces if poly is chosen), None)
        if condition is None:
            self._note_nothing(cases)
            return result
        if chosen and any(poly.degree() > chosen.degree() for _, poly in cases.pieces):
            # Saturated: more threads than the launch has, say.
            self._note_order(cases, condition, chosen, single=True)
        self._note_ends(cases, condition, chosen)
        if self._has_rivals(cases, chosen, result):
            self._note_order(cases, condition, chosen)
        return result

    def _note_ends(self, cases: Cases, condition: Condition, chosen: Poly) -> None:
        """Note between which sizes a formula holds, where it says something else outside."""
        for part in parts_that_hold(condition, self.sample):
            size, outside = values_outside(part)
            if size is None or size.name in self._given or size in self._pinned:
                continue
            for value in outside:
                sample: dict[str, Number] = {**self.sample, size.name: value}
                try:
                    said = evaluate(cases.select(sample), sample)
                    differs = evaluate(chosen, sample) != said
                except (Undecided, ZeroDivisionError):
                    continue
                if not differs or not isinstance(part, Compare):
                    continue
                if value == 0:
                    if said:  # a flag: another formula, not none
                        self._choices[part.key] = f"{size.name} != 0", 0
                else:
                    self._note_bound(part, cases, chosen)
                    break

    def _note_nothing(self, cases: Cases) -> None:
        """Note why nothing is done that is done for other sizes."""
        for condition, poly in cases.pieces:
            parts = condition.parts if isinstance(condition, Junction) else (condition,)
            for part in parts if poly else ():
                opposite = negate(part)
                if isinstance(opposite, Compare) and not holds_at(part, self.sample):
                    self._orders[opposite.key] = opposite
                    break

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
        inside = {s.name for s in symbols(condition.poly) if s not in self._pinned}
        return is_size_guard(condition) or inside <= set(self._given)

    def _has_rivals(self, cases: Cases, chosen: Poly, result: Poly) -> bool:
        """Whether another piece is for large sizes too, and says something else."""
        if not chosen:
            return False
        pinned = {symbol.name: number for symbol, number in self._pinned.items()}
        exponents = dict.fromkeys(self._exponents, EXPONENT)
        known = {**exponents, **self.limited, **pinned, **self._given}
        for others in self._other_orders(result):
            others |= {size.name: others[size.name] + 1 for size in self.odd}
            other = cases.select({**self.sample, **others, **known})
            if other != chosen and self._smooth(other) != result:
                return True
        return False

    def _other_orders(self, result: Poly) -> Iterator[dict[str, Number]]:
        """Large sizes in other orders, far apart: the last name smallest, or largest, and more
        threads than data for a result that depends on how many there are."""
        for names in (list(reversed(self._names)), self._names):
            launch = [symbol.role is Role.LAUNCH for symbol in names]
            for above in (False, True) if result.has_role(Role.LAUNCH) else (False,):
                yield {
                    symbol.name: UNIT * (100 + n) * 4096**n * (SMALLER if is_launch is above else 1)
                    for n, (symbol, is_launch) in enumerate(zip(names, launch, strict=True))
                }

    def _note_order(
        self, cases: Cases, condition: Condition, chosen: Poly, *, single: bool = False
    ) -> None:
        for part in parts_that_hold(condition, self.sample):
            if not isinstance(part, Compare):
                continue
            inside = symbols(part.poly)
            as_launched = inside <= self._pinned.keys()
            if len(inside) > (0 if single else 1) and not as_launched:
                self._note_bound(part, cases, chosen)

    def _note_bound(self, bound: Compare, cases: Cases, chosen: Poly) -> None:
        """Note a bound of sizes, as far as it is needed for a piece's formula."""
        fixed = {*self._given, *(symbol.name for symbol in self._pinned)}
        needed = loosened(self._evened(bound), cases, chosen, self.sample, fixed)
        self._orders[needed.key] = needed

    def _evened(self, order: Compare) -> Compare:
        """A condition without divisions, where what is taken to divide says how."""
        before = self.noted()
        poly = self._smooth(order.poly)
        if self.noted() != before:
            self.back_to(before)
            return order
        below = lcm(*(value.denominator for value in poly.terms.values())) if poly else 1
        return Compare(poly * below, order.relation, order.line)

    def _divides_anyway(self, order: Compare) -> bool:
        """Whether a size is as large as a condition says if it divides as it is taken to."""
        size, outside = values_outside(order)
        if size is None or not is_size_guard(order) or not outside:
            return False
        return self.multiples.get(((size, 1),), 1) > outside[0]

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
        half = odd_half(atom)
        if half is not None and half[0] in self.odd:
            return half[1]
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
                sides = [atom.left, atom.right] if larger else [atom.right, atom.left]
                chosen = sides[0] if atom.largest else sides[1]
                if atom.left != 0 and atom.right != 0:
                    self._note_choice(nonnegative(sides[0] - sides[1]), chosen, Poly.of(atom))
                return self._smooth(chosen)
            case Select():
                if not self._decidable(atom):
                    return None
                truth = holds(atom.condition, self.sample)
                holding = atom.condition if truth else negate(atom.condition)
                chosen = atom.then if truth else atom.otherwise
                self._note_choice(holding, chosen, Poly.of(atom))
                return self._smooth(chosen)
        return None

    def _note_choice(self, holding: Condition, chosen: Poly, choice: Poly) -> None:
        """Note the condition under which a choice between two values is one of them."""
        if isinstance(holding, Compare) and holding.relation is Relation.NONNEGATIVE:
            self._note_bound(holding, Cases.of(choice), chosen)
        else:
            self._choices[choice.key] = condition_text(holding), 0

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
        """⌊numerator / divisor⌋ where sizes divide, but for those next to nothing or odd."""
        found = quotients_of(
            numerator, divisor, self._stays, self.sample, self._given, self._orders
        )
        for monomial, multiple in found.multiples.items():
            if not self._divides_by_blocks(monomial, multiple):
                self.multiples[monomial] = lcm(self.multiples.get(monomial, 1), multiple)
        if found.limit is not None:
            self._orders[found.limit.key] = found.limit
        return found.quotient

    def _divides_by_blocks(self, monomial: Monomial, multiple: int) -> bool:
        """Whether a size divides by blocks of a known size anyway."""
        size = text(Poly({monomial: 1}))
        return any(
            one == size and block.isdigit() and int(block) % multiple == 0
            for one, block in self._blocks
        )

    def _stays(self, atom: Atom) -> bool:
        """Whether an atom divides as it is: a size next to nothing, or odd."""
        return atom in self._lessened or atom in self.odd

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
        orders = self._orders_taken()
        said = {symbol.name for order in orders for symbol in symbols(order.poly)}
        if small := [name for name in self.small if name not in said]:
            found.append(("small-sizes", f"small against the other sizes: {', '.join(small)}"))
        if conditions := self._conditions(orders):
            more = len(conditions) - _MOST_LISTED
            if more > 1:
                conditions[_MOST_LISTED:] = [f"and {more} more"]
            found.append(("conditions", "; ".join(conditions)))
        return found

    def _orders_taken(self) -> list[Compare]:
        """The orders of sizes that formulas take, as they are to be said."""
        orders = [order for order in self._orders.values() if not self._is_even(order)]
        evened = [self._evened(order) for order in orders]
        return strongest([e for e in evened if not self._goes_without_saying(e)])

    def _goes_without_saying(self, order: Compare) -> bool:
        if order.poly.constant is not None:
            return True  # decided by what divides
        return says_some(order) or is_nonnegative(order.poly) or self._divides_anyway(order)

    def _conditions(self, orders: list[Compare]) -> list[str]:
        """What is taken to hold, each once, with the lines that ask."""
        lines: dict[str, set[int]] = {}
        for said, line in self._choices.values():
            lines.setdefault(said, set()).add(line)
        for order in orders:
            lines.setdefault(condition_text(order), set())
        found: list[str] = []
        for said, at in lines.items():
            listed = ", ".join(map(str, sorted(at - {0})))
            found.append(f"{said} (line{'s' * (',' in listed)} {listed})" if listed else said)
        return found
