"""Large sizes to look at: those at which as much as possible happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.condition import Condition
from estimator.algebra.poly import Number
from estimator.algebra.walk import condition_polys, condition_symbols, exponents, symbols
from estimator.count.holding import happens, holds_at, own_conditions, parts_that_hold
from estimator.count.limited import within_limits
from estimator.count.odd import odd_sizes
from estimator.count.whole_blocks import whole_blocks

# A multiple of every divisor that block sizes and vector widths bring.
UNIT = 2**12 * 3**2 * 5 * 7
_LARGE = 1_000_000
SMALLER = _LARGE * 4096
EXPONENT = 30  # 1 << 30 is the largest power that an int holds
# What a number of the launch is multiplied by, so that it counts as a large size.
_LAUNCHED = 1000
# Sizes of which `_factors` takes the product at most.
MOST_FACTORS = 3
# Of more sizes than this, pairs are too many to try.
_MOST_COMBINED = 8


class Sampled:
    """Sizes by name in `sample`, and what was taken to choose them.

    They are large, launch sizes smaller than the kernel's parameters; where nothing would happen
    at them (a filter larger than its image) some are taken to be `small`, those `launched` with a
    number before others. A number that a launch has is what it is where the formulas for large
    sizes do not hold for it. Sizes that the kernel itself limits, and does its work below, are at
    their limits.
    """

    def __init__(
        self,
        names: Iterable[Symbol],
        given: Mapping[str, Number] | None,
        launched: Mapping[str, Number] | None,
    ) -> None:
        self._names = sorted(set(names))
        self._launched = dict(launched or {})
        self._pinned: dict[Symbol, Number] = {}
        self._given = dict(given or {})
        self.small: list[str] = []
        self._exponents: set[str] = set()
        self._lessened: set[Symbol] = set()
        self.limited: dict[str, Number] = {}
        self.odd: set[Symbol] = set()
        self.sample = self._sized(())
        self._choices: dict[str, tuple[str, int]] = {}  # what is taken, and its line or 0

    def choose(
        self,
        counted: Iterable[Sum],
        wished: Iterable[Condition],
        purposes: Iterable[Iterable[Sum]] = (),
    ) -> None:
        """Find sizes at which as much as possible happens and the wishes hold, and at which a
        kernel serves its purposes: at least one sum of each group."""
        sums, wishes = list(counted), list(wished)
        parts = Counter(part for each in sums for part in each.parts)
        for part in parts:
            self._learn(part)
        best = -1
        products = self._factors() if wishes else ()
        for small, tiny in chain(self._candidates(), products):
            sample = self._sized(small, tiny)
            score = sum(often for part, often in parts.items() if part.select(sample))
            score += 100 * sum(holds_at(wish, sample) for wish in wishes)
            if score > best:
                best, self.sample = score, sample
                self.small = [symbol.name for symbol in (*small, *tiny)]
        groups = [list(group) for group in purposes]
        self.limited = within_limits(groups, self.sample, set(self._given)) or {}
        self.sample.update(self.limited)
        self.small = [name for name in self.small if name not in self.limited]
        if not self.small:
            self._cover(sums, wishes)
            self._lessen(sums, wishes)
        self._pin(sums, wishes)
        self._take_odd(each for group in groups for each in group)

    def _take_odd(self, counted: Iterable[Sum]) -> None:
        """Take the sizes of windows to be odd, if nothing says that they are not."""
        known = {**self._launched, **self._given}
        for size in sorted(odd_sizes(counted, self.sample)):
            if size.name in self.limited or known.get(size.name, 1) % 2 != 1:
                continue
            self.odd.add(size)
            self.sample[size.name] = known.get(size.name, self.sample[size.name] + 1)
            self._choices[f"odd {size.key}"] = f"{size.name} is odd", 0

    def holds(self, condition: Condition) -> bool:
        """Whether a condition holds at the sizes that formulas are for."""
        return holds_at(condition, self.sample)

    def _lessen(self, sums: list[Sum], wishes: list[Condition]) -> None:
        """Take a size as next to nothing where what is done comes to nothing for large ones: the
        start or the padding that a loop of known length is tested against."""
        free = [s for s in self._names if s.name not in self._given]
        conditions = [c for each in sums for part in each.parts for c, _ in part.pieces]
        own = [c for condition in conditions for c in own_conditions(condition)]
        for each in sums:
            if not each.parts or happens(each, self.sample):
                continue
            for size in free:
                number = self._launched.get(size.name)
                sample = {**self.sample, size.name: 1 if number is None else number}
                fine = all(holds_at(c, sample) == holds_at(c, self.sample) for c in (*own, *wishes))
                if not (fine and happens(each, sample)):
                    continue
                if all(happens(o, sample) for o in sums if happens(o, self.sample)):
                    self.sample = sample
                    if number is None:
                        self._lessened.add(size)
                    else:
                        self._pinned[size] = number
                    break

    def _cover(self, sums: list[Sum], wishes: list[Condition]) -> None:
        """Take a grid of no known size as one that covers the data, where nothing that is done
        depends on it then: `n`, and not every thread, of which a guard lets n through."""
        free = [s for s in self._names if s.role is Role.LAUNCH and s.name not in self._given]
        parts = [part for each in sums for part in each.parts]
        for size in free:
            sample = {**self.sample, size.name: self.sample[size.name] * SMALLER}
            if any(holds_at(wish, self.sample) and not holds_at(wish, sample) for wish in wishes):
                continue
            before = [whole_blocks(part.select(self.sample), self.sample)[0] for part in parts]
            after = [part.select(sample) for part in parts]
            lost = any(one and not other for one, other in zip(before, after, strict=True))
            decides = any(size in symbols(one) for one in before)
            if decides and not lost and not any(size in symbols(one) for one in after):
                self.sample = sample

    def _pin(self, sums: list[Sum], wishes: list[Condition]) -> None:
        """Take sizes as launched whose own conditions in the pieces chosen do not hold so, and
        those of pieces that are not chosen do; and those of wishes that the launch denies."""
        numbers = {n: v for n, v in self._launched.items() if n not in self._given}
        for wish in wishes:
            denied = {s: numbers[s.name] for s in condition_symbols(wish) if s.name in numbers}
            if denied and self.holds(wish) and not holds_at(wish, {**self.sample, **numbers}):
                self._pinned |= denied
        for cases in (part for each in sums for part in each.parts):
            chosen = [c for c, _ in cases.pieces if holds_at(c, self.sample)]
            taken = [part for one in chosen for part in parts_that_hold(one, self.sample)]
            for condition in taken or [c for c, _ in cases.pieces]:
                inside = condition_symbols(condition)
                names = {symbol.name for symbol in inside}
                own = names and names <= self._launched.keys() - self._given.keys()
                if own and holds_at(condition, self._launched) != bool(taken):
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
            number = self._launched.get(symbol.name, -1)
            if symbol.name in self._exponents:
                size = EXPONENT
            elif number >= 0 and symbol not in (*small, *tiny):
                # As the launch has them to each other, if not so small: 2 is less than any size.
                size = UNIT * (int(number) * _LAUNCHED + n + 1)
            else:
                size = UNIT * scale * (100 + n) // (SMALLER if symbol in tiny else 1)
            sample[symbol.name] = size
        sample.update(self._given)
        return sample

    def _learn(self, cases: Cases) -> None:
        """Give symbols that came up later a typical value too."""
        for condition, poly in cases.pieces:
            for each in (poly, *condition_polys(condition)):
                for symbol in exponents(each):
                    self._exponents.add(symbol.name)
                    if symbol.name not in self._given:
                        self.sample[symbol.name] = EXPONENT
            for symbol in condition_symbols(condition) | symbols(poly):
                self._know(symbol)

    def _know(self, symbol: Symbol) -> None:
        if symbol.name not in self.sample:
            self._names.append(symbol)
            scale = 1 if symbol.role is Role.LAUNCH else _LARGE
            self.sample[symbol.name] = UNIT * scale * (100 + len(self._names))
