"""How often a domain's threads do something: in all, and each by itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.condition import (
    TRUE,
    Compare,
    Condition,
    Earlier,
    Exists,
    Relation,
    conjunction,
    negate,
    nonnegative,
)
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import (
    condition_polys,
    condition_symbols,
    is_nonnegative,
    substitute_condition,
    symbols,
)
from estimator.count.cardinality import TooComplexError, count_points
from estimator.count.isl_text import NotAffineError, Translator, is_plain
from estimator.count.radix import split_digits
from estimator.count.shares import Shares, line_of, parts_of
from estimator.count.threads import index_space
from estimator.immutable import immutable
from estimator.ir.kernel import Domain, KernelIR, LaunchShape, UnknownInfo

# Conditions that are tried one by one beside the bounds of indices.
_MOST_ADDED = 12


@immutable()
class PieceCount:
    """One piece of a domain. `inner` is how often each thread for which `standing` holds does
    it (in the thread's indices and parameters); it does it at all where `active` holds.
    `total` is the sum over the grid. Where `is_mean`, `inner` is unknown, though the sum is not;
    where `at_most`, not all threads for which `active` holds need do it.
    """

    standing: Condition
    active: Condition
    inner: Cases
    total: Cases
    is_mean: bool = False
    at_most: bool = False


@immutable()
class DomainCount:
    """All pieces of a domain."""

    pieces: tuple[PieceCount, ...]

    @property
    def total(self) -> Sum:
        return Sum(tuple(piece.total for piece in self.pieces))


class DomainCounter:
    """Counts the domains of one kernel, each distinct one once."""

    def __init__(self, kernel: KernelIR) -> None:
        self.kernel = kernel
        self._by_identity: dict[int, DomainCount] = {}
        self.shares = Shares(kernel)
        self._by_content: dict[tuple[object, ...], PieceCount] = {}
        self._failed: dict[tuple[object, ...], Exception] = {}

    def count(self, domain: Domain) -> DomainCount:
        """The counts of a domain."""
        known = self._by_identity.get(id(domain))
        if known is None:
            pieces = []
            for piece in domain.pieces:
                one = self._piece(domain.counters, piece.condition)
                pieces.append(
                    replace(
                        one,
                        inner=one.inner.scale(piece.weight),
                        total=one.total.scale(piece.weight),
                    )
                )
            known = DomainCount(tuple(pieces))
            self._by_identity[id(domain)] = known
        return known

    def _piece(self, counters: tuple[Symbol, ...], condition: Condition) -> PieceCount:
        key = (counters, condition.key)
        known = self._by_content.get(key)
        if known is None:
            known = self._count_piece(counters, condition)
            self._by_content[key] = known
        return known

    def _count_piece(self, counters: tuple[Symbol, ...], condition: Condition) -> PieceCount:
        parts = parts_of(condition)
        try:
            return self._exact(counters, parts)
        except (NotAffineError, TooComplexError):
            standing = [p for p in parts if condition_symbols(p).isdisjoint(counters)]
            iterating = [p for p in parts if p not in standing]
            said = [part for part in iterating if self._sayable(counters, part)]
            active = conjunction(*standing, _happens(counters, said, self.kernel.launch))
            at_most = len(said) < len(iterating)
            counters, parts, weight = self._without_unsayable(counters, parts)
        try:
            one = self._exact(counters, parts)
        except (NotAffineError, TooComplexError):
            found = self._what_goes_together(counters, parts)
            counters, parts, more = found or self._nothing_but_boxes(counters, parts)
            weight = weight * more
            try:
                one = self._exact(counters, parts)
            except (NotAffineError, TooComplexError):
                one = self._share_of_all(parts)
        return PieceCount(
            one.standing,
            active,
            one.inner.scale(weight),
            one.total.scale(weight),
            one.is_mean,
            at_most,
        )

    def _exact(self, counters: tuple[Symbol, ...], parts: list[Condition]) -> PieceCount:
        """Raises NotAffineError, TooComplexError."""
        # What isl has no answer to in its budget is not asked again.
        key = (counters, *(part.key for part in parts))
        if key in self._failed:
            raise self._failed[key]
        try:
            return self._all_of(counters, parts)
        except (NotAffineError, TooComplexError) as error:
            self._failed[key] = error
            raise

    def _all_of(self, counters: tuple[Symbol, ...], parts: list[Condition]) -> PieceCount:
        launch = self.kernel.launch
        iterating = [p for p in parts if not condition_symbols(p).isdisjoint(counters)]
        standing = [p for p in parts if condition_symbols(p).isdisjoint(counters)]
        known = [*standing, *_natural(parts)]
        failed: Exception | None = None
        try:
            inner = count_points(list(counters), iterating, known) if counters else Cases.of(ONE)
        except (NotAffineError, TooComplexError) as error:
            inner, failed = Cases(()), error
        active = conjunction(*standing, _happens(counters, iterating, launch))
        single = None if failed else inner.single
        if single is not None and not single.has_role(Role.THREAD):
            total = self.threads_where(conjunction(*standing)).scale(single)
        else:
            space, unmentioned = index_space(launch, counters, list(parts))
            split_digits(space)
            if failed and set(counters) & set(space.variables):
                raise failed
            total = count_points(space.variables, [*space.ranges(), *space.parts])
            total = total.scale(unmentioned)
        if failed:
            inner = Cases.of(self.shares.trips(iterating[0]))
        return PieceCount(conjunction(*standing), active, inner, total, failed is not None)

    def threads_where(self, condition: Condition) -> Cases:
        """The number of threads of the launch for which a condition holds.

        Raises NotAffineError, TooComplexError.
        """
        key = ("threads", condition.key)
        known = self._by_content.get(key)
        if known is None:
            space, unmentioned = index_space(self.kernel.launch, (), parts_of(condition))
            split_digits(space)
            total = count_points(space.variables, [*space.ranges(), *space.parts])
            known = PieceCount(condition, condition, Cases.of(ONE), total.scale(unmentioned))
            self._by_content[key] = known
        return known.total

    def threads_if(self, condition: Condition) -> Cases:
        """The same with unknowns for what sets cannot say."""
        return self._piece((), condition).total

    # -- what sets cannot say ----------------------------------------------------------------

    def _without_unsayable(
        self, counters: tuple[Symbol, ...], parts: list[Condition]
    ) -> tuple[tuple[Symbol, ...], list[Condition], Poly]:
        """The problem without the parts that are not affine, and the unknowns in their place."""
        gone = [part for part in parts if not self._sayable(counters, part)]
        ended = {c for c in counters if any(_ends(p, c) for p in parts if p not in gone)}
        weight, lost = ONE, set[Symbol]()
        bounds: list[Condition] = []
        for part in gone:
            endless = [c for c in counters if c in condition_symbols(part) and c not in ended]
            if endless and endless[-1] not in lost:
                lost.add(endless[-1])
                bounds.append(part)
                weight = weight * self.shares.trips(part, endless[-1])
        rest: list[Condition] = []
        chances: dict[int, list[Condition]] = {}
        for part in parts:
            mentioned = condition_symbols(part) & lost
            if part in gone and mentioned and (part in bounds or not _chooses(part)):
                continue
            if part in gone or (mentioned and not _is_start(part, mentioned)):
                chances.setdefault(line_of(part), []).append(part)
            elif not mentioned:
                rest.append(part)
        for together in chances.values():
            weight = weight * self.shares.share(*together)
        return tuple(c for c in counters if c not in lost), rest, weight

    def _what_goes_together(
        self, counters: tuple[Symbol, ...], parts: list[Condition]
    ) -> tuple[tuple[Symbol, ...], list[Condition], Poly] | None:
        """The bounds of indices, and of the rest what can be said beside them; shares for what
        cannot. None where the bounds alone cannot be said, or nothing but they stand here."""
        kept = [part for part in parts if not _takes_apart(part)]
        others = [part for part in parts if part not in kept]
        if not counters or not others or len(others) > _MOST_ADDED:
            return None
        gone: dict[int, list[Condition]] = {}
        try:
            self._exact(counters, kept)
        except (NotAffineError, TooComplexError):
            return None
        for part in others:
            try:
                self._exact(counters, [*kept, part])
                kept.append(part)
            except (NotAffineError, TooComplexError):
                gone.setdefault(line_of(part), []).append(part)
        weight = ONE
        for together in gone.values():
            weight = weight * self.shares.share(*together)
        return counters, kept, weight

    def _nothing_but_boxes(
        self, counters: tuple[Symbol, ...], parts: list[Condition]
    ) -> tuple[tuple[Symbol, ...], list[Condition], Poly]:
        """Counters with bounds of their own, every other one a named trip count; every condition
        with more than one index a share."""
        boxed: list[Symbol] = []
        weight, said = ONE, list[Condition]()
        for counter in counters:
            own = [
                p for p in parts if counter in condition_symbols(p) and not _is_start(p, {counter})
            ]
            if any(_ends(p, counter) and _indices(p) == {counter} for p in own):
                boxed.append(counter)
                continue
            others = set(counters) - {counter}
            ends = [p for p in own if _ends(p, counter) and not _indices(p) & others] or own
            weight = weight * self.shares.trips(conjunction(*ends), counter)
            said += ends
        rest = []
        together: list[Condition] = []
        for part in parts:
            inside = _indices(part) & set(counters)
            if part in said or (inside and _is_start(part, inside - set(boxed))):
                continue  # what a trip count stands for
            if self._sayable((), part) if not inside else len(_indices(part)) == 1:
                rest.append(part)
            else:
                together.append(part)
        if together:
            weight = weight * self.shares.share(*together)
        return tuple(boxed), rest, weight

    def unknown_activity(self, most: Cases) -> Symbol:
        """An unknown for the threads that do anything, where data decides; `most` is its bound."""
        position = self.kernel.position
        symbol = Symbol(f"active@{position.line}", Role.UNKNOWN)
        upper = most.pieces[0][1] if len(most.pieces) == 1 else None
        meaning = "threads that do anything (conditions on data decide for each)"
        self.kernel.unknowns.setdefault(symbol, UnknownInfo(symbol, position, meaning, ZERO, upper))
        return symbol

    def _share_of_all(self, parts: list[Condition]) -> PieceCount:
        """An unknown share of all threads, where nothing better can be said."""
        share = self.shares.share(*parts)
        everyone = ONE
        for extent in (*self.kernel.launch.grid, *self.kernel.launch.block):
            everyone = everyone * extent
        return PieceCount(TRUE, TRUE, Cases.of(share), Cases.of(everyone * share))

    def _sayable(self, counters: tuple[Symbol, ...], part: Condition) -> bool:
        if is_plain(part):
            return True
        space, _ = index_space(self.kernel.launch, counters, [part])
        split_digits(space)
        translator = Translator(space.variables)
        try:
            for each in space.parts:
                translator.condition(each)
        except NotAffineError:
            return False
        return True


def _takes_apart(part: Condition) -> bool:
    """Whether a part speaks of an index that is divided, or multiplied with another one."""
    return any(
        any(symbol.is_index for symbol in symbols(Poly.of(atom)))
        for poly in condition_polys(part)
        for atom in poly.atoms()
        if not isinstance(atom, Symbol)
    )


def _natural(parts: list[Condition]) -> list[Condition]:
    """That thread and block indices are not negative, for those that the parts mention."""
    used = set().union(*(condition_symbols(part) for part in parts)) if parts else set()
    indices = sorted(symbol for symbol in used if symbol.role is Role.THREAD)
    return [Compare(Poly.of(symbol), Relation.NONNEGATIVE) for symbol in indices]


def _indices(part: Condition) -> set[Symbol]:
    return {symbol for symbol in condition_symbols(part) if symbol.is_index}


def _ends(part: Condition, counter: Symbol) -> bool:
    """Whether a part gives a counter a last iteration."""
    if not isinstance(part, Compare) or part.relation is Relation.NONZERO:
        return False
    slope = part.poly.coefficient(counter)
    return bool(slope) and (part.relation is Relation.ZERO or is_nonnegative(-slope))


def _chooses(part: Condition) -> bool:
    """Whether a part chooses among iterations (`j % 2 == 0`) rather than to end them."""
    return isinstance(part, Compare) and part.relation is not Relation.NONNEGATIVE


def _is_start(part: Condition, counters: Collection[Symbol]) -> bool:
    """Whether a part only says that a counter starts at 0."""
    return any(part == nonnegative(Poly.of(counter)) for counter in counters)


def _happens(
    counters: tuple[Symbol, ...], parts: list[Condition], launch: LaunchShape
) -> Condition:
    """Whether there is any iteration: the first one, where later ones need more than it."""
    if not parts:
        return TRUE
    if all(_is_hardest_later(part, counters, launch) for part in parts):
        return conjunction(*(_in_first(part, counters) for part in parts))
    condition = conjunction(*parts)
    for counter in reversed(counters):
        condition = Exists(counter, condition, negated=False)
    return condition


def _in_first(part: Condition, counters: tuple[Symbol, ...]) -> Condition:
    """A part in the first iteration of all counters."""
    first: dict[Atom, Poly] = dict.fromkeys(counters, ZERO)
    if isinstance(part, Earlier):
        if not part.including_present:
            return TRUE
        return negate(substitute_condition(part.condition, first))
    return substitute_condition(part, first)


def _is_hardest_later(part: Condition, counters: tuple[Symbol, ...], launch: LaunchShape) -> bool:
    """Whether a part that holds in some iteration holds in the first one too."""
    if _is_start(part, set(counters)):
        return True
    if isinstance(part, Earlier):
        # No earlier iteration may have held: the first one has none before it.
        return part.negated and part.counter in counters
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return False
    for counter in counters:
        powers = part.poly.collect(counter)
        inside = any(counter in symbols(power) for power in powers.values())
        if set(powers) - {0, 1} or inside:
            return False
        if not launch.is_no_step_back(-powers.get(1, ZERO)):
            return False
    return True
