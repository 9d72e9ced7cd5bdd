"""Templates of host functions that launch kernels: which instances the file uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.inference import CType, declared_type, locals_of
from estimator.simplify.instances import Unbound, argument_types, bind, launch_key
from estimator.simplify.program import Program
from estimator.simplify.resolve import explicit_arguments
from estimator.simplify.scopes import last_name
from estimator.simplify.symbols import Function, FunctionKind

if TYPE_CHECKING:
    from tree_sitter import Node


def bindings_of(program: Program, function: Function) -> list[Binding]:
    """One binding for each instance that calls use; an assumed one where there is none."""
    found: dict[tuple[object, ...], Binding] = {}
    for caller in _host_functions(program):
        if caller.template is not None:
            continue
        node = caller.node
        for call in program.tree.constructs_in(node.start_byte, node.end_byte):
            if call.type == "call_expression":
                _use(program, function, caller, call, found)
    if found:
        return list(found.values())
    key = tuple(Unbound.ASSUMED for _ in function.template or ())
    return [bind(function, key, function.name)]


def _use(
    program: Program,
    function: Function,
    caller: Function,
    call: Node,
    found: dict[tuple[object, ...], Binding],
) -> None:
    called = call.child_by_field_name("function")
    arguments = call.child_by_field_name("arguments")
    if called is None or arguments is None:
        return
    last = last_name(called)
    name = last.child_by_field_name("name") if last.type == "template_function" else last
    if name is None or program.tree.text_of(name) != function.name:
        return
    draft = Draft(program, Binding(), caller.scope, FunctionKind.HOST)
    local = locals_of(program.tree, caller.node.start_byte, call.start_byte)
    draft.locals = {**outer_types(program), **local}
    try:
        explicit = explicit_arguments(last, draft)
        types = argument_types(arguments, draft.locals, draft)
        key = launch_key(function, explicit, types, draft.resolved_type, draft)
    except LostError:
        return
    if key is not None:
        found[key] = bind(function, key, function.name)


def outer_types(program: Program) -> dict[str, CType]:
    """The types of the variables outside every function."""
    return {
        name: declared_type(program.tree, found[0].node, found[0].declarator)
        for name, found in program.symbols.variables.items()
    }


def _host_functions(program: Program) -> list[Function]:
    return [
        function
        for named in program.symbols.functions.values()
        for function in named
        if function.kind is FunctionKind.HOST
    ]
