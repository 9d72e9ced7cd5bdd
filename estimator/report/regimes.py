"""Which sizes and variants a report speaks of: one variant, below caps, as the launch relates.

The formulas for people follow the regime; the exact ones are for all of them, and the numbers
for the sizes given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from fractions import Fraction

from estimator.algebra.atoms import Atom, Floor, Quotient, Role, Symbol
from estimator.algebra.evaluate import TooLargeError, Undecided, evaluate
from estimator.algebra.poly import Poly
from estimator.algebra.printing import HUMAN, text
from estimator.algebra.walk import substitute, symbols
from estimator.count.caps import below_caps
from estimator.count.selectors import choose, selectors
from estimator.count.specialize import replaced, sizes_of, specialized
from estimator.count.undefined import zero_divisions
from estimator.ir.kernel import KernelIR, Note
from estimator.lower.extents import plain_extent
from estimator.report.build import LaunchFacts, ReportBuilder, Values
from estimator.report.model import Assumption, KernelReport
from estimator.report.values import lacks_values, with_exact, with_values
from estimator.source.diagnostics import Diagnostic
from estimator.source.position import Position

# Said where the kernel cannot be counted at the values themselves.
_BY_FORMULA = Assumption(
    "by-formula",
    "values are those of the formulas, in which integers do not wrap around: "
    "running through the kernel at these sizes takes too many steps",
)
_NOT_COUNTED = Assumption(
    "by-formula",
    "values are those of the formulas: when loops end at these sizes could not be counted",
)
# Gives the kernel lowered at sizes that are known, by name; None where that does not work.
Lowering = Callable[[Mapping[str, int]], KernelIR | None]


def build_report(
    kernel: KernelIR, launch: LaunchFacts, values: Values, lower: Lowering
) -> tuple[KernelReport, list[Diagnostic]]:
    """The report of a kernel, and warnings of what C leaves undefined at the values.

    `values` gives sizes and unknowns numbers, by symbol name; `lower` gives the kernel at sizes.

    Formulas follow one value of each parameter that chooses between variants of the kernel, and
    a grid below its cap; the exact ones are for all of them.
    """
    given = {name: int(value) for name, value in values.items() if value == int(value)}
    chosen = choose(kernel, selectors(kernel), {**launch.known, **given})
    uncapped, below = below_caps(kernel.launch, values)
    related = _related(kernel, launch, values, {name for name, _, _ in chosen})
    if not (chosen or uncapped or related):
        return _with_numbers(kernel, launch, values, lower), zero_divisions(kernel, values)
    notes = [Note("variant", message) for name, _, message in chosen if name not in values]
    notes += [Note("below-cap", message) for message in below]
    fixed: dict[str, int | Fraction] = {name: value for name, value, _ in chosen}
    numbers = {**fixed, **values}

    def within(formulas: Mapping[Atom, Poly]) -> tuple[KernelIR, KernelReport]:
        more = [
            Note("related", f"{text(Poly.of(atom), HUMAN)} = {text(poly, HUMAN)}, as launched")
            for atom, poly in formulas.items()
        ]
        inside = replaced(specialized(kernel, fixed), {**uncapped, **formulas})
        with_notes = replace(launch, notes=(*launch.notes, *notes, *more))
        return inside, _with_numbers(inside, with_notes, numbers, lower, formulas)

    try:
        inside, report = within(related)
    except Undecided:
        if not related:
            raise
        inside, report = within({})  # sizes of their own are simpler to count with
    general = ReportBuilder(kernel, values, launch.known).report(launch)
    parameters = tuple(replace(p, value=values.get(p.name)) for p in report.parameters)
    report = replace(report, parameters=parameters, launch=general.launch)
    return with_exact(report, general), zero_divisions(inside, numbers)


def _related(
    kernel: KernelIR, launch: LaunchFacts, values: Values, chosen: AbstractSet[str]
) -> dict[Atom, Poly]:
    """The parameters that are formulas of other sizes at the launch, if these say anything.

    A formula in a host variable that nothing else depends on only gives a size another name;
    those `chosen` and those with `values` are known.
    """
    used = sizes_of(kernel) if launch.related else set()
    found: dict[Atom, Poly] = {}
    for name, poly in launch.related.items():
        own = Symbol(name, Role.PARAMETER)
        if name in values or name in chosen or own not in used:
            continue
        poly = substitute(_for_large(poly, values), found)  # in terms of what stays
        inside = symbols(poly)
        if own in inside or not inside <= used:
            continue
        found = {other: substitute(formula, {own: poly}) for other, formula in found.items()}
        found[own] = poly
    return found


def _for_large(poly: Poly, values: Values) -> Poly:
    """A formula with (n - 1)/2 rounded down, as it is for all but the smallest sizes."""
    plain = plain_extent(poly) if _grows(poly) else poly
    if plain == poly or not all(symbol.name in values for symbol in symbols(poly)):
        return plain
    try:
        exact = evaluate(poly, values)
        return plain if evaluate(plain, values) == exact else Poly.of(exact)
    except (Undecided, ZeroDivisionError):
        return poly


def _grows(poly: Poly) -> bool:
    """Whether what is divided in a formula is positive for large sizes."""
    return all(
        _grows(atom.numerator)
        and all(value > 0 for monomial, value in atom.numerator.terms.items() if monomial)
        for atom in poly.atoms()
        if isinstance(atom, (Floor, Quotient))
    )


def _with_numbers(
    kernel: KernelIR,
    launch: LaunchFacts,
    values: Values,
    lower: Lowering,
    related: Mapping[Atom, Poly] | None = None,
) -> KernelReport:
    builder = ReportBuilder(kernel, values, launch.known)
    report = builder.report(launch)
    sizes = sizes_of(kernel)
    bound = _at_sizes(kernel, values, lower, related or {})
    if bound is None and _given(kernel, values):
        report = replace(report, assumptions=(*report.assumptions, _BY_FORMULA))
    negative = any(values.get(symbol.name, 0) < 0 for symbol in sizes)
    negative = negative or any(number < 0 for number in _given(kernel, values).values())
    # Formulas take sizes to be at least 0, numbers to fit their types, and rows to start at
    # sectors; numbers need not.
    beyond = negative or (bound is not None and not bound.wrapped <= kernel.wrapped)
    if not beyond:
        if not sizes or any(s.name not in values for s in sizes):
            return report
        if not (builder.takes_rows_as_aligned or lacks_values(report)):
            return report
    at_sizes = specialized(bound or kernel, values)
    # A pointer that is followed at sizes only adds to what is touched of its array.
    is_alike = _touched(kernel) == _touched(at_sizes)
    shapes = {} if beyond or not is_alike else builder.shapes_at(values)
    try:
        found = ReportBuilder(at_sizes, values, known=shapes).report(launch)
    except Undecided as error:
        if beyond or isinstance(error, TooLargeError):
            raise  # the formulas are not meant for such numbers
        return replace(report, assumptions=(*report.assumptions, _NOT_COUNTED))
    return with_values(report, found, keep=not beyond)


def _touched(kernel: KernelIR) -> set[tuple[str, Position]]:
    """The arrays that a kernel reads or writes."""
    return {(access.array.name, access.array.position) for access in kernel.accesses}


def _given(kernel: KernelIR, values: Values) -> dict[str, int]:
    """The values that are sizes, and no unknowns."""
    unknowns = {symbol.name for symbol in kernel.unknowns}
    return {
        name: int(value)
        for name, value in values.items()
        if value == int(value) and name not in unknowns
    }


def _at_sizes(
    kernel: KernelIR, values: Values, lower: Lowering, related: Mapping[Atom, Poly]
) -> KernelIR | None:
    """The kernel lowered at the values given, with C's arithmetic on each in its type."""
    given = _given(kernel, values)
    if not given:
        return None
    for atom, poly in related.items():
        try:
            value = evaluate(poly, values)
        except (Undecided, ZeroDivisionError):
            continue
        if isinstance(atom, Symbol) and value == int(value):
            given[atom.name] = int(value)
    return lower(given)
