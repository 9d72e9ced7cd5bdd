"""Class templates: what their parameters stand for, and which specialisation is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.constants import constant_in, is_enumerator
from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.fold import fold
from estimator.simplify.instances import Key, Unbound, normal_value
from estimator.simplify.lookup import is_special
from estimator.simplify.matching import (
    arguments_in,
    is_deduced,
    match_all,
    match_argument,
    specificity,
)
from estimator.simplify.symbols import Function, ParameterKind, Role, Type
from estimator.simplify.synonyms import comparable, plain_name
from estimator.simplify.traits import NotEnabledError
from estimator.simplify.typeshapes import descriptor_shape, shape_of
from estimator.source.codes import TEMPLATE

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
    """The specialisation for these arguments that leaves least open; None for the template.

    Raises LostError where it is not known which that is.
    """
    best: list[tuple[tuple[int, int], Type, Binding]] = []
    for special in program.symbols.specialised.get(defined.name, ()):
        listed = special.specialises
        if listed is None or special.scope != defined.scope:
            continue
        children = arguments_in(listed)
        draft = Draft(program, Binding(), special.scope, None)
        _require_values(defined, children, arguments, draft, special)
        binding = _specialised(special, children, arguments, draft)
        if binding is not None:
            said = sum(specificity(child, draft) for child in children)
            best.append(((len(special.template or ()), -said), special, binding))
    if not best:
        return None
    least = min(rank for rank, _, _ in best)
    found = [(special, binding) for rank, special, binding in best if rank == least]
    if len(found) > 1:
        message = f"which specialisation of '{defined.name}' is meant is not known here"
        raise LostError(found[0][0].node.start_byte, message, TEMPLATE)
    return found[0]


def _require_values(
    defined: Type,
    children: Sequence[Node],
    arguments: Sequence[str],
    draft: Draft,
    special: Type,
) -> None:
    """Raise LostError where a value that a specialisation compares is not known."""
    names = {parameter.name for parameter in special.template or ()}
    for parameter, child, argument in zip(
        defined.template or (), children, arguments, strict=False
    ):
        if parameter.kind is not ParameterKind.VALUE or draft.text_of(child) in names:
            continue
        if fold(argument) is None and not is_enumerator(argument, draft):
            message = f"which specialisation of '{defined.name}' is meant is not known here"
            raise LostError(special.node.start_byte, message, TEMPLATE)


def _specialised(
    special: Type, children: Sequence[Node], arguments: Sequence[str], draft: Draft
) -> Binding | None:
    """What the parameters of a specialisation stand for; None where it is not meant."""
    names = {parameter.name for parameter in special.template or ()}
    open_to = range(len(children))
    deduced = [index for index in open_to if is_deduced(children[index], names, draft)]
    found: dict[str, str | None] = {}
    if len(deduced) == len(children):
        if not match_all(children, arguments, names, found, draft):
            return None
        return _bound(found)
    if len(children) != len(arguments):
        return None
    if not all(
        match_argument(children[index], arguments[index], names, found, draft) for index in deduced
    ):
        return None
    binding = _bound(found)
    inner = Draft(draft.program, binding, special.scope, None)
    inner.substituted = True
    for index in open_to:
        if index not in deduced and not _computed(children[index], arguments[index], inner):
            return None
    return binding


def _bound(found: dict[str, str | None]) -> Binding:
    texts = {name: text for name, text in found.items() if text is not None}
    packs = {
        name.removesuffix("..."): tuple(text.splitlines())
        for name, text in texts.items()
        if name.endswith("...")
    }
    return Binding(
        {name: text for name, text in texts.items() if not name.endswith("...")}, frozenset(), packs
    )


def _computed(child: Node, argument: str, draft: Draft) -> bool:
    """Whether an argument that only follows from the others is the one given."""
    try:
        if child.type == "type_descriptor":
            meant = descriptor_shape(child, draft)
            given = shape_of(argument, draft)
            return meant is not None and meant == given
        value = constant_in(draft.rendered_node(child), draft, child)
    except NotEnabledError:
        return False  # the substitution fails: another one is meant
    if value is None or fold(argument) is None:
        raise draft.lose(child, f"'{' '.join(draft.text_of(child).split())}' in a specialisation")
    return value == fold(argument)


def function_specialisation(program: Program, function: Function, key: Key) -> Function | None:
    """The explicit specialisation that replaces an instance, if there is one."""
    if not key or any(isinstance(argument, Unbound) for argument in key):
        return None
    for other in specialisations(program, function):
        listed = other.specialises.named_children if other.specialises is not None else []
        draft = Draft(program, Binding(), other.scope, None)
        given = [comparable(draft.rendered_node(child), draft) for child in listed]
        flat = [text for one in key for text in (one if isinstance(one, tuple) else (one,))]
        if given != [comparable(str(one), draft) for one in flat[: len(given)]]:
            continue
        if len(given) == len(flat) or _has_types(program, function, key, other):
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
            if parameter.kind is ParameterKind.VALUE and fold(text) is None:
                outer = Draft(program, binding, defined.scope, None)
                value = constant_in(text, outer, defined.node)
                text = text if value is None else str(value)
        else:
            raise draft.lose(at, f"the type '{defined.name}' with these arguments")
        if parameter.kind in {ParameterKind.TYPE, ParameterKind.VALUE}:
            text = normal_value(parameter, text)
        full.append(text)
    return tuple(full)
