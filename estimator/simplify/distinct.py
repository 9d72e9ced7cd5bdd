"""Types, variables and constants of one name in several scopes: a name of its own for each.

C has one scope for all that stands outside functions: no namespaces, and none for the types and
constants inside classes. So `TILE` of `namespace small` is written
`small__TILE`, wherever it is meant, before anything else is done with the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.localnames import class_around, declared_around, member_name, names_of
from estimator.simplify.symbols import Symbols
from estimator.simplify.tree import Tree
from estimator.simplify.visible import Namespaces, prefix_of
from estimator.source.position import PositionMap
from estimator.source.preprocess import PreprocessedUnit

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_NAMES = frozenset({"identifier", "type_identifier", "namespace_identifier"})
_INNER = frozenset({"field_declaration", "field_declaration_list", "compound_statement"})
_FUNCTION = ""  # what a function is written as: its names are told apart elsewhere


@immutable()
class _Names:
    """Names with several meanings: how each is written where a scope or a node defines it."""

    by_scope: Mapping[str, Mapping[str, str]]
    by_node: Mapping[int, str]


def with_distinct_names(
    unit: PreprocessedUnit, tree: Tree, symbols: Symbols
) -> tuple[PreprocessedUnit, dict[str, set[str]]]:
    """The unit with other names for what several scopes define, and the new names by the old.

    The same unit where nothing has another name. A name that is not seen from where it stands
    keeps its form, which then means nothing.
    """
    names = _names(symbols, tree)
    edits = list(_edits(names, tree, symbols)) if names.by_scope else []
    if not edits:
        return unit, {}
    written: dict[str, set[str]] = {}
    for start, stop, text in edits:
        written.setdefault(tree.parsed[start:stop], set()).add(text)
    return _edited(unit, edits), written


def _names(symbols: Symbols, tree: Tree) -> _Names:
    found: dict[str, dict[str, str]] = {}
    for name, functions in symbols.functions.items():
        found[name] = dict.fromkeys((one.scope for one in functions), _FUNCTION)
    defined = list(_defined(symbols, tree))
    for name, scope, _ in defined:
        found.setdefault(name, {})[scope] = name
    several = {
        name: scopes
        for name, scopes in found.items()
        if len(scopes) > 1 and any(text and scope for scope, text in scopes.items())
    }
    taken = set(_WORD.findall(tree.parsed)) if several else set()
    for name, scopes in several.items():
        for scope in scopes:
            if scopes[scope] != _FUNCTION and scope:
                made = f"{scope.replace('::', '_')}__{name}"
                while made in taken:
                    made += "_"
                taken.add(made)
                scopes[scope] = made
    by_node = {
        node.start_byte: several[name][scope]
        for name, scope, node in defined
        if name in several and node is not None
    }
    return _Names(several, by_node)


def _defined(symbols: Symbols, tree: Tree) -> Iterator[tuple[str, str, Node | None]]:
    """The names of types, enumerators and variables outside functions, each with its scope."""
    for variables in symbols.variables.values():
        yield from ((one.name, one.scope, None) for one in variables)
    for name, forward in symbols.forward.items():
        yield name, forward.scope, None
    for listed in (*symbols.types.values(), *symbols.specialised.values()):
        for one in listed:
            scope = "::".join(
                part for part in (one.scope, *_classes_around(one.node, tree)) if part
            )
            yield one.name, scope, None
            for node in names_of(one.node):
                yield tree.text_of(node), scope, node


def _classes_around(node: Node, tree: Tree) -> list[str]:
    """The names of the classes that a type is defined in, the outermost first."""
    found: list[str] = []
    around = node.parent
    while around is not None:
        if around.type == "field_declaration_list" and around.parent is not None:
            name = around.parent.child_by_field_name("name")
            found.insert(0, tree.text_of(name) if name is not None else "")
        around = around.parent
    return found


def _edits(names: _Names, tree: Tree, symbols: Symbols) -> Iterator[tuple[int, int, str]]:
    """The words to change, in order, each with its new text."""
    namespaces = Namespaces(tree, symbols)
    tops = sorted(tree.top, key=lambda top: top.node.start_byte)
    starts = [top.node.start_byte for top in tops]
    for match in _WORD.finditer(tree.parsed):
        name, (start, stop) = match.group(), match.span()
        if name not in names.by_scope:
            continue
        index = bisect_right(starts, start) - 1
        if index < 0 or tops[index].node.end_byte < stop:
            continue
        top = tops[index]
        node = top.node.descendant_for_byte_range(start, stop)
        if node is None or node.type not in _NAMES:
            continue
        meant = _meaning(node, name, namespaces.scope_at(top), names, namespaces)
        if meant and meant != name:
            yield start, stop, meant


def _meaning(
    node: Node, name: str, scope: str, names: _Names, namespaces: Namespaces
) -> str | None:
    """How a name is written that stands in a scope; None where it means something else."""
    tree, symbols = namespaces.tree, namespaces.symbols
    written = names.by_scope[name]
    prefix = prefix_of(node, tree)
    if prefix and prefix[-1] == name:
        prefix = prefix[:-1]  # `P::P() {}`, a constructor
    if prefix:
        found = namespaces.qualified(name, prefix, scope, written)
        if found is not None:
            return written[found]
        owner = namespaces.class_named(prefix, scope, node)
        member = member_name(owner, name, tree, symbols) if owner is not None else None
        return names.by_node.get(member.start_byte) if member is not None else None
    around = class_around(node, name, tree)
    if around is not None:
        own = around.child_by_field_name("name") or around
        if around.parent is not None and around.parent.type in _INNER:
            return names.by_node.get(own.start_byte)  # a class inside a class or function
    else:
        local = declared_around(node, name, tree, symbols)
        if local is not None:
            return names.by_node.get(local.start_byte)
    found = namespaces.unqualified(name, scope, written, node)
    return written[found] if found is not None else None


def _edited(unit: PreprocessedUnit, edits: list[tuple[int, int, str]]) -> PreprocessedUnit:
    """The unit with words replaced; each new word has the position of the old one."""
    old, positions, parts = unit.positions, PositionMap(), []
    done = length = 0
    ahead = list(old.segments)
    ahead.reverse()
    for start, stop, text in [*edits, (len(unit.text), len(unit.text), "")]:
        _resume(old, done, length, positions)
        while ahead and ahead[-1].start <= done:
            ahead.pop()
        while ahead and ahead[-1].start < start:
            one = ahead.pop()
            at = length + one.start - done
            positions.add(at, one.file, one.source_offset, verbatim=one.verbatim)
        parts.append(unit.text[done:start])
        length += start - done
        place = old.segment_at(start)
        advance = start - place.start if place.verbatim else 0
        positions.add(length, place.file, place.source_offset + advance, verbatim=False)
        parts.append(text)
        length += len(text)
        done = stop
    return replace(unit, text="".join(parts), positions=positions)


def _resume(old: PositionMap, done: int, length: int, positions: PositionMap) -> None:
    place = old.segment_at(done)
    advance = done - place.start if place.verbatim else 0
    positions.add(length, place.file, place.source_offset + advance, verbatim=place.verbatim)
