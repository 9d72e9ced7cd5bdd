"""Calls: which function is meant, under which name, with which arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.casts import functional_cast, named_cast
from estimator.simplify.names import CXX_CASTS
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.symbols import Function, FunctionKind
from estimator.simplify.traits import limit_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_TYPE_NODES = frozenset({"primitive_type", "sized_type_specifier", "type_identifier"})


def call(node: Node, draft: Draft) -> None:
    """A call of any kind: a cast, a constructor, a function, a template, a method."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return
    if function.type == "field_expression":
        raise draft.lose(function, f"the call of a member function, '{_short(function, draft)}',")
    for argument in arguments.named_children:
        if argument.type == "initializer_list":
            raise draft.lose(argument, "a braced argument")
    if function.type in _TYPE_NODES:
        functional_cast(function, arguments, draft)
        return
    if "numeric_limits" in draft.text_of(function):
        constant = limit_value(function, draft)
        if constant is not None:
            draft.skip(node.start_byte, node.end_byte, constant)
            return
    last = last_name(function)
    if last.type == "template_function":
        name_node = last.child_by_field_name("name") or last
        if draft.text_of(name_node) in CXX_CASTS:
            named_cast(node, function, arguments, draft)
            return
    elif last.type == "identifier":
        name_node = last
        if draft.is_type(draft.text_of(last)):
            functional_cast(last, arguments, draft)
            return
    elif last.type == "template_type" or last.type == "template_method":
        raise draft.lose(last, f"the call of '{_short(last, draft)}'")
    else:
        return
    name = draft.text_of(name_node)
    scopes = scopes_of(function, draft)
    found = draft.program.find_function(name, scopes, len(arguments.named_children), node, draft)
    if found is not None:
        _user_call(found, last, arguments, draft)
    elif name in draft.locals and function.type == "identifier":
        raise draft.lose(function, f"the call of an object, '{name}',")


def _user_call(function: Function, last: Node, arguments: Node, draft: Draft) -> None:
    """Name the function as it is simplified, and write out default arguments."""
    given = arguments.named_children
    added: list[str] = []
    for parameter in function.parameters[len(given) :]:
        if parameter.default is not None:
            default = draft.program.rendered_default(function, parameter.default, draft)
            added.append(default)
    if draft.kind in {FunctionKind.KERNEL, FunctionKind.DEVICE}:
        draft.program.use_on_device(function)
    if function.template is None:
        name = draft.program.require_function(function)
    else:
        name, runtime = draft.program.require_call(function, last, arguments, draft)
        added.extend(runtime)
    draft.done.add(last.id)
    if name != draft.text_of(last):
        draft.skip(last.start_byte, last.end_byte, name)
    if added:
        last_offset = arguments.end_byte - 1
        text = ", ".join(added)
        draft.replace(last_offset, last_offset + 1, f", {text})" if given else f"{text})")


def _short(node: Node, draft: Draft) -> str:
    text = " ".join(draft.text_of(node).split())
    return text if len(text) <= 40 else text[:37] + "..."
