"""Which functions a function template calls: overloads need to know its types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.lookup import primary
from estimator.simplify.scopes import last_name
from estimator.simplify.symbols import Function, FunctionKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from estimator.simplify.program import Program


def calls_overloaded(function: Function, program: Program) -> bool:
    """Whether a function calls one of several by its name, itself or through templates."""
    known = program.symbols.call_overloaded
    start = function.node.start_byte
    if start not in known:
        known[start] = False  # what calls itself says no more
        known[start] = any(
            len(found) > 1 or (bool(found[0].template) and calls_overloaded(found[0], program))
            for found in _called(function, program)
        )
    return known[start]


def _called(function: Function, program: Program) -> Iterator[list[Function]]:
    """The functions of the file by each of the names that are called, those of the GPU first."""
    node = function.node
    names: set[str] = set()
    for call in program.tree.constructs_in(node.start_byte, node.end_byte):
        callee = call.child_by_field_name("function") if call.type == "call_expression" else None
        if callee is None:
            continue
        last = last_name(callee)
        name_node = last.child_by_field_name("name") if last.type == "template_function" else last
        if name_node is not None and name_node.type == "identifier":
            names.add(program.tree.text_of(name_node))
    for name in sorted(names):
        found = primary(program.symbols.functions.get(name, ()))
        device = [one for one in found if one.kind is not FunctionKind.HOST]
        if device or found:
            yield device or found
