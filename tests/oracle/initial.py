"""Initialisers → stores: `{1, {2, 3}, .w = 4}`, with zeros for what they leave out."""

from __future__ import annotations

from pycparser import c_ast

from estimator.parse.c11 import designated_index
from estimator.parse.types import INT, Array, CType, Scalar, Struct
from oracle.errors import OracleError
from oracle.expressions import Expressions
from oracle.operand import Operand, convert, is_integer

Part = tuple[CType, int]


class Initialisers(Expressions):
    """Expressions, and the initialisers of aggregates."""

    def initialise(
        self, ctype: CType, address: str, init: c_ast.Node, node: c_ast.Node
    ) -> list[str]:
        """The stores that fill a variable at an address, in order of the addresses."""
        if isinstance(init, c_ast.InitList):
            return self._aggregate(ctype, address, 0, list(init.exprs or []))
        return [self._store(ctype, address, 0, self.value(init))]

    def complete(self, ctype: CType, init: c_ast.Node | None) -> CType:
        """An array of open length with the length that its initialiser has."""
        if isinstance(ctype, Array) and ctype.length is None and isinstance(init, c_ast.InitList):
            return Array(ctype.element, len(init.exprs))
        return ctype

    def _store(self, ctype: CType, address: str, offset: int, value: Operand) -> str:
        form = self.program.form(ctype)
        return f"T.store({form}, {address} + {offset}, {convert(value, ctype)})"

    def _aggregate(
        self, ctype: CType, address: str, offset: int, items: list[c_ast.Node]
    ) -> list[str]:
        if not isinstance(ctype, (Array, Struct)):
            return self._part(ctype, address, offset, items)
        parts = _parts(ctype)
        filled: dict[int, list[str]] = {}
        index = 0
        while items and index < len(parts):
            taken = items
            if isinstance(items[0], c_ast.NamedInitializer):
                index = self._designated(ctype, items[0])
                taken = [items.pop(0).expr]
            kind, inner = parts[index]
            filled[index] = self._part(kind, address, offset + inner, taken)
            index += 1
        for index, (kind, inner) in enumerate(parts):
            if index not in filled:
                filled[index] = self._part(kind, address, offset + inner, [])
        return [store for index in sorted(filled) for store in filled[index]]

    def _designated(self, ctype: Array | Struct, item: c_ast.NamedInitializer) -> int:
        name = item.name[0]
        if isinstance(ctype, Struct):
            return [field.name for field in ctype.fields].index(name.name)
        index = self.dimension(designated_index(name))
        if index is None or len(item.name) > 1:
            raise OracleError("unknown designator", self.position(item))
        return index

    def _part(self, ctype: CType, address: str, offset: int, items: list[c_ast.Node]) -> list[str]:
        """One member or element; without items it becomes 0."""
        aggregate = isinstance(ctype, (Array, Struct))
        if not items:
            if aggregate:
                return self._aggregate(ctype, address, offset, [])
            zero = Operand("0", INT) if not _is_float(ctype) else Operand("0.0", ctype)
            return [self._store(ctype, address, offset, zero)]
        if isinstance(items[0], c_ast.InitList):
            return self._aggregate(ctype, address, offset, list(items.pop(0).exprs or []))
        if isinstance(ctype, Array):
            return self._aggregate(ctype, address, offset, items)
        value = self.value(items[0])
        if isinstance(ctype, Struct) and not isinstance(value.type, Struct):
            return self._aggregate(ctype, address, offset, items)
        items.pop(0)
        return [self._store(ctype, address, offset, value)]


def _is_float(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and not is_integer(ctype)


def _parts(ctype: Array | Struct) -> list[Part]:
    if isinstance(ctype, Array):
        size = ctype.element.size
        return [(ctype.element, index * size) for index in range(ctype.length or 0)]
    fields = ctype.fields[:1] if ctype.is_union else ctype.fields
    return [(field.type, field.offset) for field in fields]
