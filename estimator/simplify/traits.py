"""The few parts of `<type_traits>` and `<limits>` that kernels decide by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.constants import constant_in
from estimator.simplify.names import BUILTIN_TYPES
from estimator.simplify.typeshapes import descriptor_shape
from estimator.simplify.typetext import Layer, Shape

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
# The traits that are evaluated, and how many types they take.
_TRAITS = {
    "is_same": 2,
    "is_floating_point": 1,
    "is_integral": 1,
    "is_arithmetic": 1,
    "is_pointer": 1,
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
    owner = last if last.type in {"template_function", "template_type"} else _template_scope(node)
    if owner is None:
        return None
    name_node = owner.child_by_field_name("name")
    listed = owner.child_by_field_name("arguments")
    if name_node is None or listed is None:
        return None
    name = draft.text_of(name_node).removesuffix("_v")
    if name not in _TRAITS or (owner is not last and draft.text_of(last) != "value"):
        return None
    types = [descriptor_shape(child, draft) for child in listed.named_children]
    known = [one for one in types if one is not None and _is_concrete(one, draft)]
    if len(types) != _TRAITS[name] or len(known) != len(types):
        return None
    return "true" if _holds(name, known) else "false"


class NotEnabledError(Exception):
    """The condition of an `enable_if` in the arguments of a specialisation does not hold."""


def _require(condition: Node, draft: Draft) -> None:
    value = constant_in(draft.rendered_node(condition), draft, condition)
    if value is None:
        raise draft.lose(condition, "a condition of 'std::enable_if' that is not known")
    if not value:
        raise NotEnabledError


def chosen_type(node: Node, last: Node, draft: Draft) -> str | None:
    """The type that `std::conditional_t<C, A, B>` or `std::conditional<C, A, B>::type` is,
    or `std::enable_if_t<C, A>`.

    None for other types, and where the condition has no known value.
    """
    owner = last if last.type == "template_type" else _template_scope(node)
    name_node = owner.child_by_field_name("name") if owner is not None else None
    listed = owner.child_by_field_name("arguments") if owner is not None else None
    if owner is None or name_node is None or listed is None:
        return None
    name, inner = draft.text_of(name_node), listed.named_children
    is_inner = owner is not last and draft.text_of(last) == "type"
    if name == "enable_if_t" if owner is last else (name == "enable_if" and is_inner):
        # What stands elsewhere was chosen, so the condition holds.
        if draft.substituted:
            _require(inner[0], draft)
        return draft.rendered_node(inner[1]) if len(inner) > 1 else "void"
    is_whole = name == "conditional_t" if owner is last else name == "conditional"
    if not is_whole or len(inner) != 3 or not (owner is last or is_inner):
        return None
    text = draft.rendered_node(inner[0])
    value = constant_in(text, draft, node)
    return None if value is None else draft.rendered_node(inner[1] if value else inner[2])


def _holds(name: str, types: list[Shape]) -> bool:
    """Whether a trait holds for types without aliases."""
    first = types[0]
    if name == "is_same":
        return first == types[1]
    if name == "is_pointer":
        return first.layer is Layer.POINTER
    if first.layer is not None:
        return False
    if name == "is_floating_point":
        return first.name in _FLOATS
    return first.name in _INTEGERS or (name == "is_arithmetic" and first.name in _FLOATS)


def limit_value(function: Node, draft: Draft) -> str | None:
    """The constant that a call of `std::numeric_limits<T>::max` and the like gives, if known."""
    owner = _template_scope(function)
    if owner is None:
        return None
    name = owner.child_by_field_name("name")
    listed = owner.child_by_field_name("arguments")
    if name is None or listed is None or draft.text_of(name) != "numeric_limits":
        return None
    types = [descriptor_shape(child, draft) for child in listed.named_children]
    member = draft.text_of(function).rpartition("::")[2].strip()
    if len(types) != 1 or types[0] is None or types[0].layer is not None:
        return None
    return _limit(types[0].name, member)


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


def _is_concrete(found: Shape, draft: Draft) -> bool:
    """Whether a type is one of CUDA's or of the file's, and none that every call binds anew."""
    if found.inner is not None:
        return all(_is_concrete(one, draft) for one in (found.inner, *found.parameters))
    is_builtin = all(word in BUILTIN_TYPES for word in found.name.split())
    return is_builtin or found.name in draft.program.bindings
