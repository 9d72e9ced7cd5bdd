"""Integer constants by name, where a name of a type or a function must hold their value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from estimator.grammars.types import size_of
from estimator.simplify import lookup
from estimator.simplify.declarators import fields_in
from estimator.simplify.fold import fold
from estimator.simplify.symbols import TypeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_WORD = re.compile(r"[A-Za-z_]\w*")
_SIZEOF = re.compile(r"\bsizeof\s*\(\s*(?P<type>[A-Za-z_][\w ]*?)\s*(?P<stars>\**)\s*\)")
_CONSTANT = re.compile(r"\b(?:const|constexpr)\b")
_DEEPEST = 8
_OUTER = frozenset({"translation_unit", "declaration_list"})


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
    found = next(declared(word, draft, at), None)
    above = found[0].parent if found is not None else None
    if found is None or above is None or above.type in _OUTER:
        owner = draft.owner
        for record in draft.program.table.seen(owner) if owner is not None else ():
            value = _of_class(f"{record.name}__{word}", draft, deep)
            if value is not None:
                return value
    if found is None:
        return _outside(word, draft, deep)
    declaration, declarator = found
    if declarator.type == "enumerator":
        return _enumerator(word, declarator, draft, deep)
    return _initial_value(declaration, declarator, draft, deep)


def _outside(word: str, draft: Draft, deep: int) -> int | None:
    """The value of a constant or enumerator outside functions."""
    listed = draft.program.symbols.variables.get(word)
    if listed:
        variable = lookup.nearest(listed, draft.scope)[0]
        return _initial_value(variable.node, variable.declarator, draft, deep)
    enumeration = draft.program.symbols.constants.get(word)
    if enumeration is None:
        return _of_class(word, draft, deep)
    found = next(_enumerators(enumeration.node, word, draft), None)
    return None if found is None else _enumerator(word, found, draft, deep)


def is_enumerator(text: str, draft: Draft) -> bool:
    """Whether simplified text is `E__A`, an enumerator of an `enum class` of the file."""
    prefix, _, name = text.rpartition("__")
    defined = draft.program.find_type(prefix, draft.scope) if prefix else None
    return (
        defined is not None and defined.kind is TypeKind.SCOPED_ENUM and name in defined.constants
    )


def _of_class(word: str, draft: Draft, deep: int) -> int | None:
    """The value of `S__N`, the constant or enumerator N of a class or enumeration S."""
    program = draft.program
    prefix, _, name = word.rpartition("__")
    if is_enumerator(word, draft):
        defined = program.find_type(prefix, draft.scope)
        assert defined is not None
        found = next(_enumerators(defined.node, name, draft), None)
        return None if found is None else _enumerator(name, found, draft, deep)
    record = program.records.get(prefix)
    body = record.defined.node.child_by_field_name("body") if record is not None else None
    if record is None or body is None:
        return None
    inner = program.table.draft(record)
    for member in body.named_children:
        for declaration, declarator in _named(member, name, draft):
            if declarator.type == "enumerator":
                return _enumerator(name, declarator, inner, deep)
            value = dict(fields_in(declaration)).get(declarator)
            if value is None or not _CONSTANT.search(draft.text_of(declaration)):
                return None
            return constant_in(inner.rendered_node(value), inner, value, deep + 1)
    return None


def _initial_value(declaration: Node, declarator: Node, draft: Draft, deep: int) -> int | None:
    value = declarator.child_by_field_name("value")
    if declaration.type == "field_declaration":
        value = dict(fields_in(declaration)).get(declarator)
    head = draft.tree.parsed[declaration.start_byte : declarator.start_byte]
    if value is None or not _CONSTANT.search(head):
        return None
    text = draft.text_of(value)
    if value.type == "initializer_list":
        text = text.strip("{} ")
    return constant_in(text, draft, value, deep + 1)


def _enumerator(word: str, node: Node, draft: Draft, deep: int) -> int | None:
    """The value of an enumerator: its own, or one more than the one before it has."""
    more = 0
    one: Node | None = node
    while one is not None:
        if one.type == "enumerator":
            value = one.child_by_field_name("value")
            if value is not None:
                known = constant_in(draft.text_of(value), draft, value, deep + 1)
                return None if known is None else known + more
            more += 1
        one = one.prev_named_sibling
    return more - 1


def _enumerators(node: Node, word: str, draft: Draft) -> Iterator[Node]:
    """The enumerator of that name in an enumeration, or in one that a declaration defines."""
    specifier = node if node.type == "enum_specifier" else node.child_by_field_name("type")
    if specifier is None or specifier.type != "enum_specifier":
        return
    body = specifier.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        name = child.child_by_field_name("name")
        if name is not None and draft.text_of(name) == word:
            yield child


def declared(word: str, draft: Draft, at: Node) -> Iterator[tuple[Node, Node]]:
    """The declarations of a name in the functions and classes around a node, innermost first:
    each with the declarator or enumerator of that name."""
    node: Node | None = at
    while node is not None and node.type != "translation_unit":
        parent = node.parent
        if parent is not None and parent.type == "field_declaration_list":
            for member in parent.named_children:
                yield from _named(member, word, draft)
        else:
            before = node.prev_named_sibling
            while before is not None:
                yield from _named(before, word, draft)
                before = before.prev_named_sibling
        node = parent


def _named(node: Node, word: str, draft: Draft) -> Iterator[tuple[Node, Node]]:
    """The declarator or enumerator of a name in a statement, a member or a declarator."""
    if node.type == "init_declarator":
        inner = node.child_by_field_name("declarator")
        if node.parent is not None and inner is not None and draft.text_of(inner) == word:
            yield node.parent, node
        return
    if node.type not in {"declaration", "field_declaration", "enum_specifier"}:
        return
    for found in _enumerators(node, word, draft):
        yield node, found
    for declarator in node.children_by_field_name("declarator"):
        inner = declarator.child_by_field_name("declarator") or declarator
        if draft.text_of(inner) == word:
            yield node, declarator
