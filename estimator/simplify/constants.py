"""Named integer constants, where a name of a type must hold their value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.fold import fold

if TYPE_CHECKING:
    from estimator.simplify.draft import Draft

_WORD = re.compile(r"[A-Za-z_]\w*")
_DEEPEST = 8


def constant_in(text: str, draft: Draft, deep: int = 0) -> int | None:
    """The value of a constant expression, `const` and `constexpr` names followed."""
    value = fold(text)
    if value is not None or deep > _DEEPEST:
        return value
    names: dict[str, int] = {}
    for word in set(_WORD.findall(text)):
        definition = _definition(word, draft)
        found = constant_in(definition, draft, deep + 1) if definition is not None else None
        if found is not None:
            names[word] = found
    return fold(text, names) if names else None


def _definition(word: str, draft: Draft) -> str | None:
    """What a constant is initialised with, as text."""
    bound = draft.binding.names.get(word)
    if bound is not None:
        return bound
    pattern = re.compile(
        rf"\b(?:const|constexpr)\b[\w\s]*?\b{re.escape(word)}\s*(?:=\s*([^;,{{}}]+)|\{{([^{{}}]+)\}})"
    )
    found = pattern.search(draft.tree.parsed)
    return (found[1] or found[2]) if found is not None else None
