"""Memory of the simulated GPU: arrays with addresses, bounds, and a record of what was touched.

An address is a number: the array's number times 2^40, and the offset in bytes on top of 2^39,
so that pointers that pass an array's ends still belong to it. Arrays start on 256 bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from estimator.parse.types import Array, CType, Kind, Pointer, Scalar, Struct
from oracle.arithmetic import round_bf16
from oracle.errors import OracleError

_NUMBER_SHIFT = 40
_BIAS = 1 << 39
_OPEN_LIMIT = 1 << 26


class Space(str, Enum):
    """Where an array lies. Nothing is counted in `REGISTER`: local variables that have an address."""

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    REGISTER = "register"


class Form:
    """How values of a type lie in memory: numbers as themselves, structures as their bytes."""

    __slots__ = ("_code", "alignment", "is_bfloat", "size", "type")

    def __init__(self, ctype: CType) -> None:
        self.type = ctype
        self.size = ctype.size
        self.alignment = max(1, ctype.alignment)
        self.is_bfloat = isinstance(ctype, Scalar) and ctype.kind is Kind.BFLOAT
        self._code = None if isinstance(ctype, (Struct, Array)) else struct.Struct(_letter(ctype))

    def read(self, data: bytearray | bytes, offset: int) -> object:
        """The value at an offset."""
        if self._code is None:
            return bytes(data[offset : offset + self.size])
        if self.is_bfloat:
            return struct.unpack("<f", b"\0\0" + data[offset : offset + 2])[0]
        return self._code.unpack_from(data, offset)[0]

    def write(self, data: bytearray, offset: int, value: Any) -> None:
        """Puts a value, already of this type, at an offset."""
        if self._code is None:
            data[offset : offset + self.size] = value
        elif self.is_bfloat:
            data[offset : offset + 2] = struct.pack("<f", round_bf16(value))[2:]
        else:
            self._code.pack_into(data, offset, value)


def _letter(ctype: CType) -> str:
    match ctype:
        case Pointer():
            return "<Q"
        case Scalar(kind=Kind.FLOAT, size=size):
            return {8: "<d", 4: "<f", 2: "<e"}[size]
        case Scalar(kind=Kind.INT, size=size):
            return {1: "<b", 2: "<h", 4: "<i", 8: "<q"}[size]
        case Scalar(size=size):
            return {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}[size]
    raise OracleError(f"no memory form for {ctype}")


@dataclass(eq=False)
class Block:
    """One array. `grow` makes contents for an array whose length nobody gave; `arrays` are the
    begins and ends of those inside a structure."""

    name: str
    space: Space
    data: bytearray
    grow: Callable[[int], bytes] | None = None
    reads: set[tuple[int, int]] = field(default_factory=set)
    writes: set[tuple[int, int]] = field(default_factory=set)
    requested: int = 0
    arrays: tuple[tuple[int, int], ...] = ()

    def space_of(self, form: Form, offset: int) -> Space:
        """Where what an access touches lies: of a structure only its arrays are in memory."""
        if self.space is not Space.REGISTER or form.size == len(self.data):
            return self.space
        end = offset + form.size
        inside = any(begin <= offset and end <= last for begin, last in self.arrays)
        return Space.LOCAL if inside else self.space

    def extend(self, needed: int) -> bool:
        """Makes an array of open length long enough; False if it may not grow so far."""
        if self.grow is None or needed > _OPEN_LIMIT:
            return False
        self.data += self.grow(needed - len(self.data))
        return True


class Memory:
    """All arrays by number."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}

    def add(self, block: Block) -> int:
        """Gives an array its address."""
        number = len(self._blocks) + 1
        self._blocks[number] = block
        return (number << _NUMBER_SHIFT) + _BIAS

    def find(self, address: int, form: Form) -> tuple[Block, int]:
        """The array and the offset of an access. Raises OracleError outside of any array."""
        block = self._blocks.get(address >> _NUMBER_SHIFT)
        if block is None:
            raise OracleError("access through a pointer to nowhere")
        offset = (address & ((1 << _NUMBER_SHIFT) - 1)) - _BIAS
        end = offset + form.size
        if offset < 0 or (end > len(block.data) and not block.extend(end)):
            raise OracleError(
                f"byte {offset} lies outside of {block.name}, which has {len(block.data)} bytes"
            )
        if offset % form.alignment:
            raise OracleError(f"byte {offset} of {block.name} is misaligned for {form.size} bytes")
        return block, offset

    def blocks(self, space: Space) -> list[tuple[int, Block]]:
        """The arrays of a space with their addresses, in the order of their addition."""
        found = [(number, block) for number, block in self._blocks.items() if block.space is space]
        return [((number << _NUMBER_SHIFT) + _BIAS, block) for number, block in found]
