"""From a kernel's IR to its report: every count as a formula for people, and exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.cases import Average, Cases, Sum
from estimator.algebra.condition import TRUE
from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.limits import limit
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.printing import Formula
from estimator.algebra.ratio import Ratio, reduce
from estimator.algebra.walk import symbols
from estimator.count.domains import DomainCounter
from estimator.count.even import EvenSizes
from estimator.count.quantities import (
    Activity,
    Key,
    ThreadFormula,
    activity,
    purposes,
    quantities,
    thread_formula,
)
from estimator.immutable import immutable
from estimator.ir.kernel import KernelIR, LaunchShape, Note
from estimator.memory.footprint import Shapes
from estimator.memory.traffic import ArrayTraffic, traffic
from estimator.report.loops import loops_that_run
from estimator.report.model import (
    ArrayBytes,
    Assumption,
    Bytes,
    Count,
    Counts,
    Intensity,
    KernelReport,
    Launch,
    LaunchOrigin,
    Parameter,
    Unknown,
)
from estimator.report.variation import variation_of
from estimator.roofline.work import symbols_of
from estimator.source.position import Position

Values = Mapping[str, int | Fraction]

# Unknowns that grow with the sizes: a limit that holds them fixed would mean nothing.
_GROWING = ("distinct_", "sectors_", "active")


@immutable(slots=False)
class LaunchFacts:
    """Where a kernel's launch came from, and the assumptions that it took.

    `known` has the values of parameters that the launch gives as numbers; `also` are further
    launches that are the same, `calls` the calls that lead to it, the nearest first. `related`
    has parameters that the launch gives as formulas of other sizes.
    """

    origin: LaunchOrigin
    position: Position | None
    notes: tuple[Note, ...]
    known: Mapping[str, int] = field(default_factory=dict)
    also: tuple[Position, ...] = ()
    calls: tuple[Position, ...] = ()
    related: Mapping[str, Poly] = field(default_factory=dict)


def _is_empty(launch: LaunchShape, values: Values) -> bool:
    """Whether a launch has no threads at the values given, as far as is known."""
    for extent in (*launch.grid, *launch.block):
        try:
            if evaluate(extent, values) < 1:
                return True
        except (Undecided, ZeroDivisionError):
            continue
    return False


class ReportBuilder:
    """Makes the report of a kernel as it stands, in one regime of its sizes."""

    def __init__(
        self,
        kernel: KernelIR,
        values: Values,
        launched: Mapping[str, int] | None = None,
        known: Shapes | None = None,
    ) -> None:
        self.kernel = kernel
        self.known_shapes = known or {}
        self.shapes: Shapes = {}
        self.counter = DomainCounter(kernel)
        names = {p.symbol for p in kernel.parameters if p.symbol is not None}
        for extent in (*kernel.launch.grid, *kernel.launch.block):
            names |= symbols(extent)
        # What does not run at the values given is shown as it is for sizes at which it does.
        self.even = EvenSizes(names, {} if _is_empty(kernel.launch, values) else values, launched)
        self.values = values
        self.takes_rows_as_aligned = False
        self._counted: dict[tuple[Sum, bool], Count] = {}

    def report(self, launch: LaunchFacts) -> KernelReport:
        """Everything counted, in the report's terms."""
        kernel = self.kernel
        found = quantities(kernel)
        active = activity(self.counter, found.values())
        arrays, notes = traffic(self.counter, self.known_shapes)
        self.shapes = notes.shapes
        totals = {key: quantity.total(self.counter) for key, quantity in found.items()}
        counted = [*totals.values(), *(array.compulsory for array in arrays)]
        self.even.choose(counted, notes.wishes, purposes(totals))
        everyone = active.at(self.even.formula)
        threads = self._threads()
        shares = {
            key: thread_formula(self.counter, quantity, active, everyone, self.even)
            for key, quantity in found.items()
        }
        grid = self._counts({key: self.count(total) for key, total in totals.items()})
        each = {key: self._share(shares[key], totals[key], active, everyone) for key in found}
        bytes_ = self._bytes(arrays)
        work = Sum(tuple(p for (kind, _), t in totals.items() if kind == "flops" for p in t.parts))
        intensities = self._intensities(work, arrays, bytes_)
        self.takes_rows_as_aligned = "aligned-rows" in notes.found
        own = [Note(c, m) for c, found_ in notes.found.items() for m in sorted(found_)]
        own = [note for note in own if note.code != "aligned-rows" or _rounds(bytes_)]
        own = [note for note in own if self.even.holds(notes.given.get(note.message, TRUE))]
        taken = [*launch.notes, *kernel.notes, *own]
        taken += loops_that_run(kernel)
        taken += [Note(code, message) for code, message in self.even.assumptions()]
        printed = [*totals.values()]
        printed += [active.count] if everyone == self.even.formula(active.count) else []
        printed += [sum_ for a in arrays for sum_ in (a.requested, a.compulsory, a.sectors)]
        variation = variation_of(self.kernel, shares)
        varying = variation.formulas if variation else {}
        unknowns, exact = self._unknowns(printed, varying, symbols_of(active.count))
        return KernelReport(
            name=kernel.name,
            position=kernel.position,
            parameters=tuple(
                Parameter(p.name, p.type, self._given(p.name)) for p in kernel.parameters
            ),
            launch=Launch(
                kernel.launch.grid,
                kernel.launch.block,
                launch.origin,
                launch.position,
                launch.also,
                launch.calls,
                values=self._launch_values(),
            ),
            assumptions=tuple(Assumption(note.code, note.message) for note in taken),
            per_thread=self._counts(each),
            variation=variation,
            grid=grid,
            threads=threads,
            active_threads=replace(self.count(active.count), formula=everyone),
            bytes=bytes_,
            intensities=intensities,
            unknowns=unknowns,
            exact_unknowns=exact,
        )

    def shapes_at(self, values: Values) -> Shapes:
        """The shapes of arrays at sizes, where they have them."""
        found = {key: (shape.at(values), unit) for key, (shape, unit) in self.shapes.items()}
        return {key: (shape, unit) for key, (shape, unit) in found.items() if shape is not None}

    def _launch_values(self) -> tuple[tuple[str, int | Fraction], ...]:
        """The values of sizes of the launch that are no parameters of the kernel."""
        own = {parameter.name for parameter in self.kernel.parameters}
        extents = (*self.kernel.launch.grid, *self.kernel.launch.block)
        names = sorted({symbol.name for extent in extents for symbol in symbols(extent)} - own)
        return tuple((name, self.values[name]) for name in names if name in self.values)

    # -- values ----------------------------------------------------------------------------

    def _given(self, name: str) -> int | Fraction | None:
        return self.values.get(name)

    def value(self, formula: Formula) -> int | Fraction | None:
        """The number at the values given, if they suffice."""
        try:
            if isinstance(formula, Poly):
                return evaluate(formula, self.values)
            return formula.evaluate(self.values)
        except (Undecided, KeyError, ZeroDivisionError):
            return None

    def count(self, exact: Sum, *, sectors: bool = False) -> Count:
        """An exact sum with its formula for even sizes."""
        exact = exact.merged()
        known = self._counted.get((exact, sectors))
        if known is not None:
            return known
        single = exact.parts[0].single if len(exact.parts) == 1 else None
        shown: Formula = exact if single is None else single
        formula = self.even.sectors(exact) if sectors else self.even.formula(exact)
        found = Count(formula, shown, self.value(shown))
        self._counted[exact, sectors] = found
        return found

    def _threads(self) -> Count:
        total = Poly.of(1)
        for extent in (*self.kernel.launch.grid, *self.kernel.launch.block):
            total = total * extent
        return self.count(Sum((Cases.of(total),)))

    # -- counts ----------------------------------------------------------------------------

    def _share(
        self,
        share: ThreadFormula,
        total: Sum,
        active: Activity,
        everyone: Poly,
    ) -> Count:
        """A thread's share: what all active threads do, else the average over them."""
        exact: Formula = Average(total, active.count)
        if share.uniform is not None:
            formula: Formula = self.even.formula(share.uniform)
            singles = [part.single for part in share.varying.parts]
            if all(one is not None and not one.has_role(Role.THREAD) for one in singles):
                exact = share.uniform
        else:
            above = self.even.formula(total)
            ratio = reduce(above, everyone) if everyone else Ratio(ZERO)
            formula = ratio if ratio.poly is None else ratio.poly
        return Count(formula, exact, self.value(exact))

    def _counts(self, counts: Mapping[Key, Count]) -> Counts:
        def of(kind: str) -> dict[str, Count]:
            return {key: count for (name, key), count in counts.items() if name == kind}

        none = Count(ZERO, ZERO, 0)
        flops = dict(sorted(of("flops").items(), key=lambda item: _by_precision(item[0])))
        return Counts(
            flops=flops,
            special=of("special").get("", none),
            loads=of("loads"),
            stores=of("stores"),
            atomics=of("atomics"),
            shuffles=of("shuffles").get("", none),
            barriers=of("barriers").get("", none),
        )

    # -- bytes -----------------------------------------------------------------------------

    def _bytes(self, arrays: list[ArrayTraffic]) -> Bytes:
        by_array: dict[str, ArrayBytes] = {}
        for array in arrays:
            name = array.name
            while name in by_array:
                name += "'"
            by_array[name] = ArrayBytes(
                self.count(array.requested),
                self.count(array.compulsory),
                self.count(array.sectors, sectors=True),
            )
        return Bytes(
            self.count(_sum(a.requested for a in arrays)),
            self.count(_sum(a.compulsory for a in arrays)),
            self.count(_sum(a.sectors for a in arrays), sectors=True),
            by_array,
        )

    def _intensities(self, work: Sum, arrays: list[ArrayTraffic], bytes_: Bytes) -> Intensity:
        flops = self.even.formula(work)

        def ratio(traffic_: Sum, count: Count) -> Count | None:
            assert isinstance(count.formula, Poly)
            if not count.formula:
                return None
            formula = reduce(flops, count.formula)
            exact = Average(work.merged(), traffic_.merged())
            return Count(_simplest(formula), exact, self.value(exact))

        requested = ratio(_sum(a.requested for a in arrays), bytes_.requested)
        compulsory = ratio(_sum(a.compulsory for a in arrays), bytes_.compulsory)
        sectors = ratio(_sum(a.sectors for a in arrays), bytes_.compulsory_sectors)
        limits = {
            name: self._limit(count)
            for name, count in (("requested", requested), ("compulsory", compulsory))
        }
        return Intensity(requested, compulsory, sectors, limits)

    def _limit(self, count: Count | None) -> Formula | None:
        if count is None:
            return None
        formula = count.formula
        ratio = Ratio(formula) if isinstance(formula, Poly) else formula
        assert isinstance(ratio, Ratio)
        inside = symbols(ratio.numerator) | symbols(ratio.denominator)
        if any(symbol.name.startswith(_GROWING) for symbol in inside):
            return None
        sizes = sorted(
            s
            for s in inside
            if s.role in (Role.PARAMETER, Role.UNIFORM) and s.name not in self.even.limited
        )
        found = limit(ratio, sizes) if sizes else ratio
        if found is not None:
            inside = symbols(found.numerator) | symbols(found.denominator)
            extents = sorted(s for s in inside if s.role is Role.LAUNCH)
            found = limit(found, extents) if extents else found
        return None if found is None else _simplest(found)

    def _missing(self, formula: Sum) -> set[Symbol]:
        """The unknown that a formula needs at the sizes given, if they are."""
        try:
            formula.evaluate(self.values)
        except Undecided as missing:
            return {Symbol(str(missing.args[0]), Role.UNKNOWN)}
        except (KeyError, ZeroDivisionError):
            pass
        return set()

    # -- unknowns --------------------------------------------------------------------------

    def _unknowns(
        self, formulas: list[Sum], varying: Mapping[str, Formula], also_exact: set[Symbol]
    ) -> tuple[tuple[Unknown, ...], tuple[Unknown, ...]]:
        """The unknowns of the formulas for even sizes, and those that only exact ones have."""
        if not self.kernel.unknowns:
            return (), ()
        used: set[Symbol] = set()
        for formula in formulas:
            used |= symbols(self.even.formula(formula))
            used |= self._missing(formula)
        for share in varying.values():
            used |= symbols_of(share)
        used = self._with_bounds(used)
        exact = also_exact.union(*(symbols_of(formula) for formula in formulas))
        return self._listed(used), self._listed(self._with_bounds(exact) - used)

    def _listed(self, used: set[Symbol]) -> tuple[Unknown, ...]:
        infos = [info for symbol, info in self.kernel.unknowns.items() if symbol in used]
        infos.sort(key=lambda info: (info.position.line, info.symbol.name))
        return tuple(
            Unknown(
                info.symbol.name,
                info.symbol.identifier,
                info.position,
                info.meaning,
                None if info.lower is None else self.even.formula(info.lower),
                None if info.upper is None else self.even.formula(info.upper),
                self.values.get(info.symbol.name),
            )
            for info in infos
        )

    def _with_bounds(self, used: set[Symbol]) -> set[Symbol]:
        """The unknowns in use, and those that their bounds are formulas of."""
        found: set[Symbol] = set()
        queue = list(used)
        while queue:
            symbol = queue.pop()
            info = self.kernel.unknowns.get(symbol)
            if symbol in found or info is None:
                continue
            found.add(symbol)
            for bound in (info.lower, info.upper):
                queue += symbols(self.even.formula(bound)) if bound is not None else ()
        return found


def _by_precision(key: str) -> tuple[bool, int, str]:
    """Vector units before tensor cores, wide formats before narrow ones."""
    width = re.search(r"\d+", key)
    return key.startswith("tensor"), -int(width.group()) if width else 0, key


def _sum(parts: Iterable[Sum]) -> Sum:
    total = Sum()
    for part in parts:
        total = total + part
    return total


def _simplest(ratio: Ratio) -> Formula:
    return ratio if ratio.poly is None else ratio.poly


def _rounds(bytes_: Bytes) -> bool:
    """Whether whole sectors are more than the elements in them, for some sizes."""
    return bytes_.compulsory.exact != bytes_.compulsory_sectors.exact
