"""A report as blocks: what stands in it and in which order, for every readable format."""

from __future__ import annotations

from collections.abc import Iterator

from estimator.algebra.cases import Average
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.printing import Formula, sympy_text
from estimator.report import units
from estimator.report.document import (
    Block,
    Cell,
    Column,
    Fields,
    Heading,
    Paragraph,
    Table,
    Tone,
    cell_text,
)
from estimator.report.gpu_blocks import gpu_blocks
from estimator.report.model import (
    ArrayBytes,
    Bytes,
    Count,
    FileReport,
    Intensity,
    KernelReport,
    LaunchOrigin,
)
from estimator.report.rows import count_rows, name_of
from estimator.source.diagnostics import Diagnostic, Severity
from estimator.source.position import Position

_NOT_GIVEN: Cell = ("–",)
_MANY_CASES = "many cases; --format json lists them"
_LONGEST_FORMULA = 300
# More unknowns than this are not all named in the example of how to set them.
_MOST_SHOWN = 3
# Of more kernels than this that one error costs, the last are only counted.
_MOST_LOST = 6
_NO_GPU = "For a verdict name a GPU, such as --gpu l40s; kcost gpus lists them."
_ROUNDED = "Formulas are for sizes that divide evenly; --exact gives those for every size."
# Assumptions that exact formulas do without.
_FOR_LARGE = (
    "even-sizes",
    "even-sectors",
    "variant",
    "below-cap",
    "related",
    "conditions",
    "small-sizes",
)
_TRAFFIC = ("requested", "compulsory", "compulsory_sectors")
_TRAFFIC_NAMES = ("requested", "compulsory", "in 32-byte sectors")


def kernel_blocks(kernel: KernelReport, *, exact: bool = False) -> Iterator[Block]:
    """All about one kernel; `exact` shows the formulas for every size."""
    launch = kernel.launch
    which = f", launch {launch.number} of {launch.count}" if launch.count > 1 else ""
    yield Heading(f"{kernel.name}{which}", str(kernel.position))
    yield Fields(tuple(_about(kernel, exact)))
    yield from _counts(kernel, exact)
    yield from _variation(kernel)
    yield from _bytes(kernel.bytes, exact)
    yield from _intensity(kernel, exact)
    yield from _unknowns(kernel, exact)
    if not exact and any(count.exact != count.formula for count in _all_counts(kernel)):
        yield Paragraph((_ROUNDED,), Tone.QUIET)
    if kernel.gpus:
        yield from gpu_blocks(tuple(kernel.gpus.values()))
    else:
        yield Paragraph((_NO_GPU,), Tone.QUIET)


def diagnostic_blocks(file: FileReport) -> Iterator[Block]:
    """What went wrong in a file, each with its next step."""
    for diagnostic in file.diagnostics:
        shown = diagnostic_text(diagnostic, file.lost_to(diagnostic))
        yield Paragraph((shown, f"\n  {diagnostic.help}"), _tone(diagnostic))


def diagnostic_text(diagnostic: Diagnostic, lost: tuple[str, ...] = ()) -> str:
    """`path:line:column: error: message (not analysed: k) [K201]`; `lost` are kernels."""
    severity = diagnostic.code.severity.value
    message = diagnostic.message
    named = (f"{name}:" if message.startswith(f"{name}:") else f"'{name}'" for name in lost)
    unnamed = [name for name, text in zip(lost, named, strict=True) if text not in message]
    if len(unnamed) > _MOST_LOST:
        unnamed[_MOST_LOST - 1 :] = [f"{len(unnamed) - _MOST_LOST + 1} more"]
    if unnamed:
        message += f" (not analysed: {', '.join(unnamed)})"
    return f"{diagnostic.position}: {severity}: {message} [{diagnostic.code.id}]"


def _tone(diagnostic: Diagnostic) -> Tone:
    return Tone.ERROR if diagnostic.code.severity is Severity.ERROR else Tone.WARNING


def declaration(type_text: str, name: str) -> str:
    """A parameter as C declares it: `float *x`, `double (*A)[256]`."""
    before, star, behind = type_text.partition("(*")
    if not star:
        return f"{type_text} {name}".replace("* ", "*")
    qualifier, _, dimensions = behind.partition(")")
    return f"{before}(*{qualifier}{' ' if qualifier else ''}{name}){dimensions}"


def _about(kernel: KernelReport, exact: bool) -> Iterator[tuple[str, Cell]]:
    parameters = ", ".join(declaration(p.type, p.name) for p in kernel.parameters)
    if parameters:
        yield "parameters", (parameters,)
    values = [
        f"{p.name} = {units.exact(p.value)}" for p in kernel.parameters if p.value is not None
    ]
    values += [f"{name} = {units.exact(value)}" for name, value in kernel.launch.values]
    if values:
        yield "values", (", ".join(values),)
    yield "launch", _launch(kernel)
    left_out = set(_FOR_LARGE) if exact else set()
    if "compulsory_sectors" not in _traffic_kinds(kernel.bytes, exact):
        left_out |= {"even-sectors", "aligned-rows"}
    moved = kernel.bytes
    if not exact and moved.compulsory.formula == moved.compulsory_sectors.formula:
        left_out.add("aligned-rows")  # rows of whole sectors, of which only --exact has others
    for assumption in kernel.assumptions:
        if assumption.code not in left_out:
            yield "assumed", (assumption.message,)


def _launch(kernel: KernelReport) -> Cell:
    launch = kernel.launch
    origin = {
        LaunchOrigin.SOURCE: _from(launch.position, launch.also, launch.calls),
        LaunchOrigin.OPTION: ", from --launch",
        LaunchOrigin.ASSUMED: ", assumed",
    }[launch.origin]
    return ("grid ", *_extents(launch.grid), ", block ", *_extents(launch.block), origin)


def _from(
    position: Position | None, also: tuple[Position, ...], calls: tuple[Position, ...]
) -> str:
    """`, from a.cu:12:5 and lines 14, 20, called at line 31`."""
    if position is None:
        return ", from the file"
    here = [other.line for other in also if other.path == position.path]
    lines = ", ".join(str(line) for line in dict.fromkeys(here) if line != position.line)
    text = f", from {position}"
    if lines:
        text += f" and line{'s' if ',' in lines else ''} {lines}"
    text += "".join(f", {other}" for other in also if other.path != position.path)
    for call in calls:
        where = f"line {call.line}" if call.path == position.path else str(call)
        text += f", called at {where}"
    return text


def _extents(extents: tuple[Formula, ...]) -> Iterator[str | Formula]:
    shown = list(extents)
    while len(shown) > 1 and shown[-1] == ONE:
        shown.pop()
    yield "("
    for index, extent in enumerate(shown):
        if index:
            yield ", "
        yield extent
    yield ")"


def _counts(kernel: KernelReport, exact: bool) -> Iterator[Block]:
    rows = [(row.name, row.per_thread, row.grid) for row in count_rows(kernel)]
    rows.append(("threads", None, kernel.threads))
    if _look_different(kernel.threads, kernel.active_threads, exact):
        rows.append(("active threads", None, kernel.active_threads))
    averages = [count for _, count, _ in rows if count and isinstance(count.exact, Average)]
    per_thread = "per thread" if kernel.uniform else "per thread, average"
    if exact and averages:
        per_thread = "per thread, average"
    columns, cells = [Column("")], [[_name(name)] for name, _, _ in rows]
    for title, counts in (
        (per_thread, [count for _, count, _ in rows]),
        ("whole grid", [count for _, _, count in rows]),
    ):
        columns.append(Column(title))
        for cell, count in zip(cells, counts, strict=True):
            cell.append(_formula(count, exact))
        if any(_has_news(count) for count in counts):
            columns.append(Column("value", numeric=True))
            for cell, count in zip(cells, counts, strict=True):
                cell.append(_value(count))
    yield Table(tuple(columns), tuple(tuple(cell) for cell in cells))


def _name(text: str) -> Cell:
    return (text,)


def _look_different(left: Count, right: Count, exact: bool) -> bool:
    if left.value is not None or exact:
        return left.value != right.value or (exact and left.exact != right.exact)
    return left.formula != right.formula


def _formula(count: Count | None, exact: bool) -> Cell:
    if count is None:
        return ("",)
    return (count.exact if exact else count.formula,)


def _value(count: Count | None) -> Cell:
    return ("",) if count is None or count.value is None else (units.exact(count.value),)


def _has_news(count: Count | None) -> bool:
    """Whether the value says more than the formula."""
    if count is None or count.value is None:
        return False
    return not (isinstance(count.formula, Poly) and count.formula.constant == count.value)


def _is_readable(formula: Formula) -> bool:
    """Whether a formula says something to a reader, or only lists cases."""
    return len(sympy_text(formula)) <= _LONGEST_FORMULA


def _variation(kernel: KernelReport) -> Iterator[Block]:
    if kernel.variation is None:
        return
    rows: list[tuple[Cell, ...]] = [
        ((name_of(key),), (formula if _is_readable(formula) else _MANY_CASES,))
        for key, formula in kernel.variation.formulas.items()
    ]
    index = kernel.variation.index
    where = ", ".join(f"{name} = {text}" for name, text in index.items() if name != text)
    title = f"one thread, {where}" if where else "one thread"
    yield Table((Column("threads differ"), Column(title)), tuple(rows))


def _bytes(moved: Bytes, exact: bool) -> Iterator[Block]:
    kinds = _traffic_kinds(moved, exact)
    rows: list[tuple[str, Bytes | ArrayBytes]] = [("whole grid", moved)]
    if len(moved.by_array) > 1:
        rows += [(name, array) for name, array in moved.by_array.items()]
    has_values = [any(_has_news(getattr(row, kind)) for _, row in rows) for kind in kinds]
    titles = [_TRAFFIC_NAMES[_TRAFFIC.index(kind)] for kind in kinds]
    columns = [Column("bytes"), *(Column(title) for title in titles)]
    cells: list[tuple[Cell, ...]] = []
    for name, row in rows:
        cells.append(((name,), *(_formula(getattr(row, kind), exact) for kind in kinds)))
        if any(has_values):
            cells.append((("",), *(_bytes_value(getattr(row, kind)) for kind in kinds)))
    yield Table(tuple(columns), tuple(cells))


def _bytes_value(count: Count) -> Cell:
    if count.value is None:
        return ("",)
    text = f"= {units.exact(count.value)}"
    amount = float(count.value)
    return (text if amount < 1000 else f"{text}\n  ({units.si(amount, 'B')})",)


def _traffic_kinds(moved: Bytes, exact: bool) -> list[str]:
    """The sectors only where they differ from the compulsory bytes."""
    rows: list[Bytes | ArrayBytes] = [moved, *moved.by_array.values()]
    same = all(
        row.compulsory_sectors.formula == row.compulsory.formula
        and (not exact or row.compulsory_sectors.exact == row.compulsory.exact)
        and row.compulsory_sectors.value == row.compulsory.value
        for row in rows
    )
    return [kind for kind in _TRAFFIC if not (same and kind == "compulsory_sectors")]


def _intensity(kernel: KernelReport, exact: bool) -> Iterator[Block]:
    found: dict[str, Count] = {}
    for kind, count in _intensity_counts(kernel):
        if kind != "compulsory_sectors" or _differs(found.get("compulsory"), count, exact):
            found[kind] = count
    if not found:
        yield Paragraph(("No bytes of global memory move: there is no intensity.",))
        return
    has_values = any(_has_news(count) for count in found.values())
    rows: list[tuple[Cell, ...]] = []
    for kind, count in found.items():
        name = _TRAFFIC_NAMES[_TRAFFIC.index(kind)]
        row = (_name(name), _with_limit(kernel.intensities, kind, exact))
        value = "" if count.value is None else units.short(float(count.value))
        rows.append((*row, (value,)) if has_values else row)
    columns = [Column("intensity"), Column("FLOP per byte")]
    yield Table((*columns, *([Column("value", numeric=True)] if has_values else [])), tuple(rows))


def _intensity_counts(kernel: KernelReport) -> Iterator[tuple[str, Count]]:
    for kind in _TRAFFIC:
        count = getattr(kernel.intensities, kind)
        if count is not None:
            yield kind, count


def _differs(before: Count | None, count: Count, exact: bool) -> bool:
    if before is None or before.value != count.value:
        return True
    return _formula(before, exact) != _formula(count, exact)


def _with_limit(intensities: Intensity, kind: str, exact: bool) -> Cell:
    """`N/(4N + 2) → 1/4`."""
    formula = _formula(getattr(intensities, kind), exact)
    limit = intensities.limits.get(kind)
    if limit is None or sympy_text(limit) == cell_text(formula, sympy_text):
        return formula
    return (*formula, " → ", limit)


def _unknowns(kernel: KernelReport, exact: bool) -> Iterator[Block]:
    # What is set is said, whichever formulas have it.
    rest = [u for u in kernel.exact_unknowns if exact or u.value is not None]
    unknowns = [*kernel.unknowns, *rest]
    if not unknowns:
        return
    rows: list[tuple[Cell, ...]] = []
    for unknown in unknowns:
        lower: Cell = _NOT_GIVEN if unknown.lower is None else (unknown.lower,)
        upper: Cell = _NOT_GIVEN if unknown.upper is None else (unknown.upper,)
        place = f"{unknown.position.line}"
        rows.append(((unknown.name,), (place,), (unknown.meaning,), lower, upper))
    titles = ("unknown", "line", "meaning", "at least", "at most")
    yield Table(tuple(Column(title) for title in titles), tuple(rows))
    unset = [unknown.name for unknown in unknowns if unknown.value is None]
    if unset:
        options = " ".join(f"--set {name}=VALUE" for name in unset[:_MOST_SHOWN])
        more = " …" if len(unset) > _MOST_SHOWN else ""
        yield Paragraph((f"To set what is known: {options}{more}",), Tone.QUIET)
    given = [f"{u.name} = {units.exact(u.value)}" for u in unknowns if u.value is not None]
    if given:
        yield Paragraph((f"Set: {', '.join(given)}.",), Tone.QUIET)


def _all_counts(kernel: KernelReport) -> Iterator[Count]:
    for row in count_rows(kernel):
        yield from (count for count in (row.per_thread, row.grid) if count is not None)
    yield from (kernel.threads, kernel.active_threads)
    yield from (getattr(kernel.bytes, kind) for kind in _TRAFFIC)
    yield from (count for _, count in _intensity_counts(kernel))
