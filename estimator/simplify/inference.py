"""The types of simple expressions, as far as template arguments and overloads need them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from estimator.simplify.declarators import base_type_text, is_const, layers
from estimator.simplify.symbols import Parameter
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

POINTERS = frozenset(
    {
        "pointer_declarator",
        "array_declarator",
        "abstract_pointer_declarator",
        "abstract_array_declarator",
    }
)
VECTOR = re.compile(r"(u?(?:char|short|int|long|longlong)|float|double)[1-4]$")
UNSIGNED = {
    "uchar": "unsigned char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
}
_RANKS = (
    "double", "float", "half", "unsigned long long", "long long", "size_t", "unsigned long",
    "long", "unsigned int", "int",
)  # fmt: skip
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class CType:
    """A type: its base without qualifiers, whether that is const, the depth of pointers."""

    base: str
    is_const: bool = False
    depth: int = 0

    @property
    def text(self) -> str:
        const = "const " if self.is_const else ""
        return f"{const}{self.base}{' ' if self.depth else ''}{'*' * self.depth}"


def declared_type(tree: Tree, node: Node, declarator: Node | None) -> CType:
    """The type that a declaration gives to one of its declarators."""
    depth = sum(layer.type in POINTERS for layer in layers(declarator))
    return CType(base_type_text(tree, node), is_const(tree, node), depth)


def deduce(parameter: Parameter, name: str, argument: CType) -> str | None:
    """What template parameter `name` stands for when `argument` is passed to `parameter`."""
    if parameter.base != name or argument.depth < parameter.depth:
        return None
    depth = argument.depth - parameter.depth
    is_kept = parameter.depth > 0 or parameter.is_reference
    const = argument.is_const and not parameter.is_const and is_kept
    return CType(argument.base, const, depth).text


def infer(tree: Tree, node: Node, names: Mapping[str, CType], deep: int = 0) -> CType | None:
    """The type of an expression; None where it is not known."""
    if deep > _DEEPEST:
        return None
    kind = node.type
    if kind == "identifier":
        return names.get(tree.text_of(node))
    if kind == "number_literal":
        return CType(literal_type(tree.text_of(node)))
    if kind in {"true", "false"}:
        return CType("bool")
    if kind == "parenthesized_expression" and node.named_child_count == 1:
        return infer(tree, node.named_children[0], names, deep + 1)
    if kind == "cast_expression":
        target = node.child_by_field_name("type")
        return _described(tree, target) if target is not None else None
    if kind == "call_expression":
        return _called(tree, node)
    if kind in {"pointer_expression", "subscript_expression", "field_expression"}:
        return _accessed(tree, node, names, deep)
    if kind == "binary_expression":
        return _combined(tree, node, names, deep)
    if kind == "conditional_expression":
        branch = node.child_by_field_name("consequence")
        return infer(tree, branch, names, deep + 1) if branch is not None else None
    if kind == "unary_expression":
        inner = node.child_by_field_name("argument")
        return infer(tree, inner, names, deep + 1) if inner is not None else None
    return None


def literal_type(text: str) -> str:
    lower = text.lower()
    hexadecimal = lower.startswith("0x")
    if not hexadecimal and ("." in lower or "e" in lower or lower.endswith("f")):
        return "float" if lower.endswith("f") else "double"
    suffix = lower.lstrip("0123456789abcdefx'") if hexadecimal else lower.lstrip("0123456789'b")
    unsigned = "unsigned " if "u" in suffix else ""
    length = suffix.count("l")
    return unsigned + ("int", "long", "long long")[min(length, 2)]


def _described(tree: Tree, target: Node) -> CType:
    return declared_type(tree, target, target.child_by_field_name("declarator"))


def _called(tree: Tree, node: Node) -> CType | None:
    function = node.child_by_field_name("function")
    if function is None:
        return None
    if function.type in {"primitive_type", "sized_type_specifier"}:
        return CType(tree.text_of(function))
    name = tree.text_of(function)
    if function.type == "template_function":
        name_node = function.child_by_field_name("name")
        listed = function.child_by_field_name("arguments")
        if name_node is not None and listed is not None and tree.text_of(name_node) in _CASTS:
            return _described(tree, listed.named_children[0])
        return None
    if name.startswith("make_") and VECTOR.match(name[5:]):
        return CType(name[5:])
    return None


def _accessed(tree: Tree, node: Node, names: Mapping[str, CType], deep: int) -> CType | None:
    inner = node.child_by_field_name("argument")
    found = infer(tree, inner, names, deep + 1) if inner is not None else None
    if found is None:
        return None
    if node.type == "field_expression":
        vector = VECTOR.match(found.base)
        field = node.child_by_field_name("field")
        if vector is None or field is None or tree.text_of(field) not in {"x", "y", "z", "w"}:
            return None
        return CType(UNSIGNED.get(vector.group(1), vector.group(1)))
    step = 1 if node.children[0].type == "&" else -1
    return replace(found, depth=found.depth + step) if found.depth + step >= 0 else None


def _combined(tree: Tree, node: Node, names: Mapping[str, CType], deep: int) -> CType | None:
    operator = node.child_by_field_name("operator")
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    types = [infer(tree, side, names, deep + 1) for side in sides if side is not None]
    if operator is not None and operator.type in {"<", ">", "<=", ">=", "==", "!=", "&&", "||"}:
        return CType("bool")
    for found in types:
        if found is not None and found.depth:
            return found
    return combined(types[0], types[1]) if len(types) == 2 else None


def combined(left: CType | None, right: CType | None) -> CType | None:
    """The type of `left op right` for a builtin arithmetic operator."""
    for found in (left, right):
        if found is not None and found.depth:
            return found
    if left is None or right is None:
        return None
    bases = [left.base, right.base]
    for rank in _RANKS:
        if rank in bases:
            return CType(rank)
    return CType(left.base) if left.base == right.base else None
