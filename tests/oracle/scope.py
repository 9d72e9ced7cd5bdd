"""Names inside one function: its variables, constants, and the temporaries of its translation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pycparser import c_ast

from estimator.parse.types import INT, Array, CType, Struct
from estimator.source.position import Position
from oracle.operand import Operand, Place

if TYPE_CHECKING:
    from oracle.program import Program


class Scope(ABC):
    """What expressions and statements of a function have in common."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.constants: dict[str, int] = dict(program.integer_constants)
        self._scopes: list[dict[str, Place]] = [{}]
        self._count = 0
        self.prologue: list[str] = []

    def push(self) -> None:
        self._scopes.append({})

    def pop(self) -> None:
        self._scopes.pop()

    def declare(self, name: str, place: Place) -> None:
        self._scopes[-1][name] = place

    def lookup(self, name: str) -> Place | None:
        """The variable of that name that is in sight."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def constant(self, name: str) -> Operand | None:
        """An enumerator or a constant outside functions."""
        enumerators = self.program.unit.types.enumerators
        if name in enumerators:
            return Operand(str(enumerators[name]), INT)
        return self.program.constants.get(name)

    def fresh(self, name: str) -> str:
        """A Python name that no other variable has."""
        self._count += 1
        return f"{name}_{self._count}"

    def temporary(self) -> str:
        return self.fresh("t")

    def temporary_memory(self, ctype: CType, name: str = "", *, of_kernel: bool = False) -> str:
        """The Python name of the address of memory that the function owns; `name` for variables.

        Only variables that are arrays count as local memory, and arrays in structures but those
        that a kernel is given.
        """
        fresh = self.fresh(name or "m")
        is_array = isinstance(ctype, Array) and bool(name)
        inside = () if of_kernel else tuple(_arrays_inside(ctype, 0))
        self.prologue.append(f"{fresh} = T.variable({name!r}, {ctype.size}, {is_array}, {inside})")
        return fresh

    def position(self, node: c_ast.Node) -> Position:
        return self.program.unit.position(node)

    @abstractmethod
    def call(self, node: c_ast.FuncCall) -> Operand:
        """A function's value."""

    @abstractmethod
    def packed(self, op: str, left: Operand, right: Operand) -> Operand:
        """An operator on a pair such as half2."""

    @abstractmethod
    def initialise(
        self, ctype: CType, address: str, init: c_ast.Node, node: c_ast.Node
    ) -> list[str]:
        """The stores that an initialiser means."""


def _arrays_inside(ctype: CType, start: int) -> Iterator[tuple[int, int]]:
    """Where the arrays in a structure begin and end."""
    for field in ctype.fields if isinstance(ctype, Struct) else ():
        begin = start + field.offset
        if isinstance(field.type, Array):
            yield begin, begin + field.type.size
        else:
            yield from _arrays_inside(field.type, begin)
