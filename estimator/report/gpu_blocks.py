"""The verdicts of a kernel as blocks: a column for each GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from estimator.gpus.kinds import unit_label
from estimator.report import units
from estimator.report.document import Block, Cell, Column, Paragraph, Table, Tone
from estimator.roofline.verdict import GpuVerdict, Numbers

# So many GPUs stand side by side in 80 columns.
_ABREAST = 3

UNIT_NAMES = {"special": "special-function unit"}


def gpu_blocks(verdicts: Sequence[GpuVerdict]) -> Iterator[Block]:
    """Roofs, verdicts and times on each GPU, and what reuse and the notes say."""
    for start in range(0, len(verdicts), _ABREAST):
        yield _table(verdicts[start : start + _ABREAST])
    sentences: dict[str, list[str]] = {}
    for verdict in verdicts:
        for sentence in (verdict.reuse, *verdict.notes):
            if sentence:
                sentences.setdefault(sentence, []).append(verdict.name)
    for sentence, names in sentences.items():
        everywhere = len(names) == len(verdicts)
        text = _capital(sentence) if everywhere else f"On {', '.join(names)} {sentence}"
        yield Paragraph((f"{text}.",), Tone.PLAIN)
    depends = sorted(
        {n for v in verdicts for n in (*v.compulsory.depends_on, *v.requested.depends_on)}
    )
    if depends:
        yield Paragraph((_how_to_decide(depends),), Tone.QUIET)


def _how_to_decide(names: list[str]) -> str:
    options = [f"--set {name}=VALUE" if "@" in name else f"-D {name}=VALUE" for name in names]
    return f"Values decide: {' '.join(options)}."


def _table(verdicts: Sequence[GpuVerdict]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for label, cells in _rows(verdicts):
        rows.append(((label,), *((cell,) for cell in cells)))
    return Table((Column("GPU"), *(Column(verdict.name) for verdict in verdicts)), tuple(rows))


def _rows(verdicts: Sequence[GpuVerdict]) -> Iterator[tuple[str, list[str]]]:
    yield "peak", [_peaks(verdict) for verdict in verdicts]
    yield "bandwidth", [units.si(verdict.bandwidth_bytes_per_s, "B/s") for verdict in verdicts]
    yield "ridge point", [_ridge(verdict) for verdict in verdicts]
    yield "verdict, compulsory", [verdict.compulsory.text for verdict in verdicts]
    yield "verdict, requested", [verdict.requested.text for verdict in verdicts]
    if any(verdict.numbers is not None for verdict in verdicts):
        yield from _number_rows(verdicts)


def _peaks(verdict: GpuVerdict) -> str:
    peaks = [
        f"{units.si(peak, 'FLOP/s')} {unit_label(name)}"
        for name, peak in verdict.peaks_flops_per_s.items()
    ]
    if verdict.special_per_s is not None:
        peaks.append(units.si(verdict.special_per_s, "/s special"))
    return "\n".join(peaks) or "–"


def _ridge(verdict: GpuVerdict) -> str:
    if verdict.ridge_flop_per_byte is not None:
        return f"{units.short(verdict.ridge_flop_per_byte)} FLOP/B"
    ridges = [
        f"{units.short(ridge)} FLOP/B {unit_label(name)}"
        for name, ridge in verdict.ridges_flop_per_byte.items()
    ]
    return "\n".join(ridges) or "–"


def _number_rows(verdicts: Sequence[GpuVerdict]) -> Iterator[tuple[str, list[str]]]:
    def row(text: Callable[[GpuVerdict, Numbers], str]) -> list[str]:
        return [
            "–" if verdict.numbers is None else text(verdict, verdict.numbers)
            for verdict in verdicts
        ]

    yield "compute time", row(_compute_time)
    yield "memory time", row(_memory_time)
    yield "memory / compute", row(lambda _, n: _ratio(n))
    yield "time at least", row(lambda _, n: units.si(n.lower_bound_s, "s"))
    yield "attainable", row(_attainable)


def _compute_time(verdict: GpuVerdict, numbers: Numbers) -> str:
    time = units.si(numbers.compute_time_s, "s")
    if verdict.unit is None or numbers.compute_time_s == 0:
        return time
    return f"{time} ({UNIT_NAMES.get(verdict.unit, unit_label(verdict.unit))})"


def _memory_time(_: GpuVerdict, numbers: Numbers) -> str:
    time = units.si(numbers.memory_time_s, "s")
    if numbers.memory_time_requested_s == numbers.memory_time_s:
        return time
    return f"{time} compulsory\n{units.si(numbers.memory_time_requested_s, 's')} requested"


def _ratio(numbers: Numbers) -> str:
    return "–" if numbers.time_ratio is None else f"{units.short(numbers.time_ratio)} times"


def _attainable(_: GpuVerdict, numbers: Numbers) -> str:
    if numbers.attainable_flops_per_s is None:
        return "–"
    rate = units.si(numbers.attainable_flops_per_s, "FLOP/s")
    requested = numbers.attainable_requested_flops_per_s
    if requested is None or requested == numbers.attainable_flops_per_s:
        return rate
    return f"{rate} compulsory\n{units.si(requested, 'FLOP/s')} requested"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
