"""`decltype(x)`: `typeof` in functions; a type where C has no expression, or that chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import declared_name, reference_layer
from estimator.simplify.draft import LostError
from estimator.simplify.typeof import declared, type_of
from estimator.source.codes import TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_ASSIGNED = frozenset({"subscript_expression", "assignment_expression", "parenthesized_expression"})
_FUNCTIONS = frozenset({"function_definition", "lambda_expression"})


def decltype(node: Node, draft: Draft) -> None:
    """`decltype(x)` → `typeof(x)`; outside functions, and in aliases, the type itself."""
    if draft.kind is not None and not _is_in_alias(node):
        first = node.children[0]
        draft.replace(first.start_byte, first.end_byte, "typeof")
        return
    found = type_of(node.named_children[-1], draft) if node.named_children else None
    if found is None:
        raise draft.lose(node, f"the type '{_shown(node, draft)}'")
    draft.skip(node.start_byte, node.end_byte, found.text)


def argument_type(node: Node, draft: Draft) -> str | None:
    """A template argument that is made of `decltype(x)`, as a type; None for all others.

    Raises LostError where the type is not known, or is a reference, which no text names.
    """
    specifier = node.child_by_field_name("type") if node.type == "type_descriptor" else None
    if specifier is None or specifier.type != "decltype" or not specifier.named_children:
        return None
    found = declared(draft, node, node.child_by_field_name("declarator"))
    if found.base in {"", "auto"} or _is_reference(specifier.named_children[-1], draft):
        message = f"what '{_shown(specifier, draft)}' stands for is not known here"
        raise LostError(node.start_byte, message, TEMPLATE)
    return found.text


def _is_in_alias(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type == "type_descriptor":
        above = above.parent
    return above is not None and above.type in {"alias_declaration", "type_definition"}


def _shown(node: Node, draft: Draft) -> str:
    return " ".join(draft.text_of(node).split())


def _is_reference(node: Node, draft: Draft) -> bool:
    """Whether `decltype` of an expression is a reference: of what can be assigned to, without
    being a name, or is declared as one."""
    if node.type in _ASSIGNED:
        inner = node.named_children[0] if node.named_children else node
        is_value = inner.type.endswith("_literal") or inner.type == "binary_expression"
        return node.type != "parenthesized_expression" or not is_value
    if node.type in {"pointer_expression", "update_expression"}:
        return node.children[0].type in {"*", "++", "--"}
    if node.type != "identifier":
        return False
    name, above = draft.text_of(node), node.parent
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    return above is not None and name in _references(above, draft)


def _references(function: Node, draft: Draft) -> Iterator[str]:
    """The names that a function declares as references, its parameters among them."""
    stack = [function]
    while stack:
        node = stack.pop()
        if node.type in {"parameter_declaration", "declaration"}:
            for one in node.children_by_field_name("declarator"):
                name = declared_name(one)
                if name is not None and reference_layer(one) is not None:
                    yield draft.text_of(name)
        stack.extend(node.named_children)
