"""The few parts of `<type_traits>` and `<limits>` that kernels decide by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.names import BUILTIN_TYPES

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_LIMITS = {
    ("float", "max"): "3.402823466e+38f",
    ("float", "lowest"): "-3.402823466e+38f",
    ("float", "min"): "1.175494351e-38f",
    ("float", "epsilon"): "1.192092896e-07f",
    ("float", "infinity"): "__int_as_float(0x7f800000)",
    ("double", "max"): "1.7976931348623158e+308",
    ("double", "lowest"): "-1.7976931348623158e+308",
    ("double", "min"): "2.2250738585072014e-308",
    ("double", "epsilon"): "2.2204460492503131e-016",
    ("int", "max"): "2147483647",
    ("int", "min"): "(-2147483647 - 1)",
    ("int", "lowest"): "(-2147483647 - 1)",
    ("unsigned int", "max"): "4294967295u",
    ("unsigned int", "min"): "0u",
}


def trait_value(node: Node, scopes: list[str], last: Node, draft: Draft) -> str | None:
    """The value of `std::is_same<T, float>::value` or `std::is_same_v<T, float>`, if known."""
    owner = last if last.type == "template_function" else _template_scope(node)
    if owner is None:
        return None
    name_node = owner.child_by_field_name("name")
    listed = owner.child_by_field_name("arguments")
    if name_node is None or listed is None:
        return None
    name = draft.text_of(name_node).removesuffix("_v")
    if name != "is_same" or (owner is not last and draft.text_of(last) != "value"):
        return None
    types = [draft.rendered_node(child) for child in listed.named_children]
    if len(types) != 2 or any(not _is_concrete(text) for text in types):
        return None
    return "true" if types[0] == types[1] else "false"


def limit_value(function: Node, draft: Draft) -> str | None:
    """The constant that a call of `std::numeric_limits<T>::max` and the like gives, if known."""
    owner = _template_scope(function)
    if owner is None:
        return None
    name = owner.child_by_field_name("name")
    listed = owner.child_by_field_name("arguments")
    if name is None or listed is None or draft.text_of(name) != "numeric_limits":
        return None
    types = [draft.rendered_node(child) for child in listed.named_children]
    member = draft.text_of(function).rpartition("::")[2].strip()
    return _LIMITS.get((types[0], member)) if len(types) == 1 else None


def _template_scope(node: Node) -> Node | None:
    """The innermost `X<…>` in front of `::`."""
    found: Node | None = None
    while node.type == "qualified_identifier":
        scope = node.child_by_field_name("scope")
        if scope is not None and scope.type == "template_type":
            found = scope
        inner = node.child_by_field_name("name")
        if inner is None:
            break
        node = inner
    return found


def _is_concrete(type_text: str) -> bool:
    words = type_text.replace("*", " ").split()
    return all(word in BUILTIN_TYPES or word == "const" for word in words)
