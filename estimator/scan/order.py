"""In which order kernels stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from estimator.scan.rows import KernelRow, Place


class Order(str, Enum):
    """What rows can be sorted by. By size the largest comes first."""

    TIME = "time"
    FLOPS = "flops"
    BYTES = "bytes"
    INTENSITY = "intensity"
    NAME = "name"
    FILE = "file"


def in_order(rows: Iterable[KernelRow], order: Order) -> list[KernelRow]:
    """The rows in an order; those that are alike in it by file and line."""
    key: Callable[[KernelRow], Any]
    match order:
        case Order.NAME:
            key = _name
        case Order.FILE:
            key = _place
        case _:
            key = _weight(order)
    return sorted(rows, key=lambda row: (key(row), _place(row), _name(row), _launch(row)))


def _weight(order: Order) -> Callable[[KernelRow], float]:
    return lambda row: -row.weights.get(order.value, 0.0)


def _name(row: KernelRow) -> str:
    return row.name


def _place(row: KernelRow) -> tuple[str, int, int]:
    return _spot(row.place)


def _launch(row: KernelRow) -> tuple[str, int, int]:
    return _spot(row.launch) if row.launch is not None else ("", 0, 0)


def _spot(place: Place) -> tuple[str, int, int]:
    return place.path, place.line, place.column
