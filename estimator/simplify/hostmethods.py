"""Methods of class templates in host code: what the class's parameters stand for in each call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from estimator.simplify.declarators import function_declarator
from estimator.simplify.declare import template_parameters
from estimator.simplify.draft import Binding
from estimator.simplify.hostclasses import specifier_around, split_arguments
from estimator.simplify.hosttypes import bound_text, object_type
from estimator.simplify.symbols import Function, FunctionKind, Parameter

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.frames import Frame

_WORD = re.compile(r"[A-Za-z_]\w*")


def template_method(
    node: Node, declarator: Node | None, name: str, parameters: tuple[Parameter, ...], draft: Draft
) -> Function | None:
    """A method that is a template itself, as a function with its own template parameters."""
    above = node.parent
    if declarator is None or above is None or above.type != "template_declaration":
        return None
    if above.parent is None or above.parent.type != "field_declaration_list":
        return None
    own = template_parameters(draft.tree, above)
    kind = FunctionKind.HOST
    return Function(name, draft.scope, node, declarator, kind, own, parameters)


def class_binding(
    function: Node | None, call: Node, caller: Frame, draft: Draft
) -> tuple[Binding, frozenset[str]]:
    """What a call says of the parameters of the class template around a method; the open ones."""
    parameters = _parameters(function, draft)
    if not parameters:
        return Binding(), frozenset()
    called = call.child_by_field_name("function")
    given = _given(called, caller) if called is not None else None
    if given is None:  # a method of the same class
        names = caller.draft.binding.names
        given = [names.get(one, one) for one in parameters]
        is_same = specifier_around(caller.code.function, draft) == specifier_around(function, draft)
        given = given if is_same else []
    return _bind(parameters, given, draft, caller.open)


def class_instances(
    function: Node | None, draft: Draft
) -> Iterator[tuple[Binding, frozenset[str]]]:
    """The instances of the class template around a method that the file asks for.

    One with open parameters where it asks for none; nothing for other functions.
    """
    parameters = _parameters(function, draft)
    if not parameters:
        return
    specifier = specifier_around(function, draft)
    named = specifier.child_by_field_name("name") if specifier is not None else None
    name = draft.text_of(named) if named is not None else ""
    found = False
    for given in dict.fromkeys((*_explicit(name, draft), *_declared(name, draft))):
        binding, open_ = _bind(parameters, given, draft, frozenset())
        if not open_:
            found = True
            yield binding, open_
    if not found:
        yield _bind(parameters, (), draft, frozenset())


def _parameters(function: Node | None, draft: Draft) -> tuple[str, ...]:
    """The template parameters of the class around a method, as the method names them."""
    specifier = specifier_around(function, draft)
    if function is None or specifier is None:
        return ()
    declarator = function_declarator(function)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if name is not None and name.type == "qualified_identifier":  # `void S<T>::run(…) {…}`
        scope = name.child_by_field_name("scope")
        text = draft.text_of(scope) if scope is not None else ""
        return split_arguments(text.partition("<")[2].rpartition(">")[0])
    above = specifier.parent
    if above is None or above.type != "template_declaration":
        return ()
    return tuple(one.name for one in template_parameters(draft.tree, above))


def _given(called: Node, caller: Frame) -> Sequence[str] | None:
    """The arguments of the class in `S<float>::run` and `s.run`; None for a name alone."""
    if called.type == "qualified_identifier":
        text = caller.draft.text_of(called).rpartition("::")[0]
    elif called.type == "field_expression":
        inner = called.child_by_field_name("argument")
        if inner is None or inner.type == "this":
            return None
        found = object_type(inner, caller)
        text = found.base if found is not None else ""
    else:
        return None
    text = bound_text(caller.draft.resolved_type(text.strip()), caller)
    return split_arguments(text.partition("<")[2].rpartition(">")[0])


def _bind(
    parameters: Sequence[str], given: Sequence[str], draft: Draft, unknown: frozenset[str]
) -> tuple[Binding, frozenset[str]]:
    names: dict[str, str] = {}
    open_: set[str] = set()
    for index, parameter in enumerate(parameters):
        text = draft.resolved_type(given[index]) if index < len(given) else parameter
        if text == parameter or unknown.intersection(_WORD.findall(text)):
            open_.add(parameter)
        else:
            names[parameter] = text
    return Binding(names), frozenset(open_)


def _explicit(name: str, draft: Draft) -> Iterator[tuple[str, ...]]:
    """The arguments of `template class S<float>;`."""
    head = r"\btemplate\s+(?:class|struct)\s+(?:\w+\s*::\s*)*"
    pattern = rf"{head}{re.escape(name)}\s*<([^;{{}}()]*)>\s*;"
    for match in re.finditer(pattern, draft.tree.parsed):
        yield split_arguments(match.group(1))


def _declared(name: str, draft: Draft) -> Iterator[tuple[str, ...]]:
    """The arguments of objects, `S<float> s;`, that no template parameter of the file is in."""
    known = draft.program.symbols.parameter_names
    pattern = rf"\b{re.escape(name)}\s*<([^<>;{{}}()]*)>\s*[&*]*\s*\w+\s*[;,({{=)]"
    for match in re.finditer(pattern, draft.tree.parsed):
        if not known.intersection(_WORD.findall(match.group(1))):
            yield split_arguments(match.group(1))
