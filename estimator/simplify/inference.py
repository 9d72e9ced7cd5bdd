"""The types of simple expressions, as far as template arguments and overloads need them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
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
_FLOATING = re.compile(r"[.ef]")
_DIGITS = re.compile(r"0x[0-9a-f]+|0b[01]+|\d+")
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_DEEPEST = 40


@immutable()
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
    is_kept = argument.depth > 0 or parameter.is_reference  # a value's own `const` is not
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
    return _computed(tree, node, names, deep)


def _computed(tree: Tree, node: Node, names: Mapping[str, CType], deep: int) -> CType | None:
    """The type of an expression with an operator, after C++'s conversions."""
    from estimator.simplify.conversions import binary_type, chosen_type, unary_type

    def part(name: str) -> CType | None:
        inner = node.child_by_field_name(name)
        return infer(tree, inner, names, deep + 1) if inner is not None else None

    match node.type:
        case "binary_expression":
            operator = node.child_by_field_name("operator")
            sign = operator.type if operator is not None else ""
            return binary_type(sign, part("left"), part("right"))
        case "conditional_expression":
            sides = part("consequence"), part("alternative")
            return chosen_type(*sides)
        case "unary_expression":
            found = part("argument")
            return unary_type(node.children[0].type, found) if found is not None else None
        case "update_expression":
            return part("argument")
        case "comma_expression":
            return part("right")
        case "sizeof_expression" | "alignof_expression":
            return CType("size_t")
    return None


def literal_type(text: str) -> str:
    """The type of a number as it is written: the first that C++ tries and that holds its value."""
    lower = text.lower().replace("'", "")
    is_floating = "p" in lower if lower.startswith("0x") else _FLOATING.search(lower) is not None
    if is_floating:
        return "float" if lower.endswith("f") else "double"
    digits = _DIGITS.match(lower)
    suffix = lower[digits.end() :] if digits is not None else ""
    is_decimal = not lower.startswith("0") or "u" in suffix
    unsigned = "unsigned " if "u" in suffix else ""
    length = min(suffix.count("l"), 2)
    if "z" in suffix:
        return f"{unsigned}long"
    value = _value(digits.group()) if digits is not None else 0
    for bits, name in ((32, "int"), (64, "long")):
        if length == 0 or bits == 64:
            name = "long long" if length == 2 else name
            if value < 2 ** (bits - (not unsigned)):
                return unsigned + name
            if not is_decimal and value < 2**bits:
                return f"unsigned {name}"
    return f"{unsigned}{'long long' if length == 2 else 'long'}"


def _value(digits: str) -> int:
    is_octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
    try:
        return int(digits, 8) if is_octal else int(digits, 0)
    except ValueError:
        return 0


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
