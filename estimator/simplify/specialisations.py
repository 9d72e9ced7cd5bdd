"""Class templates: what their parameters stand for, and which specialisation is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import Binding, Draft
from estimator.simplify.instances import match_argument
from estimator.simplify.symbols import ParameterKind, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

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
