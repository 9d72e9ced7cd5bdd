"""What a scan keeps of a file: rendered rows, no formulas; they travel and are stored as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

from estimator.immutable import immutable
from estimator.source.codes import ALL
from estimator.source.diagnostics import Diagnostic, Severity
from estimator.source.position import Position

Number = int | float
_CODES = {code.id: code for code in ALL}


@immutable(order=True)
class Place:
    """A position in a file; lines and columns count from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@immutable()
class Amount:
    """A quantity for people (`text`, and `ascii` where that must be), for sympy (`formula`), and
    its number at the sizes given, if they suffice."""

    text: str
    ascii: str
    formula: str
    value: Number | None = None


@immutable()
class GpuCell:
    """One kernel on one GPU: the verdict for compulsory and for requested bytes.

    `bound` and `requested` are values of `estimator.roofline.question.Bound`; `text` says the
    first in words. `turns_at` is the size from which on it holds. `lower_bound_s` is the least
    time in seconds, None unless all sizes have values.
    """

    name: str
    bound: str
    text: str
    turns_at: Mapping[str, int]
    requested: str
    reuse_decides: bool
    lower_bound_s: float | None


@immutable()
class Found:
    """A diagnostic by its code's identifier."""

    code: str
    place: Place
    message: str
    help: str

    @property
    def title(self) -> str:
        return _CODES[self.code].title

    @property
    def severity(self) -> Severity:
        return _CODES[self.code].severity

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


@immutable()
class KernelRow:
    """A kernel under one launch.

    FLOPs and bytes are those of the whole grid, bytes and intensity for compulsory traffic.
    `flops` is the sum over the precisions in `flops_by_precision`. `grid` and `block` are
    formulas; `launch` is where the source launches it. `weights` are rough sizes to sort by
    (see `estimator.scan.weights`), never shown. `is_open`: nothing instantiates the template, its
    arguments are assumed.
    """

    name: str
    symbol: str
    place: Place
    is_open: bool
    origin: str
    launch: Place | None
    grid: tuple[str, ...]
    block: tuple[str, ...]
    parameters: tuple[str, ...]
    unknowns: tuple[str, ...]
    flops: Amount
    flops_by_precision: Mapping[str, Amount]
    bytes: Amount
    bytes_requested: Amount
    intensity: Amount | None
    gpus: Mapping[str, GpuCell]
    weights: Mapping[str, float]


@immutable()
class LostKernel:
    """A kernel that was not analysed, and the reason."""

    name: str
    symbol: str
    place: Place
    reason: Found


@immutable()
class Basis:
    """What a file's rows rest on beside its own text: the digests of the headers that were
    read, by absolute path, and the absolute paths that were looked at and hold no file.

    `complete` is False where that does not tell all, and rows must not be kept.
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    complete: bool = True


@immutable()
class FileRows:
    """What a scan found in one file; `diagnostics` are those that lost no kernel."""

    path: str
    rows: tuple[KernelRow, ...] = ()
    lost: tuple[LostKernel, ...] = ()
    diagnostics: tuple[Found, ...] = ()
    basis: Basis = Basis()


def place_of(position: Position) -> Place:
    """A position as rows have it."""
    return Place(position.path, position.line, position.column)


def found_of(diagnostic: Diagnostic) -> Found:
    """A diagnostic as rows have it."""
    place = place_of(diagnostic.position)
    return Found(diagnostic.code.id, place, diagnostic.message, diagnostic.help)


def to_json(rows: FileRows) -> dict[str, Any]:
    """Plain objects for `json`."""
    return asdict(rows)


def from_json(data: Any) -> FileRows:
    """The reverse of `to_json`. Raises KeyError, TypeError, ValueError or AttributeError for
    anything else."""
    return FileRows(
        path=data["path"],
        rows=tuple(_row(row) for row in data["rows"]),
        lost=tuple(
            LostKernel(
                **{**lost, "place": Place(**lost["place"]), "reason": _found(lost["reason"])}
            )
            for lost in data["lost"]
        ),
        diagnostics=tuple(_found(found) for found in data["diagnostics"]),
        basis=Basis(
            dict(data["basis"]["headers"]),
            tuple(data["basis"]["absent"]),
            bool(data["basis"]["complete"]),
        ),
    )


def _row(row: Any) -> KernelRow:
    return KernelRow(
        **{
            **row,
            "place": Place(**row["place"]),
            "launch": None if row["launch"] is None else Place(**row["launch"]),
            **{key: tuple(row[key]) for key in ("grid", "block", "parameters", "unknowns")},
            **{key: Amount(**row[key]) for key in ("flops", "bytes", "bytes_requested")},
            "flops_by_precision": {
                name: Amount(**amount) for name, amount in row["flops_by_precision"].items()
            },
            "intensity": None if row["intensity"] is None else Amount(**row["intensity"]),
            "gpus": {name: GpuCell(**cell) for name, cell in row["gpus"].items()},
        }
    )


def _found(found: Any) -> Found:
    if found["code"] not in _CODES:
        raise ValueError(f"no such code: {found['code']!r}")
    return Found(**{**found, "place": Place(**found["place"])})
