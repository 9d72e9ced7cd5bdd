"""Which expressions are arrays: a type says so no more than of a pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify import lookup
from estimator.simplify.declarators import layers

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def dimensions(node: Node, draft: Draft) -> int:
    """How many dimensions an expression has as an array; 0 where it is no array."""
    match node.type:
        case "parenthesized_expression" if node.named_child_count == 1:
            return dimensions(node.named_children[0], draft)
        case "subscript_expression":
            inner = node.child_by_field_name("argument")
            return max(0, dimensions(inner, draft) - 1) if inner is not None else 0
        case "field_expression":
            return _declared(_member(node, draft))
        case "identifier":
            return _named(node, draft)
    return 0


def _named(node: Node, draft: Draft) -> int:
    name = draft.text_of(node)
    if draft.local(name, node.start_byte) is not None:
        return len(draft.shapes_seen.get(name, ()))
    if draft.this is not None:
        field = draft.program.table.fields(draft.this).get(name)
        if field is not None:
            return _declared(field[0].declarator)
    found = draft.program.symbols.variables.get(name)
    return _declared(lookup.nearest(found, draft.scope)[0].declarator) if found else 0


def _member(node: Node, draft: Draft) -> Node | None:
    from estimator.simplify.typeof import type_of

    inner, name = node.child_by_field_name("argument"), node.child_by_field_name("field")
    given = type_of(inner, draft) if inner is not None else None
    record = draft.program.records.get(given.base) if given is not None else None
    if record is None or name is None:
        return None
    field = draft.program.table.fields(record).get(draft.text_of(name))
    return field[0].declarator if field is not None else None


def _declared(declarator: Node | None) -> int:
    return sum(layer.type == "array_declarator" for layer in layers(declarator))
