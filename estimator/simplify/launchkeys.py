"""Which instance of a kernel a launch or an explicit instantiation means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.fold import fold
from estimator.simplify.inference import CType, deduce
from estimator.simplify.instances import (
    Argument,
    Key,
    default_of,
    is_pack,
    normal_value,
    pack_elements,
)
from estimator.simplify.symbols import Function, ParameterKind, TemplateParameter
from estimator.simplify.typetext import shape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from estimator.simplify.draft import Draft


def launch_key(
    function: Function,
    explicit: Sequence[str],
    given: Sequence[CType | None],
    resolve: Callable[[str], str],
    draft: Draft,
    said: Mapping[str, str] | None = None,
) -> Key | None:
    """The instance that a launch or an explicit instantiation means; None if it stays open.

    `said` has what arguments of class templates say of the parameters.
    """
    key: list[Argument] = []
    for index, parameter in enumerate(function.template or ()):
        if parameter.kind is ParameterKind.PACK:
            types = [_resolved(one, resolve) for one in given]
            elements = pack_elements(function, parameter, explicit[index:], types)
            is_said = explicit[index:] or any(is_pack(one) for one in function.parameters)
            if elements is None or not is_said:
                return None
            key.append(tuple(_normal_element(parameter, one) for one in elements))
            continue
        found = explicit[index] if index < len(explicit) else (said or {}).get(parameter.name)
        if found is None and parameter.kind is ParameterKind.TYPE:
            found = deduced(function, parameter, given, resolve)
        if found is None:
            found = default_of(Callee(function), parameter, key, draft)
        if found is None:
            return None
        key.append(normal_value(parameter, found))
    return tuple(key)


def _resolved(argument: CType | None, resolve: Callable[[str], str]) -> CType | None:
    """An argument's type by its own name; None where it is not known."""
    if argument is None or argument.base == "auto":
        return None
    return CType(resolve(argument.base), argument.is_const, argument.depth)


def _normal_element(parameter: TemplateParameter, text: str) -> str:
    """An element of a pack as it is written in names."""
    if parameter.type_text:
        value = fold(text)
        return text if value is None else str(value)
    found = shape(text)
    return text if found is None else found.text


def deduced(
    function: Function,
    parameter: TemplateParameter,
    given: Sequence[CType | None],
    resolve: Callable[[str], str],
) -> str | None:
    """A type parameter's argument, from the types of a call's arguments."""
    for one, argument in zip(function.parameters, given, strict=False):
        resolved = _resolved(argument, resolve)
        found = deduce(one, parameter.name, resolved) if resolved is not None else None
        if found is not None:
            return found
    return None
