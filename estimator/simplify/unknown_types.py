"""Constructs without a rule because nothing says what a template's type parameter stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.draft import LostError
from estimator.simplify.instances import Key, Unbound
from estimator.simplify.names import SCALAR_TYPES
from estimator.simplify.symbols import Function, ParameterKind
from estimator.source.codes import TEMPLATE, UNSUPPORTED

if TYPE_CHECKING:
    from estimator.simplify.draft import Draft

_QUOTED = re.compile(r"'([^']*)'")
_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_OPEN = (Unbound.ASSUMED, Unbound.DEDUCED)


def is_unknown_type(name: str, draft: Draft) -> bool:
    """Whether a variable's type is a name that nothing defines."""
    name = draft.resolved_type(name)
    is_made = "__" in name or name in draft.program.records or name in draft.program.bindings
    is_known = name in SCALAR_TYPES or name == "auto" or draft.is_type(name)
    return name.isidentifier() and not is_made and not is_known


def unknown_type(why: LostError, function: Function, key: Key) -> LostError:
    """Why an instance is lost: the open type parameter that a construct depends on, if it does."""
    quoted = _QUOTED.search(why.message)
    if why.code is not UNSUPPORTED or quoted is None:
        return why
    words = _WORD.findall(quoted.group(1))
    for parameter, argument in zip(function.template or (), key, strict=False):
        if argument not in _OPEN or parameter.kind is not ParameterKind.TYPE:
            continue
        if parameter.name and _depends(function, words, parameter.name):
            shown = quoted.group(1)
            message = f"what '{parameter.name}' stands for is not known"
            message += f", and '{shown}' depends on it" if shown != parameter.name else ""
            return LostError(why.offset, message, TEMPLATE)
    return why


def _depends(function: Function, words: list[str], name: str) -> bool:
    """Whether one of the words is a type parameter, or declared with it: `const Body &body`."""
    text = function.node.text.decode() if function.node.text is not None else ""
    declared = rf"\b{re.escape(name)}\b(?:\s*(?:const\b|[&*]))*\s*\b(?:{'|'.join(words)})\b"
    return bool(words) and (name in words or re.search(declared, text) is not None)
