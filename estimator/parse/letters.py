"""Names with letters beyond ASCII: pycparser reads none, so other names stand in for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from pycparser import c_ast

from estimator.parse.nodes import nodes_of

_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_QUOTED_OR_NAME = re.compile(r'"(?:\\.|[^"\\\n])*"|' + _NAME.pattern)
_LETTERS = "uvwxyzabcdefghijklmnopqrst"
_MOST_TRIED = 20_000


def in_ascii(text: str) -> tuple[str, dict[str, str]]:
    """The text with an ASCII name of the same length for each other, and what these stand for.

    Offsets stay as they are. A name for which none is free stays too.
    """
    if text.isascii():
        return text, {}
    names = set(_NAME.findall(text))
    stand_ins: dict[str, str] = {}
    for name in sorted(name for name in names if not name.isascii()):
        stand_in = next((made for made in _candidates(name) if made not in names), None)
        if stand_in is not None:
            names.add(stand_in)
            stand_ins[name] = stand_in
    return with_names(text, stand_ins), {made: name for name, made in stand_ins.items()}


def with_names(text: str, names: Mapping[str, str]) -> str:
    """The text with other names; what is in quotes stays."""
    if not names:
        return text
    return _QUOTED_OR_NAME.sub(lambda found: names.get(found.group(), found.group()), text)


def _candidates(name: str) -> Iterator[str]:
    """Names that differ from this one where it is not ASCII."""
    places = [index for index, letter in enumerate(name) if not letter.isascii()]
    for tried, letters in enumerate(product(_LETTERS, repeat=min(len(places), 4))):
        if tried > _MOST_TRIED:
            return
        made = list(name)
        for number, place in enumerate(places):
            made[place] = letters[min(number, len(letters) - 1)]
        yield "".join(made)


def restore(root: c_ast.Node, originals: Mapping[str, str]) -> None:
    """Put the user's names back into a tree."""
    for node in nodes_of(root) if originals else ():
        for attribute in node.attr_names:
            value = getattr(node, attribute)
            if isinstance(value, str) and value in originals:
                setattr(node, attribute, originals[value])
            elif isinstance(value, list):
                setattr(node, attribute, [originals.get(part, part) for part in value])
        if isinstance(node, c_ast.TypeDecl) and node.declname in originals:
            node.declname = originals[node.declname]
