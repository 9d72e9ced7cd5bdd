"""What `parse` gives to `lower`: functions, kernels, launches and variables with their types."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from pycparser import c_ast

from estimator.immutable import immutable
from estimator.parse.attributes import Attributes
from estimator.parse.table import TypeTable
from estimator.simplify.unit import SimplifiedUnit
from estimator.source.diagnostics import Diagnostic
from estimator.source.position import Position


@immutable(slots=False)
class Function:
    """A function, kernel or launch of simplified CUDA C.

    `attributes` has the names in `[[cuda::…]]` with their arguments;
    `display_name` is the C++ name of a template's instance.
    """

    name: str
    display_name: str
    definition: c_ast.FuncDef
    attributes: Attributes
    position: Position

    @property
    def parameters(self) -> list[c_ast.Decl]:
        """The parameters' declarations, without `void` and `...`."""
        listed = self.definition.decl.type.args
        declared = listed.params if listed is not None else []
        return [p for p in declared if isinstance(p, c_ast.Decl) and p.name]


@immutable(slots=False)
class GlobalVariable:
    """A variable outside functions; `space` is constant, device or host."""

    name: str
    declaration: c_ast.Decl
    space: str
    position: Position


@dataclass
class Unit:
    """One parsed translation unit."""

    source: SimplifiedUnit
    types: TypeTable
    functions: dict[str, Function] = field(default_factory=dict)
    kernels: list[Function] = field(default_factory=list)
    launches: list[Function] = field(default_factory=list)
    variables: dict[str, GlobalVariable] = field(default_factory=dict)
    lost: dict[str, Diagnostic] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    line_starts: list[int] = field(default_factory=list)

    def offset(self, node: c_ast.Node) -> int:
        """Where a node starts in the simplified text."""
        coord = node.coord
        if coord is None:  # pycparser 3.11 gives compound literals none
            return min((self.offset(child) for _, child in node.children()), default=0)
        line = max(1, min(coord.line, len(self.line_starts)))
        column: int = coord.column or 1
        start: int = self.line_starts[line - 1]
        return start + max(0, column - 1)

    def position(self, node: c_ast.Node) -> Position:
        """Where a node stands in the user's file."""
        return self.source.positions.position(self.offset(node))

    def line_of(self, offset: int) -> int:
        """The line of an offset in the simplified text."""
        return bisect_right(self.line_starts, offset)
