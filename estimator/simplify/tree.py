"""The syntax tree as the rules want it: one flat list of constructs in source order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.layouts import NATURAL, Layouts
from estimator.simplify.mask import Pragma

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")


@immutable()
class Chunk:
    """A stretch `[start, end)` of top-level text that was parsed by itself."""

    start: int
    end: int
    scope: str = ""
    stray: int | None = None  # offset of a closing brace too many, behind it


@immutable()
class Fault:
    """A syntax error: where it is, and what it is as far as the parser can say."""

    offset: int
    message: str


@immutable()
class Damage:
    """A chunk of which no tree could be made."""

    start: int
    end: int
    fault: Fault


@immutable()
class TopNode:
    """A node outside every function, and the namespace that it stands in."""

    node: Node
    scope: str
    fault: Fault | None = None


@dataclass(slots=True)
class Tree:
    """The parsed text. `constructs` are the nodes that a rule may apply to, outermost first."""

    text: str
    parsed: str
    pragmas: tuple[Pragma, ...]
    gaps: tuple[tuple[int, int], ...]
    top: list[TopNode]
    damages: list[Damage]
    constructs: list[Node]
    construct_starts: list[int]
    launches: list[Node]
    words: list[tuple[int, str]]
    layouts: Layouts = NATURAL
    left_out: tuple[int, ...] = ()  # where macros stand that are not known
    fields: set[int] = field(default_factory=set)  # where members are named

    def constructs_in(self, start: int, end: int) -> Iterator[Node]:
        """The constructs that begin and end within `[start, end)`."""
        starts = self.construct_starts
        for index in range(bisect_left(starts, start), bisect_left(starts, end)):
            node = self.constructs[index]
            if node.end_byte <= end:
                yield node

    def words_in(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """The listed words within `[start, end)`."""
        words = self.words
        for index in range(bisect_left(words, (start, "")), bisect_left(words, (end, ""))):
            yield words[index]

    def gaps_in(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches within `[start, end)` that are blank though the source is not."""
        for index in range(bisect_left(self.gaps, (start, 0)), len(self.gaps)):
            if self.gaps[index][0] >= end:
                return
            yield self.gaps[index]

    def pragmas_in(self, start: int, end: int) -> Iterator[Pragma]:
        """The unroll pragmas within `[start, end)`."""
        first = bisect_left(self.pragmas, start, key=lambda pragma: pragma.start)
        for pragma in self.pragmas[first:]:
            if pragma.start >= end:
                return
            yield pragma

    def text_of(self, node: Node) -> str:
        """The node's text as the user wrote it, without comments."""
        return self.text[node.start_byte : node.end_byte]

    def list_words(self, wanted: Collection[str]) -> None:
        """Fill `words` with every occurrence of a wanted name that is not a field's."""
        parsed = self.parsed
        ascii_only = self.text.isascii()
        for match in _WORD.finditer(parsed):
            word = match.group()
            if not ascii_only:
                # What the parser reads has letters beyond ASCII replaced, and strings blanked.
                written = self.text[match.start() : match.end()]
                word = word if written.isascii() else written
            if word in wanted:
                start = match.start()
                before = parsed[start - 1 : start]
                is_access = before == "." or (before == ">" and parsed[start - 2] == "-")
                if is_access or start in self.fields:
                    continue
                self.words.append((start, word))


def find_constructs(root: Node, wanted: Collection[str], tree: Tree) -> None:
    """Append the wanted nodes below `root`, in source order, and its launches, to the tree."""
    cursor = root.walk()
    constructs, starts = tree.constructs, tree.construct_starts
    while True:
        node = cursor.node
        assert node is not None
        kind = node.type
        if kind in wanted and node.is_named:
            constructs.append(node)
            starts.append(node.start_byte)
        elif kind == "field_identifier":
            tree.fields.add(node.start_byte)
        if kind == "kernel_call_syntax":
            # The cursor's own copy() crashes the interpreter (tree-sitter 0.26).
            for above in reversed(constructs):
                if above.type == "call_expression" and above.end_byte >= node.end_byte:
                    tree.launches.append(above)
                    break
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def make_parser() -> Parser:
    """A CUDA parser; imported here so that `import estimator` stays light."""
    import tree_sitter
    import tree_sitter_cuda

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
