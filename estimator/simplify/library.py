"""Names of CUDA's C++ libraries: `cg::sync` → `cg__sync`, `wmma::fragment<…>` → a type's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from estimator.grammars.library import NAMES, NAMESPACES, fragment_name
from estimator.immutable import immutable
from estimator.simplify.constants import constant_in

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_ALIAS = re.compile(r"\bnamespace\s+(\w+)\s*=\s*(?:::)?\s*([\w:]+)\s*;")
_OPENED = re.compile(r"\busing\s+namespace\s+(?:::)?([\w:]+)\s*;")
_USED = re.compile(r"\busing\s+(?:::)?([\w:]+)::(\w+)\s*;")
_TILE = re.compile(r"\bthread_block_tile_\w+")
# Only these are looked for without their namespace: others share names with what people write.
_UNQUALIFIED = frozenset({"cg", "wmma"})
_ATOMICS = frozenset({"atomic", "atomic_ref"})
_TEXTURE_WORDS = {
    "unsigned int": "uint",
    "unsigned char": "uchar",
    "unsigned short": "ushort",
    "unsigned": "uint",
}


@immutable()
class Libraries:
    """Which namespaces a file has under which names.

    `words` are the names that it may use without a namespace, with their simplified form.
    """

    aliases: Mapping[str, str]
    opened: tuple[str, ...]
    words: Mapping[str, str]

    def prefix(self, scopes: list[str]) -> str | None:
        """The library that `scopes` in front of a name mean; None for another namespace."""
        joined = "::".join(scope for scope in scopes if scope)
        first, _, rest = joined.partition("::")
        first = self.aliases.get(first, first)
        joined = f"{first}::{rest}" if rest else first
        for candidate in (joined, *(f"{opened}::{joined}" for opened in self.opened)):
            found: str | None = NAMESPACES.get(candidate)
            if found is not None:
                return found
        return None


def libraries_of(parsed: str) -> Libraries:
    """The libraries that a file opens or renames."""
    aliases = dict(_ALIAS.findall(parsed)) if "namespace" in parsed else {}
    opened = tuple(dict.fromkeys(_OPENED.findall(parsed))) if "using" in parsed else ()
    found = Libraries(aliases, opened, {})
    words: dict[str, str] = {}
    for namespace in opened:
        prefix = found.prefix(namespace.split("::"))
        if prefix in _UNQUALIFIED:
            words.update(NAMES[prefix])
    if "using" in parsed:
        for namespace, name in _USED.findall(parsed):
            prefix = found.prefix(namespace.split("::"))
            if prefix is not None and name in NAMES.get(prefix, {}):
                words[name] = NAMES[prefix][name]
    if "thread_block_tile" in words:
        # What the parser reads for `thread_block_tile<32>`.
        words.update(dict.fromkeys(_TILE.findall(parsed), words["thread_block_tile"]))
    return Libraries(aliases, opened, words)


def library_name(scopes: list[str], last: Node, draft: Draft) -> str | None:
    """The simplified form of a library's name; None for all other names."""
    name = draft.text_of(last).partition("<")[0].strip()
    if name == "TempStorage":
        return "cub__TempStorage"
    libraries = draft.program.libraries
    if not scopes:
        prefix = _opened_prefix(name, draft)
    else:
        prefix = libraries.prefix(scopes)
    if prefix is None:
        return None
    if prefix == "wmma" and name == "fragment":
        return _fragment(last, draft)
    if prefix in {"cuda", "std"} and name in _ATOMICS:
        return _first_argument(last, draft)
    if prefix == "cub" and is_collective(name):
        return "cub__collective"
    known: str | None = NAMES.get(prefix, {}).get(name)
    return known


def _opened_prefix(name: str, draft: Draft) -> str | None:
    """The library that gives a name used without a namespace."""
    libraries = draft.program.libraries
    simplified = libraries.words.get(name)
    if simplified is not None:
        return simplified.partition("__")[0] if "__" in simplified else None
    if name == "fragment" and "wmma" in (libraries.prefix(o.split("::")) for o in libraries.opened):
        return "wmma"
    return None


def is_collective(name: str) -> bool:
    """Whether a name of CUB is a class of a block's or a warp's operations."""
    return name.startswith(("Block", "Warp")) and name[-1].islower()


def arguments_of(node: Node, draft: Draft) -> list[str]:
    """The template arguments of a name, simplified, each on one line."""
    listed = node.child_by_field_name("arguments")
    if listed is None:
        return []
    return [draft.rendered_node(child) for child in listed.named_children]


def _first_argument(node: Node, draft: Draft) -> str | None:
    return next(iter(arguments_of(node, draft)), None)


def _fragment(node: Node, draft: Draft) -> str:
    """`wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>` as one name."""
    arguments = arguments_of(node, draft)
    shape = [constant_in(text, draft, node) for text in arguments[1:4]]
    if len(arguments) < 5 or None in shape:
        whole = node
        while whole.parent is not None and whole.parent.type == "qualified_identifier":
            whole = whole.parent
        raise draft.lose(whole, f"'{' '.join(draft.text_of(whole).split())}'")
    use = arguments[0].removeprefix("wmma__")
    element = draft.resolved_type(arguments[4]).removeprefix("wmma__")
    layout = None
    if len(arguments) > 5:
        layout = "row" if "row" in arguments[5] else "col"
    m, n, k = (size or 0 for size in shape)
    named: str = fragment_name(use, (m, n, k), element, layout)
    return named


def library_type(node: Node, draft: Draft) -> str | None:
    """The simplified form of a type with template arguments that needs no namespace."""
    name_node = node.child_by_field_name("name")
    name = draft.text_of(name_node) if name_node is not None else ""
    if draft.program.find_type(name, draft.scope) is not None:
        return None
    if name == "texture":
        return texture_type(arguments_of(node, draft))
    if name == "surface":
        return "surface__reference"
    return library_name([], node, draft)


def texture_type(arguments: list[str]) -> str | None:
    """`texture<uchar4, 2, cudaReadModeNormalizedFloat>` → its simplified name."""
    if not arguments:
        return None
    normalized = len(arguments) > 2 and "Normalized" in arguments[2]
    return f"texture__{type_word(arguments[0])}" + ("__normalized" if normalized else "")


def type_word(text: str) -> str:
    """A type as a part of a name."""
    plain = " ".join(text.split())
    return _TEXTURE_WORDS.get(plain, plain.replace(" ", "_"))


def library_word(word: str, draft: Draft) -> str | None:
    """The simplified form of a library's name that stands without its namespace."""
    if word in draft.locals or draft.program.find_type(word, draft.scope) is not None:
        return None
    symbols = draft.program.symbols
    if word in symbols.functions or word in symbols.variables:
        return None
    return draft.program.libraries.words.get(word)
