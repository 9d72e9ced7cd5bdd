"""The order of the simplified items: as in the source, what they are made of in front."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from estimator.simplify.made import Made
from estimator.simplify.unit import ItemKind

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
# What is only pointed to may come later.
_POINTED = re.compile(r"(?<!\w)struct\s+\w+\s*(?=\*)")
_NEEDED = frozenset({ItemKind.TYPE, ItemKind.VARIABLE})


def ordered(made: Iterable[Made], constants: Mapping[str, str]) -> list[Made]:
    """The items by place, each type or constant in front of those that have it as a part.

    An instance of a class template stands where the template does, also if it is made of another
    instance of it that was asked for later. `constants` has the enumerations of constants.
    """
    found = sorted(made, key=_place)
    named = {one.name: one for one in found if one.kind in _NEEDED}
    done: set[int] = set()
    result: list[Made] = []
    for one in found:
        if one.kind in _NEEDED:
            _add(one, named, constants, done, result)
        elif id(one) not in done:
            done.add(id(one))
            result.append(one)
    return result


def _place(made: Made) -> tuple[int, bool]:
    """Types come before functions that belong to the same place."""
    return made.order, made.kind not in _NEEDED


def _add(
    first: Made,
    named: Mapping[str, Made],
    constants: Mapping[str, str],
    done: set[int],
    result: list[Made],
) -> None:
    stack = [(first, False)]
    while stack:
        one, is_ready = stack.pop()
        if is_ready:
            result.append(one)
            continue
        if id(one) in done:
            continue
        done.add(id(one))
        stack.append((one, True))
        text = _POINTED.sub("", "".join(piece.text for piece in one.pieces))
        for word in dict.fromkeys(_WORD.findall(text)):
            needed = named.get(word) or named.get(constants.get(word, ""))
            if needed is not None and id(needed) not in done:
                stack.append((needed, False))
