"""Instances of templates: their arguments, their names, what their parameters stand for."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from estimator.simplify.draft import Binding, LostError
from estimator.simplify.fold import fold
from estimator.simplify.inference import CType, deduce, infer
from estimator.simplify.symbols import Function, ParameterKind, TemplateParameter
from estimator.source.codes import TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_NOT_WORD = re.compile(r"\W+")
_WORD = re.compile(r"[A-Za-z_]\w*")
_SIMPLE = re.compile(r"[\w.]+$")


class Unbound(str, Enum):
    """A template parameter without a text of its own."""

    DEDUCED = "deduced"  # a type: bound anew by every call
    RUNTIME = "runtime"  # a value: passed as an argument
    ASSUMED = "assumed"  # nothing instantiates the kernel: float, or a parameter of the kernel


Argument = str | Unbound
Key = tuple[Argument, ...]


def normal_value(parameter: TemplateParameter, text: str) -> str:
    """A template argument as it is written in names: types and values in their shortest form."""
    if parameter.kind is not ParameterKind.VALUE:
        return " ".join(text.replace("*", " * ").split()).replace("* *", "**")
    value = fold(text)
    if value is None:
        return text
    if parameter.type_text == "bool":
        return "true" if value else "false"
    return str(value)


def instance_name(base: str, function: Function, key: Key) -> str:
    """`horner<float, 512>` → `horner__float_512`."""
    parts: list[str] = []
    for parameter, argument in zip(function.template or (), key, strict=True):
        if argument is Unbound.RUNTIME:
            parts.append(parameter.name)
        elif not isinstance(argument, Unbound) and parameter.name:
            parts.append(word_of(argument))
    return f"{base}__{'_'.join(parts)}" if parts else base


def word_of(argument: str) -> str:
    """A template argument as a part of a name."""
    text = argument.replace("*", "p").replace("-", "m")
    return _NOT_WORD.sub("_", text).strip("_")


def bind(function: Function, key: Key, name: str) -> Binding:
    """What the parameters stand for in the instance that is called `name`."""
    names: dict[str, str] = {}
    symbolic: set[str] = set()
    for parameter, argument in zip(function.template or (), key, strict=True):
        if argument is Unbound.DEDUCED:
            names[parameter.name] = f"{name}__{parameter.name}"
        elif isinstance(argument, Unbound):
            if parameter.kind is ParameterKind.TYPE:
                names[parameter.name] = "float"
            else:
                symbolic.add(parameter.name)
        elif parameter.name:
            is_value = parameter.kind is ParameterKind.VALUE
            simple = not is_value or _SIMPLE.match(argument)
            names[parameter.name] = argument if simple else f"({argument})"
    names.pop("", None)
    return Binding(names, frozenset(symbolic))


def call_key(
    function: Function, explicit: Sequence[str], arguments: Node, draft: Draft, at: Node
) -> tuple[Key, list[str]]:
    """The instance that a call in device code means, and the arguments to pass for values.

    Types that the call leaves out stay open, since every call binds them anew.
    """
    key: list[Argument] = []
    runtime: list[str] = []
    for index, parameter in enumerate(function.template or ()):
        refuse_packs(parameter, at)
        given = explicit[index] if index < len(explicit) else None
        if parameter.kind is ParameterKind.TYPE:
            if given is None or draft.program.is_placeholder(given):
                given = _open_type(function, parameter, given)
        elif given is None:
            given = _array_size(function, parameter, arguments, draft)
        if given is None:
            given = default_of(function, parameter, key, draft)
        if given is None:
            raise LostError(at.start_byte, _message(function, parameter), TEMPLATE)
        if isinstance(given, Unbound):
            key.append(given)
            continue
        text = normal_value(parameter, given)
        if any(word in draft.binding.symbolic for word in _WORD.findall(text)):
            key.append(Unbound.RUNTIME)
            runtime.append(text)
        else:
            key.append(text)
    return tuple(key), runtime


def refuse_packs(parameter: TemplateParameter, at: Node) -> None:
    """Raise LostError for parameters that stand for several things or for templates."""
    if parameter.kind is ParameterKind.PACK:
        raise LostError(at.start_byte, "a parameter pack is not supported")
    if parameter.kind is ParameterKind.TEMPLATE:
        raise LostError(at.start_byte, "a template as a template argument is not supported")


def _message(function: Function, parameter: TemplateParameter) -> str:
    return f"template argument '{parameter.name}' of '{function.name}' cannot be deduced"


def _open_type(
    function: Function, parameter: TemplateParameter, given: str | None
) -> Argument | None:
    if any(one.base == parameter.name for one in function.parameters):
        return Unbound.DEDUCED
    return given


def _array_size(
    function: Function, parameter: TemplateParameter, arguments: Node, draft: Draft
) -> str | None:
    """`N` of `T (&x)[N]`, from the declaration of the array that is passed."""
    pattern = re.compile(rf"\[\s*{re.escape(parameter.name)}\s*\]")
    for one, argument in zip(function.parameters, arguments.named_children, strict=False):
        found = pattern.search(draft.text_of(one.node))
        if found is not None and argument.type == "identifier":
            size = draft.array_sizes.get(draft.text_of(argument))
            if size is not None:
                return draft.rendered_node(size)
    return None


def default_of(
    function: Function, parameter: TemplateParameter, key: Sequence[Argument], draft: Draft
) -> str | None:
    """A template parameter's default, the parameters before it bound."""
    if parameter.default is None:
        return None
    if not parameter.name:
        return ""  # nothing can refer to it
    filled = (*key, *([""] * (len(function.template or ()) - len(key))))
    binding = bind(function, filled, function.name)
    return draft.program.rendered_with(
        parameter.default.start, parameter.default.end, binding, function.scope
    )


def launch_key(
    function: Function,
    explicit: Sequence[str],
    given: Sequence[CType | None],
    resolve: Callable[[str], str],
    draft: Draft,
) -> Key | None:
    """The instance that a launch or an explicit instantiation means; None if it stays open."""
    key: list[Argument] = []
    for index, parameter in enumerate(function.template or ()):
        found = explicit[index] if index < len(explicit) else None
        if found is None and parameter.kind is ParameterKind.TYPE:
            found = deduced(function, parameter, given, resolve)
        if found is None:
            found = default_of(function, parameter, key, draft)
        if found is None or parameter.kind in {ParameterKind.PACK, ParameterKind.TEMPLATE}:
            return None
        key.append(normal_value(parameter, found))
    return tuple(key)


def deduced(
    function: Function,
    parameter: TemplateParameter,
    given: Sequence[CType | None],
    resolve: Callable[[str], str],
) -> str | None:
    """A type parameter's argument, from the types of a call's arguments."""
    for one, argument in zip(function.parameters, given, strict=False):
        if argument is not None and argument.base != "auto":
            resolved = CType(resolve(argument.base), argument.is_const, argument.depth)
            found = deduce(one, parameter.name, resolved)
            if found is not None:
                return found
    return None


def argument_types(arguments: Node, names: dict[str, CType], draft: Draft) -> list[CType | None]:
    """The types of a call's arguments, None where they are not plain."""
    return [infer(draft.tree, argument, names) for argument in arguments.named_children]
