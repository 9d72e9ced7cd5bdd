"""Class templates: what their parameters stand for, and which specialisation is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.draft import Binding, Draft
from estimator.simplify.instances import Key, Unbound, normal_value
from estimator.simplify.lookup import is_special
from estimator.simplify.matching import match_argument
from estimator.simplify.symbols import Function, ParameterKind, Role, Type
from estimator.simplify.synonyms import comparable, plain_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from estimator.simplify.program import Program


def type_binding(defined: Type, arguments: Sequence[str]) -> Binding:
    """What the parameters of a class template stand for."""
    names: dict[str, str] = {}
    packs: dict[str, tuple[str, ...]] = {}
    for index, parameter in enumerate(defined.template or ()):
        if parameter.kind is ParameterKind.PACK:
            packs[parameter.name] = tuple(arguments[index:])
        elif index < len(arguments) and parameter.name:
            names[parameter.name] = arguments[index]
    return Binding(names, frozenset(), packs)


def choose_specialisation(
    program: Program, defined: Type, arguments: Sequence[str]
) -> tuple[Type, Binding] | None:
    """The specialisation for these arguments that leaves least open; None for the template."""
    best: tuple[int, Type, Binding] | None = None
    for special in program.symbols.specialised.get(defined.name, ()):
        listed = special.specialises
        if listed is None or special.scope != defined.scope:
            continue
        if len(listed.named_children) != len(arguments):
            continue
        names = {parameter.name for parameter in special.template or ()}
        draft = Draft(program, Binding(), special.scope, None)
        found: dict[str, str | None] = {}
        fits = all(
            match_argument(child, argument, names, found, draft)
            for child, argument in zip(listed.named_children, arguments, strict=True)
        )
        if fits and (best is None or len(names) < best[0]):
            texts = {name: text for name, text in found.items() if text is not None}
            best = len(names), special, Binding(texts)
    return best[1:] if best is not None else None


def function_specialisation(program: Program, function: Function, key: Key) -> Function | None:
    """The explicit specialisation that replaces an instance, if there is one."""
    if not key or any(isinstance(argument, Unbound) for argument in key):
        return None
    for other in specialisations(program, function):
        listed = other.specialises.named_children if other.specialises is not None else []
        draft = Draft(program, Binding(), other.scope, None)
        given = [comparable(draft.rendered_node(child), draft) for child in listed]
        if given != [comparable(str(one), draft) for one in key[: len(given)]]:
            continue
        if len(given) == len(key) or _has_types(program, function, key, other):
            return other
    return None


def specialisations(program: Program, function: Function) -> list[Function]:
    """The explicit specialisations of a function template."""
    if function.role is not Role.FREE or not function.template:
        return []
    return [
        one
        for one in program.symbols.functions.get(function.name, ())
        if is_special(one)
        and one.scope == function.scope
        and len(one.parameters) == len(function.parameters)
    ]


def _has_types(program: Program, function: Function, key: Key, other: Function) -> bool:
    """Whether an instance's parameters have the types that a specialisation is written for."""
    from estimator.simplify.typeof import declared

    draft = Draft(program, Binding(), other.scope, None)
    theirs = (
        declared(draft, one.node, one.node.child_by_field_name("declarator"))
        for one in other.parameters
    )
    ours = program.parameter_types(Callee(function), key)
    return all(
        one is not None and (plain_name(one.base), one.depth) == (plain_name(two.base), two.depth)
        for one, two in zip(ours, theirs, strict=True)
    )


def start_of(defined: Type) -> int:
    """Where a type belongs: one inside a class stands in front of that."""
    node, start = defined.node.parent, defined.node.start_byte
    while node is not None and node.type != "function_definition":
        if node.type == "field_declaration_list" and node.parent is not None:
            start = node.parent.start_byte - 1
        node = node.parent
    return start


def type_arguments(
    program: Program, defined: Type, arguments: Sequence[str], at: Node, draft: Draft
) -> tuple[str, ...]:
    """The arguments of a class template with its defaults, as an instance is named by them."""
    full: list[str] = []
    for index, parameter in enumerate(defined.template or ()):
        if parameter.kind is ParameterKind.PACK:
            full.extend(arguments[index:])
            break
        if index < len(arguments):
            text = arguments[index]
        elif parameter.default is not None:
            span = parameter.default
            binding = type_binding(defined, full)
            if parameter.kind is ParameterKind.TEMPLATE:
                text = program.tree.text[span.start : span.end].rpartition("::")[2].strip()
            else:
                text = program.rendered_with(span.start, span.end, binding, defined.scope)
        else:
            raise draft.lose(at, f"the type '{defined.name}' with these arguments")
        if parameter.kind in {ParameterKind.TYPE, ParameterKind.VALUE}:
            text = normal_value(parameter, text)
        full.append(text)
    return tuple(full)
