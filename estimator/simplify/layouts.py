"""What CUDA C++ says of where members lie: `alignas(16)`, `packed`, `#pragma pack(1)`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from estimator.immutable import immutable

# A type that GCC and Clang make of another one: no rule knows it, so it stays to be refused.
OTHER_TYPE = re.compile(r"\b_*(?:vector_size|ext_vector_type|mode|address_space)_*\s*\(")
_ALIGNMENT = re.compile(
    r"(?:\b(?:__align__|alignas|_*aligned_*|align)\s*)(?P<value>\(.*)", re.DOTALL
)
_ALIGNED = re.compile(r"\b_*aligned_*(?!\s*\()\b")
_PACKED = re.compile(r"\b_*packed_*\b")
_PACK = re.compile(r"(?:#\s*pragma\s+|_Pragma\s*\(\s*\"\s*)pack\s*\(\s*(?P<what>[^)]*)\)")
# `__attribute__((aligned))` is as much as any type of the machine needs.
_LARGEST = "16"


@immutable()
class Layout:
    """An attribute at `text[start:end]`: the `alignment` that it asks for, an expression as
    written, or empty; and whether members follow one another without gaps."""

    start: int
    end: int
    alignment: str
    is_packed: bool


@immutable()
class Layouts:
    """A text's attributes of layout in their order, and where `#pragma pack` changes what
    members are aligned to at most (0 is no limit)."""

    attributes: tuple[Layout, ...] = ()
    packs: tuple[tuple[int, int], ...] = ()

    def between(self, start: int, end: int) -> list[Layout]:
        """The attributes that begin in `[start, end)`."""
        first = bisect_left(self.attributes, start, key=lambda one: one.start)
        last = bisect_left(self.attributes, end, key=lambda one: one.start)
        return list(self.attributes[first:last])

    def pack_at(self, offset: int) -> int:
        """The most that a member there is aligned to, in bytes; 0 where there is no limit."""
        index = bisect_right(self.packs, offset, key=lambda pack: pack[0])
        return self.packs[index - 1][1] if index else 0


NATURAL = Layouts()


def layout_of(lexeme: str, start: int) -> Layout | None:
    """What an attribute says of a layout; None for one that says nothing."""
    found = _ALIGNMENT.search(lexeme)
    alignment = _inside(found["value"]) if found is not None else ""
    if not alignment and _ALIGNED.search(lexeme):
        alignment = _LARGEST
    is_packed = _PACKED.search(lexeme) is not None
    if not alignment and not is_packed:
        return None
    return Layout(start, start + len(lexeme), alignment, is_packed)


def _inside(text: str) -> str:
    """What is inside the parentheses that a text begins with."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return text[1:at].strip()
    return ""


def packs_of(pragmas: list[tuple[int, str]]) -> tuple[tuple[int, int], ...]:
    """Where packing changes, and to what; from the pragmas of a text and where they stand."""
    changes: list[tuple[int, int]] = []
    now, outer = 0, list[int]()
    for start, lexeme in pragmas:
        found = _PACK.search(lexeme)
        if found is None:
            continue
        words = [word.strip() for word in found["what"].split(",")]
        if words[0] == "push":
            outer.append(now)
        elif words[0] == "pop" and outer:
            now = outer.pop()
        elif words == [""]:
            now = 0
        numbers = [int(word) for word in words if word.isdigit()]
        now = numbers[-1] if numbers else now
        changes.append((start, now))
    return tuple(changes)
