"""What mutations start from: the samples and twins, whole and cut to one kernel each."""

from __future__ import annotations

import re
from pathlib import Path

from fuzzing.tokens import closing, tokens_of

TESTS = Path(__file__).parent.parent
FOLDERS = (TESTS.parent / "samples", TESTS / "twins", TESTS / "realworld")
_LARGEST = 6_000  # characters; larger files are only used in pieces
_ITEM_END = re.compile(r"[;}]")


def seeds() -> list[str]:
    """The texts of all files, and of all their kernels with what stands before them."""
    found: dict[str, None] = {}
    for folder in FOLDERS:
        for file in sorted([*folder.rglob("*.cu"), *folder.rglob("*.cuh")]):
            text = file.read_text(encoding="utf-8")
            if len(text) <= _LARGEST:
                found[text] = None
            found.update(dict.fromkeys(_pieces(text)))
    return list(found)


def _pieces(text: str) -> list[str]:
    """The file once for each of its kernels, the other kernels left out."""
    items = _items(text)
    kernels = [index for index, item in enumerate(items) if "__global__" in item]
    if len(kernels) < 2:
        return []
    made = []
    for keep in kernels:
        parts = [item for index, item in enumerate(items) if index == keep or index not in kernels]
        made.append("".join(parts))
    return [piece for piece in made if len(piece) <= _LARGEST]


def _items(text: str) -> list[str]:
    """The text cut behind every item outside of functions."""
    tokens = tokens_of(text)
    items, start, index = [], 0, 0
    while index < len(tokens):
        token = tokens[index]
        if token in ("{", "("):
            index = closing(tokens, index)
        if tokens[index] == ";" or (tokens[index] == "}" and token == "{"):
            items.append("".join(tokens[start : index + 1]))
            start = index + 1
        index += 1
    items.append("".join(tokens[start:]))
    return items
