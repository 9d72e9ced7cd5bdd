"""Where a record's members lie: its attributes, written on its members in C's words.

`struct __align__(16) S { float x, y, z; }` → `struct S { _Alignas(16) float x; float y, z; }`;
`#pragma pack(2)` → `[[cuda::pack(2)]]` on each member.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.draft import LostError
from estimator.simplify.layouts import OTHER_TYPE
from estimator.simplify.names import WORDS

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.layouts import Layout

_WORD = re.compile(r"[A-Za-z_]\w*")


class Placement:
    """How one record places its members. The first takes the alignment of the record itself."""

    def __init__(self, node: Node, body: Node, draft: Draft) -> None:
        layouts = draft.tree.layouts
        self._record, self._pack = "", layouts.pack_at(body.start_byte)
        if not layouts.attributes:
            return
        own = layouts.between(node.start_byte, body.start_byte)
        for one in layouts.between(node.end_byte, len(draft.tree.parsed)):
            if draft.tree.parsed[node.end_byte : one.start].strip():
                break
            own.append(one)
        self._record = _alignments(own, draft)
        self._pack = _packing(own, self._pack)

    def take(self) -> str:
        """The record's own words, which the first of its members takes."""
        taken, self._record = self._record, ""
        return taken

    def place(self, child: Node, draft: Draft) -> None:
        """Write what is said of a data member, and of the record if it is the first."""
        names = child.children_by_field_name("declarator")
        if self._record and len(names) > 1:
            _split(child, names, draft)
        words = self.words(child, names, draft)
        if words:
            draft.before(child.start_byte, words)

    def words(self, child: Node, names: list[Node], draft: Draft) -> str:
        """What stands in front of a member: its own attributes, and the record's if not taken."""
        own = _attributes_of(child, names, draft)
        if not (self._record or self._pack or own):
            return ""
        if len(names) > 1 and any(one.start > names[0].start_byte for one in own):
            raise draft.lose(child, "an attribute of one of several members")
        pack = _packing(own, self._pack)
        if pack and any(part.type == "bitfield_clause" for part in child.children):
            raise draft.lose(child, "a bit-field in a packed structure")
        taken = self.take()
        packing = f"[[cuda::pack({pack})]] " if pack else ""
        return packing + taken + _alignments(own, draft)


def attribute(node: Node, draft: Draft) -> None:
    """An attribute that makes another type of a type is lost; others go."""
    if OTHER_TYPE.search(draft.text_of(node)):
        raise draft.lose(node, "a type made by an attribute")
    draft.skip(node.start_byte, draft.past_space(node.end_byte))


def _attributes_of(child: Node, names: list[Node], draft: Draft) -> list[Layout]:
    """The attributes around a member's declaration, without those of a type defined in it."""
    layouts = draft.tree.layouts
    if not layouts.attributes:
        return []
    before = child.prev_sibling
    start = before.end_byte if before is not None else child.start_byte
    specifier = child.child_by_field_name("type")
    if specifier is None or specifier.child_by_field_name("body") is None or not names:
        return layouts.between(start, child.end_byte)
    return [
        *layouts.between(start, child.start_byte),
        *layouts.between(names[0].start_byte, child.end_byte),
    ]


def _split(child: Node, names: list[Node], draft: Draft) -> None:
    """`float x, y;` → `float x; float y;`: only the first is aligned as the record."""
    specifier = child.child_by_field_name("type")
    if specifier is not None and specifier.child_by_field_name("body") is not None:
        raise draft.lose(child, "a type among several members")
    words = draft.rendered(child.start_byte, names[0].start_byte).strip()
    comma = draft.tree.parsed.index(",", names[0].end_byte)
    after = draft.past_space(comma + 1)
    draft.replace(comma, after, f"; {' '.join(words.split())} ")


def _packing(layouts: list[Layout], outer: int) -> int:
    return 1 if any(one.is_packed for one in layouts) else outer


def _alignments(layouts: list[Layout], draft: Draft) -> str:
    asked = [one for one in layouts if one.alignment]
    return "".join(f"_Alignas({_in_c(one, draft)}) " for one in asked)


def _in_c(layout: Layout, draft: Draft) -> str:
    """An alignment under the names that its template's arguments and its types have in C."""

    def written(found: re.Match[str]) -> str:
        word = found.group()
        if word in draft.binding.names:
            return draft.binding.names[word]
        if word in WORDS:
            return WORDS[word]
        return draft.program.need_name(word, layout.start, draft) or word

    if "::" in layout.alignment or "..." in layout.alignment:
        raise LostError(layout.start, f"the alignment '{layout.alignment}' is not supported")
    return _WORD.sub(written, layout.alignment)
