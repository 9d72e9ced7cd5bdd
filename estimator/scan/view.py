"""A scan as blocks for readable formats: the table of kernels, what is missing, the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from estimator.immutable import immutable
from estimator.report import units
from estimator.report.document import Block, Cell, Column, Fields, Heading, Paragraph, Table, Tone
from estimator.scan.merge import ScanReport
from estimator.scan.rows import Amount, Found, GpuCell, KernelRow
from estimator.scan.summary import Reason, Summary, summary_of

_LONGEST_FORMULA = 60
_LONG = "long; --format json has it"
_MORE = "kcost analyze FILE shows all about a file's kernels."
_NO_KERNEL = "No kernel was found."


@immutable()
class Look:
    """What the output can show: all of Unicode, and lines long enough for a kernel each."""

    unicode: bool = True
    wide: bool = True


def scan_blocks(report: ScanReport, rows: Sequence[KernelRow], look: Look) -> Iterator[Block]:
    """The report, its rows in this order."""
    if rows:
        yield _kernels(rows, look)
    if report.lost:
        yield Heading("Not analysed")
        lost = sorted(report.lost, key=lambda kernel: (kernel.place, kernel.name))
        yield Table(
            (*_named(look), Column("reason")),
            tuple(
                (*_name(kernel.name, str(kernel.place), look), (_reason(kernel.reason),))
                for kernel in lost
            ),
        )
    if report.errors:
        yield Heading("Errors outside kernels")
        yield Table(
            (Column("place"), Column("error")),
            tuple(((str(found.place),), (_reason(found),)) for found in report.errors),
        )
    yield Heading("Summary")
    yield from _summary(summary_of(report))


def _reason(found: Found) -> str:
    return f"{found.message} [{found.code}]"


def _kernels(rows: Sequence[KernelRow], look: Look) -> Table:
    gpus = {name: cell.name for row in rows for name, cell in row.gpus.items()}
    columns = [*_named(look), Column("FLOPs"), Column("bytes"), Column("FLOP/B")]
    columns += [Column(name) for name in gpus.values()]
    launches = Counter((row.place, row.name) for row in rows)
    cells: list[tuple[Cell, ...]] = []
    for row in rows:
        place = str(row.place)
        if launches[row.place, row.name] > 1 and row.launch is not None:
            place += f"{_gap(look)}launched at {row.launch}"
        cells.append(
            (
                *_name(row.name, place, look),
                (_amount(row.flops, "FLOP", look),),
                (_amount(row.bytes, "B", look),),
                ("–" if row.intensity is None else _amount(row.intensity, "", look),),
                *((_verdict(row.gpus.get(name), look),) for name in gpus),
            )
        )
    return Table(tuple(columns), tuple(cells))


def _named(look: Look) -> tuple[Column, ...]:
    return (Column("kernel"), Column("place")) if look.wide else (Column("kernel"),)


def _name(name: str, place: str, look: Look) -> tuple[Cell, ...]:
    return ((name,), (place,)) if look.wide else ((f"{name}\n{place}",),)


def _gap(look: Look) -> str:
    return ", " if look.wide else "\n"


def _amount(amount: Amount, unit: str, look: Look) -> str:
    """The formula, and the number at the sizes given if that says more."""
    text = amount.text if look.unicode else amount.ascii
    if len(text) > _LONGEST_FORMULA:
        text = _LONG
    if amount.value is None or amount.formula == str(amount.value):
        return text
    value = _float(amount.value)
    number = units.si(value, unit) if unit else units.short(value)
    return f"{text}{' ' if look.wide else _gap(look)}= {number}"


def _float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _verdict(cell: GpuCell | None, look: Look) -> str:
    if cell is None:
        return "–"
    if not cell.lower_bound_s:
        return cell.text
    return f"{cell.text}{_gap(look)}≥ {units.si(cell.lower_bound_s, 's')}"


def _summary(summary: Summary) -> Iterator[Block]:
    if not summary.kernels:
        yield Paragraph((_NO_KERNEL,))
    numbers = {
        "files": summary.files,
        "kernels": summary.kernels,
        "analysed": summary.analysed,
        "not analysed": summary.not_analysed,
    }
    yield Fields(tuple((name, (f"{number:,}",)) for name, number in numbers.items()))
    rows = [
        *_counted(summary.reasons, "kernels not analysed"),
        *_counted(summary.others, "errors outside kernels"),
        *_counted(summary.warnings, "warnings"),
    ]
    if rows:
        yield Table(
            (Column("code"), Column("reason"), Column("number", True), Column("of")), tuple(rows)
        )
    if summary.analysed:
        yield Paragraph((_MORE,), Tone.QUIET)


def _counted(reasons: Sequence[Reason], of: str) -> Iterator[tuple[Cell, ...]]:
    for reason in reasons:
        yield (reason.code,), (reason.title,), (f"{reason.count:,}",), (of,)
