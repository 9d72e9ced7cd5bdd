"""Templates of host functions that launch kernels: what their parameters stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.hosttypes import argument_type
from estimator.simplify.inference import CType, declared_type
from estimator.simplify.instances import (
    Argument,
    Unbound,
    bind,
    default_of,
    normal_value,
)
from estimator.simplify.instantiations import instantiated
from estimator.simplify.launchkeys import deduced, launch_key
from estimator.simplify.program import Program
from estimator.simplify.resolve import explicit_arguments
from estimator.simplify.scopes import last_name
from estimator.simplify.symbols import Function, ParameterKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from estimator.simplify.frames import Frame

_WORD = re.compile(r"[A-Za-z_]\w*")


def host_binding(
    function: Function,
    arguments: Sequence[tuple[Node, Frame]],
    call: Node | None,
    caller: Frame | None,
) -> tuple[Binding, frozenset[str]]:
    """The binding of an instance that a call uses, and the type parameters it leaves open.

    Without a call all are open. Open types are read as float where a text must name a type.
    """
    explicit: list[str] = []
    types: list[CType | None] = []
    if call is not None and caller is not None:
        called = call.child_by_field_name("function")
        try:
            if called is not None and called.type == "field_expression":
                called = called.child_by_field_name("field")
            if called is not None:
                explicit = explicit_arguments(last_name(called), caller.draft)
        except LostError:
            explicit = []
        types = [argument_type(node, at, lambdas=False) for node, at in arguments]
    key: list[Argument] = []
    unknown: set[str] = set()
    for index, parameter in enumerate(function.template or ()):
        found = explicit[index] if index < len(explicit) else None
        if parameter.kind is ParameterKind.PACK:
            found = None
        elif found is None and caller is not None:
            if parameter.kind is ParameterKind.TYPE:
                found = deduced(function, parameter, types, caller.draft.resolved_type)
            if found is None:
                found = default_of(Callee(function), parameter, key, caller.draft)
        if found is None or (caller is not None and is_open(found, caller)):
            key.append(Unbound.ASSUMED)
            if parameter.kind is not ParameterKind.VALUE:
                unknown.add(parameter.name)
        else:
            key.append(normal_value(parameter, found))
    return bind(function, tuple(key), function.name), frozenset(unknown)


def instantiations(function: Function, program: Program) -> Iterator[Binding]:
    """The bindings of a function's explicit instantiations: `template void f<float>(int);`."""
    if function.template is None:
        return
    for node in program.symbols.instantiations:
        found = instantiated(node, program)
        if found is None or found[0] != function.name:
            continue
        _, explicit, types = found
        draft = Draft(program, Binding(), "", None)
        if len(types) == len(function.parameters):
            try:
                key = launch_key(function, explicit, types, draft.resolved_type, draft)
            except LostError:
                continue
            if key is not None and not any(isinstance(one, Unbound) for one in key):
                yield bind(function, key, function.name)


def is_open(text: str, frame: Frame) -> bool:
    """Whether a template argument depends on what is not known."""
    names = frame.draft.program.symbols.parameter_names
    binding = frame.draft.binding
    return any(
        word in binding.symbolic
        or word in frame.open
        or (word in names and word not in binding.names)
        for word in _WORD.findall(text)
    )


def outer_types(program: Program) -> dict[str, CType]:
    """The types of the variables outside every function."""
    return {
        name: declared_type(program.tree, found[0].node, found[0].declarator)
        for name, found in program.symbols.variables.items()
    }
