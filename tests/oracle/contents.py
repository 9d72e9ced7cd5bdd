"""What arrays hold before the run: numbers that were given, or small pseudo-random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from estimator.parse.types import Array, CType, Kind, Pointer, Scalar, Struct
from oracle.arithmetic import rounder
from oracle.memory import Form

_LARGEST_INTEGER = 7


def leaves(ctype: CType, offset: int = 0) -> Iterator[tuple[Scalar | Pointer, int]]:
    """The numbers and pointers in a type, with their offsets."""
    match ctype:
        case Struct():
            for field in ctype.fields:
                yield from leaves(field.type, offset + field.offset)
        case Array():
            for index in range(ctype.length or 0):
                yield from leaves(ctype.element, offset + index * ctype.element.size)
        case Scalar(kind=Kind.VOID | Kind.OPAQUE):
            return
        case _:
            yield ctype, offset


class Filler:
    """Makes elements of a type: floats between -2 and 2, integers from 0 to 7."""

    def __init__(self, ctype: CType, seed: str) -> None:
        self.size = max(1, ctype.size)
        self._random = random.Random(seed)
        self._leaves = [(leaf, Form(leaf), offset) for leaf, offset in leaves(ctype)]

    def element(self) -> bytes:
        """One pseudo-random element; pointers in it lead nowhere."""
        data = bytearray(self.size)
        for leaf, form, offset in self._leaves:
            if isinstance(leaf, Scalar):
                form.write(data, offset, self._number(leaf))
        return bytes(data)

    def _number(self, leaf: Scalar) -> float:
        if leaf.kind is Kind.BOOL:
            return self._random.randrange(2)
        if leaf.is_float:
            return rounder(leaf)(self._random.uniform(-2.0, 2.0))
        return self._random.randint(0, _LARGEST_INTEGER)

    def elements(self, count: int) -> bytearray:
        """So many elements in a row."""
        return bytearray(b"".join(self.element() for _ in range(count)))

    def grow(self, size: int) -> bytes:
        """Whole elements of at least `size` bytes."""
        return bytes(self.elements(-(-size // self.size) + 16))


def given(ctype: CType, values: Sequence[Any]) -> bytearray:
    """Elements with the given values; those of structures are sequences of their numbers."""
    data = bytearray(ctype.size * len(values))
    places = [(Form(leaf), offset) for leaf, offset in leaves(ctype)]
    for index, value in enumerate(values):
        numbers = value if isinstance(value, Sequence) else [value]
        for (form, offset), number in zip(places, numbers, strict=True):
            form.write(data, index * ctype.size + offset, number)
    return data


def values_of(ctype: CType, data: bytes | bytearray) -> list[Any]:
    """The elements as numbers, or as tuples of their numbers."""
    places = [(Form(leaf), offset) for leaf, offset in leaves(ctype)]
    rows = [
        tuple(form.read(data, start + offset) for form, offset in places)
        for start in range(0, len(data) - ctype.size + 1, max(1, ctype.size))
    ]
    return [row[0] if len(row) == 1 else row for row in rows]
