"""Integer constants by name, where a name of a type or a function must hold their value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from estimator.grammars.types import size_of
from estimator.simplify import lookup
from estimator.simplify.fold import fold

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_WORD = re.compile(r"[A-Za-z_]\w*")
_SIZEOF = re.compile(r"\bsizeof\s*\(\s*(?P<type>[A-Za-z_][\w ]*?)\s*(?P<stars>\**)\s*\)")
_CONSTANT = re.compile(r"\b(?:const|constexpr)\b")
_DEEPEST = 8


def constant_in(text: str, draft: Draft, at: Node, deep: int = 0) -> int | None:
    """The value of a constant expression that stands at a node; None where it has none.

    The names of constants that are seen from there are followed, and `sizeof` of CUDA's types.
    """
    value = fold(text)
    if value is not None or deep > _DEEPEST or "::" in text:
        return value
    text = _SIZEOF.sub(lambda found: _size(found, draft), text)
    names: dict[str, int] = {}
    for word in set(_WORD.findall(text)):
        found = _value_of(word, draft, at, deep)
        if found is not None:
            names[word] = found
    return fold(text, names)


def _size(found: re.Match[str], draft: Draft) -> str:
    if found["stars"]:
        return "8"
    name = " ".join(found["type"].split())
    local = draft.local_types.get(name)
    size = size_of(draft.resolved_type(name) if local is None else local.base)
    size = 8 if local is not None and local.depth else size
    return found.group() if size is None else str(size)


def _value_of(word: str, draft: Draft, at: Node, deep: int) -> int | None:
    bound = draft.binding.names.get(word)
    if bound is not None:
        return None if bound == word else constant_in(bound, draft, at, deep + 1)
    found = next(_declarations_before(word, draft, at), None)
    if found is None:
        listed = draft.program.symbols.variables.get(word)
        if not listed:
            return None
        variable = lookup.nearest(listed, draft.scope)[0]
        found = variable.node, variable.declarator
    declaration, declarator = found
    value = declarator.child_by_field_name("value")
    head = draft.tree.parsed[declaration.start_byte : declarator.start_byte]
    if value is None or not _CONSTANT.search(head):
        return None
    text = draft.text_of(value)
    if value.type == "initializer_list":
        text = text.strip("{} ")
    return constant_in(text, draft, value, deep + 1)


def _declarations_before(word: str, draft: Draft, at: Node) -> Iterator[tuple[Node, Node]]:
    """The declarations of a local name that are seen from a node, innermost first: each with the
    declarator that declares it."""
    node: Node | None = at
    while node is not None and node.type != "translation_unit":
        before = node.prev_named_sibling
        while before is not None:
            if before.type == "init_declarator" and before.parent is not None:
                if draft.text_of(before.child_by_field_name("declarator") or before) == word:
                    yield before.parent, before
            elif before.type == "declaration":
                for declarator in before.children_by_field_name("declarator"):
                    inner = declarator.child_by_field_name("declarator") or declarator
                    if draft.text_of(inner) == word:
                        yield before, declarator
            before = before.prev_named_sibling
        node = node.parent
