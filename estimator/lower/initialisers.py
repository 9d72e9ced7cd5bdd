"""Initialisers of arrays: a store for every element, those left out being 0."""

from __future__ import annotations

from collections import deque

from pycparser import c_ast

from estimator.algebra.condition import conjunction, nonnegative
from estimator.algebra.poly import Poly
from estimator.ir.kernel import AccessKind, ArrayObject, Domain
from estimator.lower.cells import remember
from estimator.lower.convert import convert
from estimator.lower.machine import Machine
from estimator.lower.values import StructValue, Value
from estimator.parse import types
from estimator.parse.c11 import designated_index
from estimator.parse.types import CType, Struct
from estimator.source import codes


def fill(
    m: Machine, array: ArrayObject, start: int, ctype: CType, items: deque[c_ast.Node]
) -> None:
    """Store what a list gives to the elements or members from `start` on (in bytes).

    Takes what it uses from `items`: inner braces may be left out in C.
    """
    if isinstance(ctype, types.Array):
        m.step(array.position, ctype.length or 0)
    parts = _parts(ctype)
    filled: set[int] = set()
    index = 0
    while items and index < len(parts):
        taken = items
        if isinstance(items[0], c_ast.NamedInitializer):
            index = _designated(m, ctype, items[0])
            taken = deque([items.popleft().expr])
        kind, offset = parts[index]
        _part(m, array, start + offset, kind, taken)
        filled.add(index)
        index += 1
    for index, (kind, offset) in enumerate(parts):
        if index not in filled:
            _part(m, array, start + offset, kind, deque())


def fill_rest(m: Machine, array: ArrayObject, element: CType, stored: int, total: Poly) -> None:
    """Store 0 to the elements of `array` that come after those `stored`, up to `total`."""
    before, counter = m.live, m.fresh_counter()
    index = Poly.of(counter)
    m.live = Domain((*before.counters, counter), before.pieces)
    m.narrow(conjunction(nonnegative(index), nonnegative(total - stored - 1 - index)))
    offset = (index + stored) * element.size
    if not m.dry:
        m.record_access_at(AccessKind.STORE, array, offset, element.size, array.position)
    m.live = before


def _part(
    m: Machine, array: ArrayObject, offset: int, ctype: CType, items: deque[c_ast.Node]
) -> None:
    from estimator.lower.declarations import default_value

    aggregate = isinstance(ctype, (types.Array, Struct))
    if not items:
        if aggregate:
            fill(m, array, offset, ctype, deque())
        else:
            _store(m, array, offset, ctype, default_value(m, ctype))
        return
    if isinstance(items[0], c_ast.InitList):
        fill(m, array, offset, ctype, deque(items.popleft().exprs or ()))
    elif is_aggregate(m, ctype, items[0]):
        fill(m, array, offset, ctype, items)
    else:
        node = items.popleft()
        _store(m, array, offset, ctype, convert(m, m.evaluate(node), ctype), node)


def is_aggregate(m: Machine, ctype: CType, first: c_ast.Node) -> bool:
    """Whether values for the parts of `ctype` follow, of which `first` is one, without braces."""
    if isinstance(ctype, types.Array):
        return True
    if not isinstance(ctype, Struct):
        return False
    m.dry += 1
    try:
        return not isinstance(m.evaluate(first), StructValue)
    finally:
        m.dry -= 1


def _store(
    m: Machine,
    array: ArrayObject,
    offset: int,
    ctype: CType,
    value: Value,
    node: c_ast.Node | None = None,
) -> None:
    where = Poly.of(offset)
    remember(m, array, where, value)
    position = m.position(node) if node is not None else array.position
    m.record_access_at(AccessKind.STORE, array, where, ctype.size, position)


def _parts(ctype: CType) -> list[tuple[CType, int]]:
    """The elements or members of a type, with their offsets."""
    if isinstance(ctype, types.Array):
        size = ctype.element.size
        return [(ctype.element, index * size) for index in range(ctype.length or 0)]
    if isinstance(ctype, Struct):
        fields = ctype.fields[:1] if ctype.is_union else ctype.fields
        return [(field.type, field.offset) for field in fields]
    return [(ctype, 0)]


def _designated(m: Machine, ctype: CType, item: c_ast.NamedInitializer) -> int:
    """The index that `.name =` or `[n] =` means."""
    from estimator.lower.values import IntValue

    name = item.name[0]
    if isinstance(ctype, Struct) and isinstance(name, c_ast.ID):
        names = [field.name for field in ctype.fields]
        if name.name in names:
            return names.index(name.name)
    else:
        value = m.evaluate(designated_index(name))
        index = value.poly.integer if isinstance(value, IntValue) else None
        if (
            index is not None
            and isinstance(ctype, types.Array)
            and 0 <= index < (ctype.length or 0)
        ):
            return index
    raise m.fail(codes.UNSUPPORTED, item, "cannot follow this designated initialiser")
