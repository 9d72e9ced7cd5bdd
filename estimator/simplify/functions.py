"""Function definitions: CUDA's qualifiers become attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import is_const
from estimator.simplify.draft import Draft, LostError, Piece
from estimator.simplify.instances import Argument, Key, Unbound, bind
from estimator.simplify.symbols import Function, FunctionKind, ParameterKind, TemplateParameter
from estimator.source.codes import SYNTAX

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.program import Program

_KEPT = frozenset({"const", "volatile"})


def function_pieces(
    program: Program, function: Function, name: str, key: Key, kind: FunctionKind
) -> list[Piece]:
    """The function as an item called `name`, its template parameters bound by `key`.

    Raises LostError when it holds a construct without a rule, or a syntax error.
    """
    if function.fault is not None:
        raise LostError(function.fault.offset, function.fault.message, SYNTAX)
    binding = bind(function, key, name)
    source = program.specialisation(function, key) or function
    node = source.node
    draft = Draft(program, binding, function.scope, kind)
    attributes = [f"[[cuda::{kind.value}]]"]
    _header(source, name, attributes, draft)
    note = _note(function, key)
    if note:
        attributes.append(note)
    draft.before(node.start_byte, " ".join(attributes) + ("\n" if note else " "))
    _append_values(function, source, key, draft)
    draft.run(node.start_byte, node.end_byte)
    return draft.pieces(node.start_byte, node.end_byte)


def _header(function: Function, name: str, attributes: list[str], draft: Draft) -> None:
    """Take qualifiers out of the text and name the function."""
    node, declarator = function.node, function.declarator
    specifier = node.child_by_field_name("type")
    outer = node.child_by_field_name("declarator") or declarator
    end = outer.start_byte
    for child in node.children:
        if child.start_byte >= end:
            break
        if child.type == "launch_bounds":
            bounds = ", ".join(draft.rendered_node(part) for part in child.named_children)
            attributes.append(f"[[cuda::launch_bounds({bounds})]]")
        elif child == specifier or draft.text_of(child) in _KEPT:
            continue
        draft.skip(child.start_byte, draft.past_space(child.end_byte))
    if outer.type == "reference_declarator":
        if not is_const(draft.tree, node):
            raise draft.lose(outer, "a reference as a result")
        draft.delete_token(outer.children[0])
    name_node = declarator.child_by_field_name("declarator")
    if name_node is not None and draft.text_of(name_node) != name:
        draft.skip(name_node.start_byte, name_node.end_byte, name)
    draft.return_type = draft.rendered_node(specifier) if specifier is not None else ""
    _trailing_type(specifier, declarator, draft)


def _trailing_type(specifier: Node | None, declarator: Node, draft: Draft) -> None:
    """`auto f() -> float` → `float f()`."""
    if specifier is None or draft.text_of(specifier) != "auto":
        return
    for child in declarator.children:
        if child.type == "trailing_return_type" and child.named_children:
            target = child.named_children[0]
            draft.return_type = draft.rendered_node(target)
            draft.skip(specifier.start_byte, specifier.end_byte, draft.return_type)
            listed = declarator.child_by_field_name("parameters")
            draft.skip(listed.end_byte if listed is not None else child.start_byte, child.end_byte)
            return
    raise draft.lose(specifier, "an inferred result type")


def _note(function: Function, key: Key) -> str:
    """The attribute with the instance's C++ name, or with what was assumed."""
    pairs = [
        (parameter, argument)
        for parameter, argument in zip(function.template or (), key, strict=True)
        if parameter.name
    ]
    if any(argument is Unbound.ASSUMED for _, argument in pairs):
        types = [
            f"{parameter.name} = float"
            for parameter, argument in pairs
            if argument is Unbound.ASSUMED and parameter.kind is ParameterKind.TYPE
        ]
        assumed = f'[[cuda::assumed("{", ".join(types)}")]]' if types else ""
        if all(isinstance(argument, Unbound) for _, argument in pairs):
            return assumed
        return f"{_instance(function, pairs)} {assumed}".rstrip()
    if not pairs or any(argument is Unbound.DEDUCED for _, argument in pairs):
        return ""
    return _instance(function, pairs)


def _instance(function: Function, pairs: list[tuple[TemplateParameter, Argument]]) -> str:
    shown = [
        parameter.name if isinstance(argument, Unbound) else argument
        for parameter, argument in pairs
    ]
    arguments = ", ".join(shown).replace("\\", "\\\\").replace('"', '\\"')
    return f'[[cuda::instance("{function.name}<{arguments}>")]]'


def _append_values(function: Function, source: Function, key: Key, draft: Draft) -> None:
    """Template values that are not known become parameters of the function."""
    added = [
        f"[[cuda::template_value]] {parameter.type_text or 'int'} {parameter.name}"
        for parameter, argument in zip(function.template or (), key, strict=True)
        if argument in {Unbound.RUNTIME, Unbound.ASSUMED} and parameter.kind is ParameterKind.VALUE
    ]
    listed = source.declarator.child_by_field_name("parameters")
    if not added or listed is None:
        return
    text = ", ".join(added)
    close = listed.end_byte - 1
    if source.parameters:
        draft.before(close, f", {text}")
    else:
        draft.skip(listed.start_byte + 1, close, text)


def placeholder_names(function: Function, key: Key, name: str) -> list[str]:
    """The typedef names that stand for the type parameters a call leaves open."""
    return [
        f"{name}__{parameter.name}"
        for parameter, argument in zip(function.template or (), key, strict=True)
        if argument is Unbound.DEDUCED
    ]
