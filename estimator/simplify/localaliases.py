"""Aliases inside a function, for what is made outside of it: lambdas and instances of kernels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.declarators import declared_name, layers
from estimator.simplify.draft import Binding, Draft, LostError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from estimator.simplify.tree import Tree

_ALIAS = re.compile(r"\busing\s+([A-Za-z_]\w*)\s*=|\btypedef\b[^;{}()]*?([A-Za-z_]\w*)\s*;")
_HOLDERS = frozenset({"compound_statement", "case_statement"})
_ALIASES = frozenset({"alias_declaration", "type_definition"})


def alias_names(tree: Tree) -> set[str]:
    """The names of all aliases in a file with lambdas; others need none of them replaced."""
    if not any(node.type == "lambda_expression" for node in tree.constructs):
        return set()
    return {first or second for first, second in _ALIAS.findall(tree.parsed)}


def with_aliases(node: Node, draft: Draft) -> Binding:
    """The draft's binding, and the aliases that are declared before `node` in its function.

    An alias of a type that is not known is left out.
    """
    binding = draft.binding
    for alias in _declared_before(node):
        name, target = _name_of(alias), alias.child_by_field_name("type")
        if name is None or target is None:
            continue
        inner = draft.inner(binding)
        stars = "*" * _depth(alias)
        try:
            text = f"{inner.rendered_node(target)} {stars}".strip()
            found = inner.canonical(text)
        except LostError:
            continue
        if found.base in draft.program.records or inner.is_type(found.base):
            names = {**binding.names, draft.text_of(name): text}
            binding = Binding(names, binding.symbolic, binding.packs)
    return binding


def _declared_before(node: Node) -> Iterator[Node]:
    """The aliases in the blocks around a node, the outermost first."""
    path = [node]
    while path[-1].parent is not None and path[-1].type != "function_definition":
        path.append(path[-1].parent)
    if path[-1].type != "function_definition":
        return
    for holder in reversed(path):
        if holder.type in _HOLDERS:
            for child in holder.named_children:
                if child.start_byte >= node.start_byte:
                    break
                if child.type in _ALIASES:
                    yield child


def _name_of(alias: Node) -> Node | None:
    named = alias.child_by_field_name("name")
    return named or declared_name(alias.child_by_field_name("declarator"))


def _depth(alias: Node) -> int:
    """The stars of `typedef float *row;`."""
    declarator = alias.child_by_field_name("declarator")
    return sum(layer.type == "pointer_declarator" for layer in layers(declarator))
