"""Casts: `static_cast<T>(x)`, `T(x)`, `T{x}`, casts to references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import reference_layer
from estimator.simplify.symbols import TypeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def named_cast(node: Node, function: Node, arguments: Node, draft: Draft) -> None:
    """`static_cast<T>(x)` → `((T)(x))`, and to a reference `(*((T *)&(x)))`."""
    listed = function.child_by_field_name("arguments")
    target = next(iter(listed.named_children), None) if listed is not None else None
    if target is None or len(arguments.named_children) != 1:
        raise draft.lose(node, "a cast of this form")
    reference = reference_layer(target.child_by_field_name("declarator"))
    draft.done.add(function.id)
    if reference is None:
        draft.replace(function.start_byte, target.start_byte, "((")
        draft.replace(target.end_byte, arguments.start_byte + 1, ")(")
        draft.replace(arguments.end_byte - 1, arguments.end_byte, "))")
        return
    draft.replace(function.start_byte, target.start_byte, "(*((")
    space = "" if draft.tree.text[reference.start_byte - 1] == " " else " "
    draft.replace(reference.start_byte, arguments.start_byte + 1, f"{space}*)&(")
    draft.replace(arguments.end_byte - 1, arguments.end_byte, ")))")


def reference_cast(node: Node, draft: Draft) -> None:
    """`(float4 &)x` → `(*(float4 *)&(x))`."""
    target = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if target is None or value is None:
        return
    reference = reference_layer(target.child_by_field_name("declarator"))
    if reference is None:
        return
    draft.before(node.start_byte, "(*")
    space = "" if draft.tree.text[reference.start_byte - 1] == " " else " "
    draft.replace(reference.start_byte, reference.end_byte, f"{space}*")
    draft.before(value.start_byte, "&(")
    draft.after(node.end_byte, "))")


def functional_cast(function: Node, arguments: Node, draft: Draft) -> None:
    """`T(x)` → `((T)(x))`, `dim3(x, y)` → `(dim3){x, y}`."""
    type_text = draft.text_of(function)
    count = len(arguments.named_children)
    last = arguments.end_byte - 1
    if is_braced(type_text, count, function, draft):
        draft.before(function.start_byte, "(")
        draft.replace(function.end_byte, arguments.start_byte + 1, "){")
        draft.replace(last, last + 1, "}")
        return
    if count > 1:
        raise draft.lose(function, f"the constructor of '{type_text}'")
    draft.before(function.start_byte, "((")
    draft.replace(function.end_byte, arguments.start_byte + 1, ")(")
    draft.replace(last, last + 1, "))" if count else "0))")


def compound_literal(node: Node, draft: Draft) -> None:
    """`float4{a, b}` → `(float4){a, b}`, `float{x}` → `((float)(x))`."""
    specifier = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if specifier is None or value is None or draft.text_of(node).startswith("("):
        return
    type_text = draft.text_of(specifier)
    count = len(value.named_children)
    refuse_constructor(type_text, specifier, draft)
    if count > 1 or draft.is_aggregate(type_text):
        draft.before(specifier.start_byte, "(")
        draft.replace(specifier.end_byte, value.start_byte, ")")
        return
    draft.before(specifier.start_byte, "((")
    draft.replace(specifier.end_byte, value.start_byte + 1, ")(")
    draft.replace(value.end_byte - 1, value.end_byte, "))" if count else "0))")


def is_braced(type_text: str, count: int, at: Node, draft: Draft) -> bool:
    """Whether `type(…)` with so many arguments lists members; otherwise it converts or copies."""
    if not draft.is_aggregate(type_text):
        return False
    refuse_constructor(type_text, at, draft)
    return count != 1 or draft.resolved_type(type_text) in {"dim3", "uint3"}


def refuse_constructor(type_text: str, at: Node, draft: Draft) -> None:
    """Raise LostError when objects of the type are made by a function of the user's."""
    defined = draft.program.find_type(draft.resolved_type(type_text), draft.scope)
    if defined is not None and defined.kind is TypeKind.RECORD and defined.constructors:
        raise draft.lose(at, f"the constructor of '{type_text}'")
