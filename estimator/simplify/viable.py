"""Which functions a call can mean at all: by its explicit template arguments, and by deduction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.fold import fold
from estimator.simplify.inference import CType, deduce
from estimator.simplify.matching import match_class
from estimator.simplify.names import BUILTIN_TYPES
from estimator.simplify.symbols import Function, Parameter, ParameterKind, TemplateParameter
from estimator.simplify.synonyms import comparable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from estimator.simplify.draft import Draft


def takes_explicit(function: Function, explicit: Sequence[str], draft: Draft) -> bool:
    """Whether `f<…>(x)` can mean a function: a template with parameters for all arguments."""
    template = function.template
    if not template:
        return False
    if any(one.kind is ParameterKind.PACK for one in template):
        return True
    if len(explicit) > len(template):
        return False
    return all(
        _may_stand_for(one, text, draft) for one, text in zip(template, explicit, strict=False)
    )


def _may_stand_for(parameter: TemplateParameter, text: str, draft: Draft) -> bool:
    """Whether a template argument is of the kind that a parameter has: a type or a value."""
    if parameter.kind is ParameterKind.TYPE:
        return fold(text) is None
    is_number = all(word in BUILTIN_TYPES for word in parameter.type_text.split())
    if parameter.kind is ParameterKind.VALUE and is_number:  # `Scalar T` may be a concept's type
        found = draft.canonical(text)
        is_builtin = all(word in BUILTIN_TYPES for word in found.base.split())
        return not (is_builtin or found.depth or found.base in draft.program.bindings)
    return True


def is_contradicted(
    function: Function, types: Sequence[CType | None], explicit: Sequence[str], draft: Draft
) -> bool | None:
    """Whether arguments give one template parameter several types, so that no call can mean the
    function: `T` of `f(T, T)` in `f(1, 2u)`; None where that depends on types that are open."""
    names = {one.name for one in (function.template or ())[len(explicit) :] if one.name}
    said: dict[str, str] = {}
    is_open = False
    for parameter, given in zip(function.parameters, types, strict=False):
        if parameter.is_pack:
            break
        if given is None:
            continue
        for name, text in _said_by(parameter, given, names, draft).items():
            first = said.setdefault(name, text)
            if comparable(first, draft) == comparable(text, draft):
                continue
            if not any(draft.program.is_placeholder(one) for one in (first, text)):
                return True
            is_open = True
    return None if is_open else False


def generality(function: Function) -> tuple[int, int, int]:
    """How much a function leaves open: of templates that fit, the more special one is meant."""
    template = function.template
    names = {one.name for one in template or ()}
    said = sum(
        one.depth + one.is_const + 2 * (one.base not in names) for one in function.parameters
    )
    return template is not None, -said if template else 0, len(template or ())


def _said_by(parameter: Parameter, given: CType, names: set[str], draft: Draft) -> dict[str, str]:
    """What one argument says of the template parameters."""
    found: dict[str, str | None] = {}
    if parameter.base in names:
        found[parameter.base] = deduce(parameter, parameter.base, given)
    elif "<" in parameter.base:
        pattern = parameter.node.child_by_field_name("type")
        match_class(pattern, given.base, names, found, draft)
    return {name: text for name, text in found.items() if text is not None}
