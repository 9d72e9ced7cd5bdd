"""Types of simplified CUDA C: sizes, layouts, and what arithmetic they mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Union

from estimator.grammars.library import fragment_of
from estimator.grammars.types import SCALARS, VECTORS
from estimator.immutable import immutable


class Kind(Enum):
    """What a scalar's bits stand for."""

    INT = "int"
    UNSIGNED = "unsigned"
    BOOL = "bool"
    FLOAT = "float"
    BFLOAT = "bfloat"
    VOID = "void"
    OPAQUE = "opaque"


class Precision(str, Enum):
    """Floating-point formats, as the hardware has units for them."""

    FP64 = "fp64"
    FP32 = "fp32"
    FP16 = "fp16"
    BF16 = "bf16"


@immutable()
class Scalar:
    """A number type; `size` in bytes. A bit-field's values have some of its `bits` only."""

    name: str
    kind: Kind
    size: int
    bits: int = 0

    @property
    def is_float(self) -> bool:
        return self.kind in (Kind.FLOAT, Kind.BFLOAT)

    @property
    def precision(self) -> Precision:
        """The format of a floating-point type; raises KeyError for others."""
        if self.kind is Kind.BFLOAT:
            return Precision.BF16
        return {8: Precision.FP64, 4: Precision.FP32, 2: Precision.FP16}[self.size]

    @property
    def width(self) -> int:
        """The bits that a value has."""
        return self.bits or 8 * self.size

    @property
    def alignment(self) -> int:
        return self.size


@immutable()
class Pointer:
    """An address of `target`."""

    target: CType
    restrict: bool = False
    const: bool = False

    @property
    def size(self) -> int:
        return 8

    @property
    def alignment(self) -> int:
        return 8


@immutable()
class Array:
    """`length` elements; None where the length is open (`extern __shared__ float s[]`)."""

    element: CType
    length: int | None

    @property
    def size(self) -> int:
        return self.element.size * (self.length or 0)

    @property
    def alignment(self) -> int:
        return self.element.alignment


@immutable()
class Field:
    """A member of a structure and its offset in bytes."""

    name: str
    type: CType
    offset: int

    @property
    def is_bits(self) -> bool:
        return isinstance(self.type, Scalar) and bool(self.type.bits)

    def overlaps(self, other: Field) -> bool:
        """Whether it has a byte that is another field's too. Bit-fields share bytes, not bits."""
        if self.is_bits and other.is_bits:
            return False
        end, other_end = self.offset + self.type.size, other.offset + other.type.size
        return self.offset < other_end and other.offset < end


@immutable()
class Struct:
    """A structure or vector type; `is_union` has all fields at offset 0."""

    name: str
    fields: tuple[Field, ...]
    size: int
    alignment: int
    is_union: bool = False

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)

    def overlapping(self, name: str) -> list[Field]:
        """The fields that lie where that one lies, as in a union; without itself."""
        own = self.field(name)
        if own is None:
            return []
        return [one for one in self.fields if one is not own and one.overlaps(own)]

    @property
    def has_overlaps(self) -> bool:
        """Whether a byte is of several fields."""
        return any(field.is_bits or self.overlapping(field.name) for field in self.fields)


@immutable()
class Member:
    """What a structure's declaration says of one member; alignments in bytes.

    It has no `name` where it is a structure whose members are those of the one around it.
    """

    name: str | None
    type: CType
    bits: int = 0
    at_least: int = 1
    at_most: int | None = None

    @property
    def alignment(self) -> int:
        own = max(1, self.type.alignment)
        return max(self.at_least, own if self.at_most is None else min(own, self.at_most))

    def fields(self, offset: int) -> Iterator[Field]:
        """Its fields when it lies at an offset."""
        if self.name is not None:
            ctype = self.type
            if isinstance(ctype, Scalar) and 0 < self.bits < 8 * ctype.size:
                ctype = replace(ctype, bits=self.bits)
            yield Field(self.name, ctype, offset)
        elif isinstance(self.type, Struct):
            for field in self.type.fields:
                yield Field(field.name, field.type, offset + field.offset)


CType = Union[Scalar, Pointer, Array, Struct]
# What a thread holds of formats that have no type of their own.
_FRAGMENT_ELEMENTS = {
    "tf32": "float",
    "s4": "int",
    "u4": "unsigned int",
    "b1": "int",
    "signed_char": "signed char",
    "unsigned_char": "unsigned char",
}

INT = Scalar("int", Kind.INT, 4)
UNSIGNED = Scalar("unsigned int", Kind.UNSIGNED, 4)
SIZE_T = Scalar("size_t", Kind.UNSIGNED, 8)
LONG = Scalar("long", Kind.INT, 8)
BOOL = Scalar("bool", Kind.BOOL, 1)
CHAR = Scalar("char", Kind.INT, 1)
FLOAT = Scalar("float", Kind.FLOAT, 4)
DOUBLE = Scalar("double", Kind.FLOAT, 8)
HALF = Scalar("half", Kind.FLOAT, 2)
BFLOAT = Scalar("__nv_bfloat16", Kind.BFLOAT, 2)
VOID = Scalar("void", Kind.VOID, 1)


def builtin(name: str) -> CType | None:
    """A type that CUDA or C declares, by name; None for others."""
    if name in SCALARS:
        kind, size = SCALARS[name]
        return Scalar(name, Kind(kind), size)
    if name in VECTORS:
        element_name, names, alignment = VECTORS[name]
        element = builtin(element_name)
        assert element is not None
        return layout(name, [Member(field, element) for field in names], alignment=alignment)
    return _library_type(name)


def _library_type(name: str) -> CType | None:
    """A type whose name says what it is: a fragment of a matrix, a texture reference."""
    fragment = fragment_of(name)
    if fragment is not None:
        element = builtin(_FRAGMENT_ELEMENTS.get(fragment.element, fragment.element))
        if element is None:
            return None
        share = Array(element, fragment.elements_per_thread)
        return layout(name, [Member("x", share), Member("num_elements", INT)])
    if name.startswith("texture__"):
        return Scalar(name, Kind.OPAQUE, 8)
    return None


def is_fragment(ctype: CType) -> bool:
    """Whether a type is a fragment of a matrix, or an array of fragments."""
    while isinstance(ctype, Array):
        ctype = ctype.element
    return isinstance(ctype, Struct) and fragment_of(ctype.name) is not None


def layout(
    name: str, members: list[Member], *, alignment: int | None = None, is_union: bool = False
) -> Struct:
    """A structure laid out as C does: each member at the next multiple of its alignment.

    `alignment` is the structure's own, where members have no say. A bit-field begins at the next
    bit, or at the next unit of its type if it would reach into that (System V ABI, 3.1.2). The
    members of one without a name are the structure's.
    """
    fields: list[Field] = []
    end, widest = 0, alignment or 1  # `end` in bits
    for member in members:
        size, width = member.type.size, member.bits
        unit = 8 * max(1, size)
        start = 0 if is_union else end
        if member.name is None and not width and isinstance(member.type, Scalar):
            end = -(-end // unit) * unit  # `int : 0;` ends a unit of bit-fields
            continue
        if width:
            if member.at_least > 1:
                start = -(-start // (8 * member.at_least)) * 8 * member.at_least
            if start % unit + width > unit:
                start = -(-start // unit) * unit
            fields.extend(member.fields(start // unit * size))
            end = max(end, start + width)
        else:
            step = 8 * member.alignment
            start = -(-start // step) * step
            fields.extend(member.fields(start // 8))
            end = max(end, start + 8 * size)
        if alignment is None and (member.name is not None or isinstance(member.type, Struct)):
            widest = max(widest, member.alignment)
    size = max(1, -(-end // (8 * widest)) * widest)
    return Struct(name, tuple(fields), size, widest, is_union)


def specifier_name(words: list[str]) -> str:
    """The table's name for type words in any order: `long unsigned int` → unsigned long."""
    if len(words) == 1 and words[0] not in ("unsigned", "signed"):
        return words[0]
    unsigned = "unsigned" in words
    rest = [word for word in words if word not in ("unsigned", "signed", "int")]
    if rest == ["char"] and "signed" in words:
        return "signed char"
    base = " ".join(rest)
    if not base:
        return "unsigned int" if unsigned else "int"
    return f"unsigned {base}" if unsigned else base


def type_text(ctype: CType) -> str:
    """The type as people write it."""
    match ctype:
        case Pointer(Array() as target, restrict, const):
            inner, dimensions = _dimensions(target)
            prefix = "const " if const else ""
            return f"{prefix}{type_text(inner)} (*{'restrict' if restrict else ''}){dimensions}"
        case Pointer(target, restrict, const):
            prefix = "const " if const else ""
            return f"{prefix}{type_text(target)} *{'restrict' if restrict else ''}".rstrip()
        case Array():
            inner, dimensions = _dimensions(ctype)
            return f"{type_text(inner)}{dimensions}"
        case _:
            return ctype.name


def _dimensions(ctype: CType) -> tuple[CType, str]:
    """What an array of arrays holds, and `[4][256]`."""
    dimensions = ""
    while isinstance(ctype, Array):
        dimensions += f"[{'' if ctype.length is None else ctype.length}]"
        ctype = ctype.element
    return ctype, dimensions
