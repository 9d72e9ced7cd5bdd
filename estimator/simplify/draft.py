"""A draft of one item: a stretch of the source and the edits that make C of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import field
from enum import Enum
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.inference import CType
from estimator.simplify.library import library_word
from estimator.simplify.mask import Pragma
from estimator.simplify.names import AGGREGATE_TYPES, BUILTIN_TYPES, WORDS
from estimator.simplify.symbols import FunctionKind, TypeKind
from estimator.simplify.tree import Tree
from estimator.source.codes import UNSUPPORTED
from estimator.source.diagnostics import Code

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.collectives import Collective
    from estimator.simplify.program import Program
    from estimator.simplify.typetext import Shape

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")

Rule = Callable[["Node", "Draft"], None]


class LostError(Exception):
    """The item cannot be simplified: why, and the source offset of the construct."""

    def __init__(self, offset: int, message: str, code: Code = UNSUPPORTED) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message
        self.code = code


@immutable()
class Piece:
    """A stretch of output: `text`, copied from `source` on or made for what stands there."""

    text: str
    source: int
    copied: bool


@immutable()
class Binding:
    """What template parameters stand for in an item.

    `names` are replaced by their text; `symbolic` ones are parameters of the function, since
    their value is not known. `packs` stand for several texts each.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    symbolic: frozenset[str] = frozenset()
    packs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def joined(self, inner: Binding) -> Binding:
        """This binding and one inside it, whose names hide these."""
        return Binding(
            {**self.names, **inner.names},
            self.symbolic | inner.symbolic,
            {**self.packs, **inner.packs},
        )


class Returns(Enum):
    """What becomes of a function's `return`."""

    VALUE = "value"
    POINTER = "pointer"  # a reference, returned as an address
    OBJECT = "object"  # a constructor's own


@immutable()
class _Edit:
    start: int
    rank: tuple[int, int]
    end: int
    text: str


_AFTER, _BEFORE, _REPLACE = 0, 1, 2


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


class Draft:
    """Collects the edits of rules over one stretch of the source.

    Rules see the constructs from the outside in and from left to right; a later edit inside a
    replaced stretch has no effect.
    """

    def __init__(
        self, program: Program, binding: Binding, scope: str, kind: FunctionKind | None
    ) -> None:
        self.program = program
        self.tree: Tree = program.tree
        self.binding = binding
        self.scope = scope
        self.kind = kind
        self.return_type = ""
        self.returns: Returns = Returns.VALUE
        self.returned: list[CType | None] = []
        self.substituted = False  # conditions of `enable_if` decide whether this is meant
        self.open: frozenset[str] = frozenset()  # template parameters that are assumed
        self.owner: Record | None = None  # the class that declares this method
        self.this: Record | None = None  # the class of its object
        self.this_const = False  # in a method that is `const`
        self.self_text = "self"
        self.captures: Mapping[str, str] = {}  # a lambda's, as written in its body
        self.captured: tuple[Node, Mapping[str, CType]] | None = None
        self.locals: dict[str, CType] = {}
        self.scoped: dict[str, list[tuple[int, int, CType]]] = {}
        self.auto_types: dict[str, CType] = {}  # of a lambda's parameters
        self.local_types: dict[str, CType] = {}
        self.local_shapes: dict[str, Shape] = {}  # the same, with all that CType leaves out
        self.types: dict[int, CType] = {}
        self.array_sizes: dict[str, Node] = {}
        self.array_shapes: dict[str, list[Node]] = {}
        self.array_counts: dict[str, int] = {}
        self.shapes_seen: dict[str, list[str]] = {}
        self.collectives: dict[str, Collective] = {}
        self.done: set[int] = set()
        self._edits: list[_Edit] = []
        self._skipped: list[tuple[int, int]] = []

    # --- edits -----------------------------------------------------------------------------

    def replace(self, start: int, end: int, text: str) -> None:
        self._edits.append(_Edit(start, (_REPLACE, len(self._edits)), end, text))

    def delete(self, start: int, end: int) -> None:
        self.replace(start, end, "")

    def before(self, offset: int, text: str) -> None:
        """Insert before what begins at `offset`, and inside what enclosing rules inserted."""
        self._edits.append(_Edit(offset, (_BEFORE, len(self._edits)), offset, text))

    def after(self, offset: int, text: str) -> None:
        """Insert after what ends at `offset`, and inside what enclosing rules inserted."""
        self._edits.append(_Edit(offset, (_AFTER, -len(self._edits)), offset, text))

    def skip(self, start: int, end: int, text: str = "") -> None:
        """Replace a stretch and apply no rule inside."""
        self.replace(start, end, text)
        self._skipped.append((start, end))

    def delete_token(self, node: Node) -> None:
        """Delete a token and the white space behind it; `auto& r` stays two words."""
        start, end = node.start_byte, node.end_byte
        after = self.past_space(end)
        text = self.tree.text
        # What ends with `>` here may be a name in C: `V<float>&v` → `V__float v`.
        before = text[start - 1] if start > 0 else ""
        glued = (_is_word(before) or before == ">") and _is_word(text[after : after + 1])
        if not glued:
            self.delete(start, after)
            return
        if after == end:
            self.before(start, " ")
        self.delete(start, end)

    def past_space(self, offset: int) -> int:
        """The offset of the next character that is not white space."""
        text = self.tree.text
        while offset < len(text) and text[offset].isspace():
            offset += 1
        return offset

    def text_of(self, node: Node) -> str:
        return self.tree.text_of(node)

    def lose(self, node: Node, construct: str) -> LostError:
        """The exception for a construct without a rule."""
        return LostError(node.start_byte, f"{construct} is not supported")

    def rendered(self, start: int, end: int) -> str:
        """The simplified text of another stretch, under this item's binding."""
        inner = self.inner()
        inner.run(start, end)
        return "".join(piece.text for piece in inner.pieces(start, end))

    def inner(self, binding: Binding | None = None) -> Draft:
        """A draft of another stretch in the same place: the same names, no edits."""
        inner = copy(self)
        inner.done, inner._edits, inner._skipped = set(), [], []
        if binding is not None:
            inner.binding = binding
            inner.types = {}
        return inner

    def rendered_node(self, node: Node) -> str:
        """The node's simplified text on one line."""
        return " ".join(self.rendered(node.start_byte, node.end_byte).split())

    def resolved_type(self, name: str) -> str:
        """The type that a name stands for here: bound template parameters and aliases followed."""
        for _ in range(16):
            bound = self.binding.names.get(name)
            if bound is None:
                bound = self.program.alias_target(name, self.scope)
            if bound is None or bound == name:
                return name
            name = bound
        return name

    def canonical(self, text: str) -> CType:
        """The type that simplified text names here, aliases followed."""
        from estimator.simplify.scoping import canonical

        return canonical(text, self)

    def declare(self, name: Node, found: CType) -> None:
        """Note a variable's type, from here to the end of its block."""
        text = self.text_of(name)
        if text == "self" and self.this is not None:
            raise self.lose(name, "a variable 'self' in a member function")
        self.locals[text] = found
        if self.program.is_typed:
            from estimator.simplify.scoping import scope_end

            self.scoped.setdefault(text, []).append((name.start_byte, scope_end(name), found))

    def local(self, name: str, at: int) -> CType | None:
        """The type of the variable that a name means at an offset, if it is a local one."""
        for start, end, found in reversed(self.scoped.get(name, ())):
            if start <= at < end:
                return found
        outer = self.locals.get(name) if name not in self.scoped else None
        if outer is None and self.captured is not None:
            return self.captured[1].get(name)
        return outer

    def names_type(self, node: Node) -> bool:
        """Whether a qualified name means a type: a class's member, or one in a namespace."""
        from estimator.simplify.scoping import names_type

        return names_type(node, self)

    def _is_local(self, name: str, at: int) -> bool:
        """Whether a name is declared in this item itself, which hides members and captures."""
        if name in self.scoped:
            return any(start <= at < end for start, end, _ in self.scoped[name])
        return name in self.locals

    def is_class_template(self, name: str) -> bool:
        """Whether a name is a class template of the file, or stands for one."""
        defined = self.program.find_type(self.binding.names.get(name, name), self.scope)
        return defined is not None and defined.template is not None

    def is_aggregate(self, type_text: str) -> bool:
        """Whether values of the type are written in braces."""
        name = self.resolved_type(type_text.removeprefix("const ").strip())
        if name in AGGREGATE_TYPES or name in self.program.records:
            return True
        defined = self.program.find_type(name, self.scope)
        return defined is not None and defined.kind is TypeKind.RECORD

    def is_type(self, name: str) -> bool:
        """Whether a word names a type here."""
        return (
            name in BUILTIN_TYPES
            or name in self.local_types
            or (name in self.binding.names and self.program.is_type_parameter(name))
            or self.program.find_type(name, self.scope) is not None
        )

    # --- rules -----------------------------------------------------------------------------

    def run(self, start: int, end: int) -> None:
        """Apply every rule to the constructs, words and pragmas in `[start, end)`.

        Raises LostError for what has no rule.
        """
        rules = self.program.rules
        ahead = sorted(self._skipped)
        known, skip_to = len(ahead), 0
        for node in self.tree.constructs_in(start, end):
            at = node.start_byte
            while ahead and ahead[0][0] <= at:
                skip_to = max(skip_to, heappop(ahead)[1])
            if at < skip_to or node.id in self.done:
                continue
            rules[node.type](node, self)
            for skipped in self._skipped[known:]:
                heappush(ahead, skipped)
            known = len(self._skipped)
        self._run_words(start, end)
        self._run_pragmas(start, end)
        for gap_start, gap_end in self.tree.gaps_in(start, end):
            self.delete(gap_start, self.past_space(gap_end))

    def _run_words(self, start: int, end: int) -> None:
        skipped = sorted(self._skipped)
        at = 0
        words = self.tree.words_in(start, end)
        if self.captured is not None or self.binding.packs:
            words = iter(sorted({*words, *self._own_words(start, end)}))
        for offset, word in words:
            while at < len(skipped) and skipped[at][1] <= offset:
                at += 1
            if at < len(skipped) and skipped[at][0] <= offset:
                continue
            self._word(offset, word)

    def _word(self, offset: int, word: str) -> None:
        stop = offset + len(word)
        bound = self.binding.names.get(word)
        if bound is not None:
            self.replace(offset, stop, bound)
        elif word in self.binding.packs:
            raise LostError(offset, "a parameter pack is not supported")
        elif word in WORDS:
            text = WORDS[word]
            self.replace(offset, stop if text else self.past_space(stop), text)
        elif (known := library_word(word, self)) is not None:
            self.replace(offset, stop, known)
        elif word not in self.binding.symbolic:
            if (self.owner is not None or self.captures) and self._member(offset, word):
                return
            name = self.program.need_name(word, offset, self)
            if name is not None and name != word:
                self.replace(offset, stop, name)

    def _member(self, offset: int, word: str) -> bool:
        """A method's use of a member, or a lambda's of what it captured."""
        if self.tree.parsed[offset - 1] == ":" or self._is_local(word, offset):
            return False
        text = self.captures.get(word)
        if text is None and self.owner is not None:
            from estimator.simplify.membernames import member_text

            text = member_text(self.program, word, self)
        if text is None:
            return False
        self.replace(offset, offset + len(word), text)
        return True

    def _own_words(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Captured names and packs, which the list of words does not have."""
        parsed, packs = self.tree.parsed, self.binding.packs
        for match in _WORD.finditer(parsed, start, end):
            at, word = match.start(), match.group()
            is_field = parsed[at - 1] == "." or parsed[at - 2 : at] == "->"
            if (word in self.captures or word in packs) and not is_field:
                yield at, word

    def _run_pragmas(self, start: int, end: int) -> None:
        for pragma in self.tree.pragmas_in(start, end):
            attribute = "[[cuda::unroll]]"
            if pragma.count:
                # No tree holds a pragma's text, so names are looked for in it here.
                count = _WORD.sub(self._bound, pragma.count)
                attribute = f"[[cuda::unroll({count})]]"
            self.replace(pragma.start, pragma.end, self._indent(pragma) + attribute)

    def _bound(self, word: re.Match[str]) -> str:
        return self.binding.names.get(word.group(), word.group())

    def _indent(self, pragma: Pragma) -> str:
        """A pragma in the first column becomes an attribute under its loop's own indent."""
        text = self.tree.text
        if pragma.start and text[pragma.start - 1] != "\n":
            return ""
        start = pragma.end + 1
        return text[start : self.past_space(start)].rpartition("\n")[2]

    def pieces(self, start: int, end: int) -> list[Piece]:
        """The stretch `[start, end)` with all edits made."""
        text = self.tree.text
        found: list[Piece] = []
        done = start
        for edit in sorted(self._edits, key=lambda edit: (edit.start, edit.rank)):
            if edit.start < done:
                continue
            if edit.start > end or (edit.start == end and edit.rank[0] != _AFTER):
                break
            if edit.start > done:
                found.append(Piece(text[done : edit.start], done, True))
            if edit.text:
                found.append(Piece(edit.text, edit.start, False))
            done = max(done, edit.end)
        if done < end:
            found.append(Piece(text[done:end], done, True))
        return found
