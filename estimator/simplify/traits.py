"""The few parts of `<type_traits>` and `<limits>` that kernels decide by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.names import BUILTIN_TYPES

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_FLOATS = {
    "float": {
        "max": "3.402823466e+38f",
        "lowest": "-3.402823466e+38f",
        "min": "1.175494351e-38f",
        "denorm_min": "1.401298464e-45f",
        "epsilon": "1.192092896e-07f",
        "infinity": "__int_as_float(0x7f800000)",
        "quiet_NaN": "__int_as_float(0x7fffffff)",
    },
    "double": {
        "max": "1.7976931348623158e+308",
        "lowest": "-1.7976931348623158e+308",
        "min": "2.2250738585072014e-308",
        "denorm_min": "4.9406564584124654e-324",
        "epsilon": "2.2204460492503131e-016",
        "infinity": "__longlong_as_double(0x7ff0000000000000)",
        "quiet_NaN": "__longlong_as_double(0x7fffffffffffffff)",
    },
}
# name → (bits, whether it has a sign)
_INTEGERS = {
    "bool": (1, False),
    "char": (8, True),
    "signed char": (8, True),
    "int8_t": (8, True),
    "unsigned char": (8, False),
    "uint8_t": (8, False),
    "short": (16, True),
    "int16_t": (16, True),
    "unsigned short": (16, False),
    "uint16_t": (16, False),
    "int": (32, True),
    "int32_t": (32, True),
    "unsigned int": (32, False),
    "unsigned": (32, False),
    "uint": (32, False),
    "uint32_t": (32, False),
    "long": (64, True),
    "long long": (64, True),
    "int64_t": (64, True),
    "unsigned long": (64, False),
    "unsigned long long": (64, False),
    "uint64_t": (64, False),
    "size_t": (64, False),
}
_MEMBERS = frozenset(name for limits in _FLOATS.values() for name in limits)


def _limit(type_text: str, member: str) -> str | None:
    """The value of `std::numeric_limits<type>::member()`; of a type that every call binds anew,
    a number that nobody knows."""
    if type_text in _FLOATS:
        return _FLOATS[type_text].get(member)
    if type_text not in _INTEGERS:
        return f"(({type_text})(__int_as_float(0x7f800000)))" if member in _MEMBERS else None
    bits, signed = _INTEGERS[type_text]
    high = 2 ** (bits - signed) - 1
    suffix = ("" if bits <= 32 else "ll") if signed else ("u" if bits <= 32 else "ull")
    if member == "max":
        return f"{high}{suffix}"
    if member in {"min", "lowest"}:
        return f"(-{high}{suffix} - 1)" if signed else f"0{suffix}"
    return "0" if member in _MEMBERS else None


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
    return _limit(draft.resolved_type(types[0]), member) if len(types) == 1 else None


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
