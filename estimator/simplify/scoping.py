"""What names mean where they stand: how far a declaration reaches, and which type is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.inference import CType
from estimator.simplify.names import BUILTIN_TYPES
from estimator.simplify.scopes import last_name, scope_record
from estimator.simplify.typetext import Layer, shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_BLOCKS = frozenset(
    {
        "compound_statement",
        "for_statement",
        "for_range_loop",
        "if_statement",
        "while_statement",
        "function_definition",
        "lambda_expression",
    }
)


def names_type(node: Node, draft: Draft) -> bool:
    """Whether a qualified name means a type: a class's member, or one in a namespace."""
    last = last_name(node)
    record = scope_record(node, draft)
    if record is not None:
        return draft.program.table.member_type(record, draft.text_of(last)) is not None
    if last.type == "template_function":
        last = last.child_by_field_name("name") or last
        return draft.is_class_template(draft.text_of(last))
    name = draft.text_of(last)
    return last.type in {"identifier", "type_identifier"} and (
        name in BUILTIN_TYPES or draft.program.find_type(name, draft.scope) is not None
    )


def scope_end(name: Node) -> int:
    """Where the block ends that a declaration stands in."""
    node = name.parent
    while node is not None and node.type not in _BLOCKS:
        node = node.parent
    return node.end_byte if node is not None else name.end_byte


def canonical(text: str, draft: Draft) -> CType:
    """The type that simplified text names in a draft, aliases followed."""
    depth, is_const = 0, False
    for _ in range(16):
        one = shape(text)
        if one is None:
            break
        pointers = 0
        while one.inner is not None:
            if one.layer is Layer.FUNCTION:
                return CType(text, is_const, depth)
            pointers += one.layer is Layer.POINTER
            depth += one.layer in {Layer.POINTER, Layer.ARRAY}
            one = one.inner
        # `const` in front of a name that means a pointer is the pointer's.
        is_const = one.is_const or (is_const and not pointers)
        text = one.name
        found = draft.local_types.get(text) or draft.program.table.alias_type(text, draft)
        if found is None or found.base == text:
            bound = draft.binding.names.get(text, text)
            if bound == text:
                break
            text = bound
            continue
        is_const = found.is_const or (is_const and not found.depth)
        depth, text = depth + found.depth, found.base
    return CType(text, is_const, depth)
