"""What local and constant arrays hold, as far as it is known: integers and pointers, by their
byte offsets."""

from __future__ import annotations

from collections.abc import Iterable

from estimator.algebra.atoms import Role
from estimator.algebra.condition import zero
from estimator.algebra.poly import Poly
from estimator.ir.kernel import ArrayObject, Space
from estimator.lower.convert import convert, fresh, merge, type_of
from estimator.lower.machine import CellKey, Machine
from estimator.lower.values import FunctionValue, IntValue, PointerValue, StructValue, Value
from estimator.parse.types import CType, Kind, Pointer, Scalar, Struct

# The widest number that a cell holds, in bytes.
_WIDEST = 8
# An element that is chosen among more pointers than this is not followed.
_MOST_POINTERS = 8


def remember(m: Machine, array: ArrayObject, offset: Poly, value: Value) -> None:
    """Keep what a local or constant array holds at a known offset; else forget all of it."""
    if array.space not in (Space.LOCAL, Space.CONSTANT):
        return
    known = offset.integer
    if array.indirect or known is None:
        forget(m, array)
    else:
        _put(m, array, known, value)


def _put(m: Machine, array: ArrayObject, offset: int, value: Value) -> None:
    _drop(m, array, offset, type_of(value).size)
    if isinstance(value, StructValue) and not value.type.has_overlaps:
        for field in value.type.fields:
            member = value.fields[field.name]
            if isinstance(member, (IntValue, PointerValue, StructValue)):
                _put(m, array, offset + field.offset, member)
    elif isinstance(value, PointerValue) and isinstance(value.base, ArrayObject):
        m.pointed_spaces.setdefault(array, set()).add(value.base.space)
        m.store[array, offset] = value
        m.known_arrays.add(array)
    elif isinstance(value, FunctionValue) or (isinstance(value, IntValue) and not _is_open(value)):
        m.store[array, offset] = value
        m.known_arrays.add(array)


def _is_open(value: IntValue) -> bool:
    """Whether a number is not known, or shares its bytes with other bit-fields."""
    return bool(value.type.bits) or value.poly.has_role(Role.UNKNOWN)


def _drop(m: Machine, array: ArrayObject, offset: int, size: int) -> None:
    """Forget the cells that have a byte among these."""
    if array not in m.known_arrays:
        return
    near: Iterable[int] = range(offset - _WIDEST + 1, offset + size)
    if size > len(m.store):
        near = [key[1] for key in m.store if isinstance(key, tuple) and key[0] is array]
    for start in near:
        held = m.store.get((array, start))
        if held is None or start >= offset + size:
            continue
        if offset < start + (held.type.size if isinstance(held, IntValue) else _WIDEST):
            del m.store[array, start]


def recall(m: Machine, array: ArrayObject, offset: int, ctype: CType) -> Value | None:
    """What is known of a value there; None where nothing is."""
    if array not in m.known_arrays:
        return None
    if isinstance(ctype, Struct):
        return _structure(m, array, offset, ctype)
    held = m.store.get((array, offset))
    if isinstance(held, (PointerValue, FunctionValue)) and isinstance(ctype, Pointer):
        return convert(m, held, ctype)
    if not isinstance(held, IntValue):
        return None
    if held.type.size == ctype.size:
        return convert(m, held, ctype)
    return low_part(m, held, ctype)


def low_part(m: Machine, held: IntValue, ctype: CType) -> Value | None:
    """The first bytes of a number in memory, which are its lowest; None if it has fewer."""
    is_integer = isinstance(ctype, Scalar) and ctype.kind in (Kind.INT, Kind.UNSIGNED)
    if not is_integer or ctype.size > held.type.size or held.poly.integer is None:
        return None
    return convert(m, held, ctype)


def _structure(m: Machine, array: ArrayObject, offset: int, ctype: Struct) -> Value | None:
    if ctype.has_overlaps:
        return None
    known = {
        field.name: value
        for field in ctype.fields
        if (value := recall(m, array, offset + field.offset, field.type)) is not None
    }
    whole = fresh(m, ctype) if known else None
    if not isinstance(whole, StructValue):
        return None
    return StructValue(ctype, {**whole.fields, **known})


def pointers_held(m: Machine, array: ArrayObject) -> dict[CellKey, PointerValue]:
    """The pointers that an array of a thread's own is known to hold, by their cells."""
    if array not in m.known_arrays or array.space is not Space.LOCAL:
        return {}
    return {
        key: value
        for key, value in m.store.items()
        if isinstance(key, tuple) and key[0] is array and isinstance(value, PointerValue)
    }


def one_held(m: Machine, array: ArrayObject, offset: Poly, ctype: Pointer) -> Value | None:
    """The pointer at a place in an array that holds pointers only, all of them known."""
    held = pointers_held(m, array)
    size = ctype.size
    if not 0 < array.size <= _MOST_POINTERS * size or offset.has_role(Role.UNKNOWN):
        return None
    cells = [held.get((array, at)) for at in range(0, array.size, size)]
    if None in cells:
        return None
    value: Value | None = None
    for index, cell in enumerate(cells):
        assert cell is not None
        one = convert(m, cell, ctype)
        value = one if value is None else merge(m, zero(offset / size - index), one, value)
    return value


def forget(m: Machine, array: ArrayObject) -> None:
    """Know nothing of an array's elements any more; an indirect one may be any of its memory."""
    # They stay among `known_arrays`: the store of another branch may still know them.
    gone = {
        one
        for one in m.known_arrays
        if one is array or (array.indirect and one.space is array.space)
    }
    if gone:
        for key in [k for k in m.store if isinstance(k, tuple) and k[0] in gone]:
            del m.store[key]
