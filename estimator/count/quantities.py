"""A kernel's counted quantities: FLOPs, accesses, barriers, over the grid and by thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from estimator.algebra.atoms import Floor, Role, Symbol
from estimator.algebra.cases import Cases, Sum
from estimator.algebra.condition import (
    Compare,
    Condition,
    Earlier,
    Exists,
    Relation,
    conjunction,
    disjunction,
    negate,
    nonnegative,
)
from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.poly import ONE, Number, Poly
from estimator.algebra.ratio import divide_exactly, reduce
from estimator.algebra.walk import condition_symbols, is_nonnegative, symbols
from estimator.count.cardinality import TooComplexError
from estimator.count.domains import DomainCounter, PieceCount
from estimator.count.even import EvenSizes
from estimator.count.everywhere import extents_of, holds_everywhere, without_zeros
from estimator.count.isl_text import NotAffineError
from estimator.count.peel import peel
from estimator.count.shares import parts_of
from estimator.immutable import immutable
from estimator.ir.kernel import AccessKind, Domain, KernelIR, Piece, Space, SyncKind

Key = tuple[str, str]
# More conditions than this are not compared with each other.
_MOST_COMPARED = 200


@dataclass
class Quantity:
    """One thing counted: each domain with how much of it one execution is."""

    domains: dict[int, tuple[Domain, Poly]] = field(default_factory=dict)

    def add(self, domain: Domain, amount: Poly | int) -> None:
        """Add `amount` for every execution of a domain."""
        known = self.domains.get(id(domain))
        total = Poly.of(amount) if known is None else known[1] + amount
        self.domains[id(domain)] = (domain, total)

    def total(self, counter: DomainCounter) -> Sum:
        """The sum over the grid."""
        parts: list[Cases] = []
        for domain, amount in self.domains.values():
            parts.extend(counter.count(domain).total.scale(amount).parts)
        return Sum(tuple(parts)).merged()


def quantities(kernel: KernelIR) -> dict[Key, Quantity]:
    """All quantities of a kernel by kind and key: ("flops", "fp32"), ("loads", "global"), …"""
    found: dict[Key, Quantity] = {}

    def add(kind: str, key: str, domain: Domain, amount: Poly | int) -> None:
        if not isinstance(amount, int) or amount:
            found.setdefault((kind, key), Quantity()).add(domain, amount)

    for operation in kernel.operations:
        add("flops", operation.precision, operation.domain, operation.flops)
        add("special", "", operation.domain, operation.special)
    names = {AccessKind.LOAD: "loads", AccessKind.STORE: "stores", AccessKind.ATOMIC: "atomics"}
    for access in kernel.accesses:
        add(names[access.kind], access.array.space.value, access.domain, 1)
    for sync in kernel.syncs:
        kind = "barriers" if sync.kind is SyncKind.BARRIER else "shuffles"
        add(kind, "", sync.domain, 1)
    for call in kernel.unknown_costs:
        add("flops", "fp32", call.domain, Poly.of(call.cost))
    return found


def purposes(totals: Mapping[Key, Sum]) -> tuple[list[Sum], list[Sum]]:
    """The totals of what a kernel is for: those of what it works with, and those of results."""
    inside = (Space.SHARED.value, Space.LOCAL.value)
    work = [total for (kind, _), total in totals.items() if kind not in ("stores", "barriers")]
    results = [
        total
        for (kind, space), total in totals.items()
        if kind in ("stores", "atomics") and space not in inside
    ]
    return work, results


@immutable(slots=False)
class Activity:
    """The threads that do anything at all: the condition on them, and how many there are.

    Where data decides for some, `count` is unknown, and at least `certain` and at most `most`.
    """

    condition: Condition
    count: Sum
    certain: Sum | None = None
    most: Sum | None = None

    def at(self, even: Callable[[Sum], Poly]) -> Poly:
        """How many there are at even sizes: known where all that may be active certainly are."""
        if self.certain is not None and self.most is not None:
            least = even(self.certain)
            if least and least == even(self.most):
                return least
        return even(self.count)


def activity(counter: DomainCounter, found: Iterable[Quantity]) -> Activity:
    """The union of all domains' threads."""
    certain: dict[str, Condition] = {}
    possible: dict[str, Condition] = {}
    for quantity in found:
        for domain, _ in quantity.domains.values():
            for whole, piece in zip(domain.pieces, counter.count(domain).pieces, strict=True):
                known = not _depends_on_data(whole.weight) and not piece.at_most
                (certain if known else possible)[piece.active.key] = piece.active
    certain = {condition.key: condition for condition in _joined(list(certain.values()))}
    widest = _widest([*certain.values(), *possible.values()])
    if not widest:
        return Activity(conjunction(), Sum())
    condition = disjunction(*widest)
    total = counter.threads_if(condition)
    if all(each.key in certain for each in widest):
        return Activity(condition, Sum((total,)))
    symbol = counter.unknown_activity(total)
    sure = _widest(list(certain.values()))
    least = Sum((counter.threads_if(disjunction(*sure)),)) if sure else None
    count = Sum((Cases.of(Poly.of(symbol)),))
    return Activity(condition, count, least, Sum((total,)))


def _depends_on_data(weight: Poly) -> bool:
    """Whether a weight holds more than trip counts, which are taken to be at least 1."""
    return any(s.role is Role.UNKNOWN and not s.name.startswith("trips") for s in symbols(weight))


def _widest(conditions: list[Condition]) -> list[Condition]:
    """The conditions that no other one is seen to include: fewer demands, or weaker ones."""
    conditions = _without_iterations(_joined(conditions))
    demands = {frozenset(p.key for p in parts_of(c)): c for c in conditions}
    if frozenset() in demands:
        return [demands[frozenset()]]
    weakest = _weakest_bounds(list(demands.values()))
    demands = {parts: c for parts, c in demands.items() if c in weakest}
    if len(demands) > _MOST_COMPARED:
        return list(demands.values())
    return [c for parts, c in demands.items() if not any(other < parts for other in demands)]


def _without_iterations(conditions: list[Condition]) -> list[Condition]:
    """The conditions without those on some iteration (`k < n`, and more) that demand what another
    one does without it (`n >= 1`)."""
    plain = [c for c in conditions if not isinstance(c, Exists)]
    kept: list[Condition] = []
    for condition in conditions:
        inner = condition
        while isinstance(inner, Exists) and not inner.negated:
            inner = inner.condition
        demanded = parts_of(inner)
        if inner is condition or not any(
            all(_follows(part, demanded) for part in parts_of(other)) for other in plain
        ):
            kept.append(condition)
    return kept


def _joined(conditions: list[Condition]) -> list[Condition]:
    """Two conditions that differ in one part and its opposite are the one without it."""
    found = {frozenset(p.key for p in parts_of(c)): c for c in conditions}
    queue = list(found)
    while queue and len(found) <= _MOST_COMPARED:
        keys = queue.pop()
        for part in parts_of(found[keys]):
            without = keys - {part.key}
            if without not in found and without | {negate(part).key} in found:
                rest = [other for other in parts_of(found[keys]) if other.key != part.key]
                found[without] = conjunction(*rest)
                queue.append(without)
    return list(found.values())


def _weakest_bounds(conditions: list[Condition]) -> set[Condition]:
    """The conditions without those that have i < 3 where another, else equal, has i < 4."""
    best: dict[tuple[frozenset[str], str], tuple[Number, Condition]] = {}
    beaten: set[Condition] = set()
    for condition in conditions:
        parts = parts_of(condition)
        keys = frozenset(part.key for part in parts)
        for part in parts:
            if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
                continue
            constant = part.poly.constant_term
            key = (keys - {part.key}, (part.poly - constant).key)
            known = best.get(key)
            if known is None:
                best[key] = (constant, condition)
            elif known[0] >= constant:
                beaten.add(condition)
            else:
                beaten.add(known[1])
                best[key] = (constant, condition)
    return set(conditions) - beaten


def _unrounded(poly: Poly) -> Poly | None:
    """p + c*d for ⌊p/d⌋ + c: the one is not negative if the other is not."""
    floors = [atom for atom in poly.atoms() if isinstance(atom, Floor)]
    if len(floors) != 1 or poly.coefficient(floors[0]) != ONE:
        return None
    rest = poly - Poly.of(floors[0])
    if rest.integer is None:
        return None
    return floors[0].numerator + rest * floors[0].denominator


@immutable(slots=False)
class ThreadFormula:
    """What one thread does of a quantity: `uniform` if all active threads do that much,
    else `varying` in the thread's indices."""

    uniform: Poly | None
    varying: Sum


def thread_formula(
    counter: DomainCounter, quantity: Quantity, active: Activity, everyone: Poly, even: EvenSizes
) -> ThreadFormula:
    """A thread's share of a quantity. `everyone` is the even number of active threads, `even`
    makes formulas for even sizes of exact ones."""
    uniform: Poly | None = Poly.of(0)
    parts: list[Cases] = []
    noted = even.noted()
    extents = extents_of(counter.kernel.launch)
    for domain, amount in quantity.domains.values():
        for whole, piece in zip(domain.pieces, counter.count(domain).pieces, strict=True):
            inner = piece.inner.scale(amount)
            parts.append(_where(inner, piece.standing, active.condition, extents))
            single = _single(inner)
            if single is not None and single.has_role(Role.THREAD):
                single = _alike(counter, single, piece, amount, even)
            elif single is not None and not _unknowns(single).isdisjoint(_unknowns(everyone)):
                # The share of the threads that are active is in it too.
                single = divide_exactly(even.formula(Sum((piece.total.scale(amount),))), everyone)
            most = None
            if uniform is not None and not piece.is_mean:
                most = _all_of_it(domain, whole, piece, everyone, even)
            if uniform is not None and most is not None:
                uniform = uniform + most * amount
            elif single is None or piece.is_mean:
                uniform = None
            elif uniform is not None:
                full = piece.active.key == active.condition.key or (
                    bool(everyone) and even.formula(_threads(counter, piece.active)) == everyone
                )
                uniform = uniform + single if full else None
    if uniform is None:
        even.back_to(noted)  # only that threads do the same would have taken it
    return ThreadFormula(uniform, Sum(tuple(parts)))


def _unknowns(poly: Poly) -> set[Symbol]:
    return {symbol for symbol in symbols(poly) if symbol.role is Role.UNKNOWN}


def _alike(
    counter: DomainCounter, single: Poly, piece: PieceCount, amount: Poly, even: EvenSizes
) -> Poly | None:
    """What every thread does at even sizes, where the first and the last one do the same and
    those between cannot do less or more; as threads of a grid-stride loop."""
    if not _falls(single):
        return None
    launch = counter.kernel.launch
    first: dict[str, Number] = {}
    last: dict[str, Number] = {}
    try:
        for name, extents in (("blockIdx", launch.grid), ("threadIdx", launch.block)):
            for axis, extent in zip("xyz", extents, strict=True):
                first[f"{name}.{axis}"] = 0
                last[f"{name}.{axis}"] = evaluate(extent, even.sample) - 1
        if evaluate(single, {**even.sample, **first}) != evaluate(single, {**even.sample, **last}):
            return None
    except (Undecided, ZeroDivisionError):
        return None
    threads = even.formula(_threads(counter, piece.active))
    total = even.formula(Sum((piece.total.scale(amount),)))
    share = reduce(total, threads) if threads else None
    if share is None or share.poly is None:
        return None
    for atom in single.atoms():
        if isinstance(atom, Floor) and Poly.of(atom).has_role(Role.THREAD):
            even.note_division(_sizes(atom.numerator), atom.denominator)
    return share.poly


def _all_of_it(
    domain: Domain, whole: Piece, piece: PieceCount, everyone: Poly, even: EvenSizes
) -> Poly | None:
    """How often each thread does something, if the total at even sizes is as much as if no
    condition on threads kept any of them from any of it: then all of them do all of it."""
    parts = parts_of(whole.condition)
    free = [p for p in parts if all(s.role is not Role.THREAD for s in condition_symbols(p))]
    if len(free) == len(parts) or any(isinstance(part, Earlier | Exists) for part in free):
        return None
    iterating = [p for p in free if not condition_symbols(p).isdisjoint(domain.counters)]
    peeled = peel(domain.counters, tuple(iterating))
    if peeled.variables or peeled.parts or not even.holds(peeled.given):
        return None
    most = peeled.factor * whole.weight
    if most.has_role(Role.THREAD) or not everyone:
        return None
    noted = even.noted()
    if even.formula(Sum((piece.total,))) == even.formula(most) * everyone:
        return most
    even.back_to(noted)
    return None


def _sizes(poly: Poly) -> Poly:
    """The terms without indices and constants."""
    return Poly(
        {m: c for m, c in poly.terms.items() if m and not Poly({m: c}).has_role(Role.THREAD)}
    )


def _falls(poly: Poly) -> bool:
    """Whether a formula cannot rise with a thread's index: floors of what falls with it."""
    for atom in poly.atoms():
        if not Poly.of(atom).has_role(Role.THREAD):
            continue
        powers = poly.collect(atom)
        if set(powers) - {0, 1} or not is_nonnegative(powers.get(1, Poly.of(0))):
            return False
        if not isinstance(atom, Floor) or atom.denominator.has_role(Role.THREAD):
            return False
        if any(
            not is_nonnegative(-atom.numerator.coefficient(symbol))
            for symbol in symbols(atom.numerator)
            if symbol.role is Role.THREAD
        ):
            return False
        inside = {a for a in atom.numerator.atoms() if Poly.of(a).has_role(Role.THREAD)}
        if not all(isinstance(one, Symbol) for one in inside):
            return False
    return True


def _threads(counter: DomainCounter, condition: Condition) -> Sum:
    try:
        return Sum((counter.threads_where(condition),))
    except (NotAffineError, TooComplexError):
        return Sum()


def _single(cases: Cases) -> Poly | None:
    """The formula that an active thread follows: the only piece, or the only one at all."""
    return cases.pieces[0][1] if len(cases.pieces) == 1 else cases.single


def _where(
    inner: Cases, condition: Condition, given: Condition, extents: Mapping[Symbol, int]
) -> Cases:
    """A thread's count where it is active beyond what is given, indices being below `extents`."""
    known = parts_of(given)
    inner, condition = without_zeros(inner, condition, extents)

    def is_said(part: Condition, *others: Condition) -> bool:
        return _follows(part, [*known, *others]) or holds_everywhere(part, extents)

    extra = [part for part in parts_of(condition) if not is_said(part)]
    pieces = []
    for own, poly in inner.pieces:
        needed = [part for part in parts_of(own) if not is_said(part, *extra)]
        if any(holds_everywhere(negate(part), extents) for part in (*extra, *needed)):
            continue  # no thread of the launch is one of these
        pieces.append((conjunction(*extra, *needed), poly))
    return Cases(tuple(pieces))


def _follows(part: Condition, known: list[Condition]) -> bool:
    """Whether a part is certain where all of `known` hold: n - i >= 0 where n - i - 1 >= 0."""
    if part in known:
        return True
    if not isinstance(part, Compare) or part.relation is not Relation.NONNEGATIVE:
        return False
    unrounded = _unrounded(part.poly)
    if unrounded is not None and _follows(nonnegative(unrounded), known):
        return True
    return any(
        isinstance(other, Compare)
        and other.relation is Relation.NONNEGATIVE
        and is_nonnegative(part.poly - other.poly)
        for other in known
    )
