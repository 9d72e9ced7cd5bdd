"""Questions about declarations that many rules ask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from estimator.simplify.symbols import Parameter, Span
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = frozenset(
    {
        "variadic_declarator",
        "variadic_reference_declarator",
        "operator_cast",
        "abstract_function_declarator",
        "pointer_declarator",
        "reference_declarator",
        "array_declarator",
        "parenthesized_declarator",
        "init_declarator",
        "function_declarator",
        "attributed_declarator",
        "abstract_pointer_declarator",
        "abstract_reference_declarator",
        "abstract_array_declarator",
        "abstract_parenthesized_declarator",
    }
)
_REFERENCES = frozenset({"reference_declarator", "abstract_reference_declarator"})
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})
_POINTERS = frozenset(
    {
        "pointer_declarator",
        "array_declarator",
        "abstract_pointer_declarator",
        "abstract_array_declarator",
    }
)


def inner_declarator(node: Node) -> Node | None:
    """The declarator inside one layer of `*`, `&`, `[n]`, `(…)` or `= value`."""
    inner = node.child_by_field_name("declarator")
    if inner is not None:
        return inner
    for child in node.named_children:
        if child.type in _WRAPPERS or child.type in _NAMES:
            return child
    return None


def fields_in(node: Node) -> Iterator[tuple[Node, Node | None]]:
    """Each declarator of a class's members, with the value that the member starts with."""
    declarator: Node | None = None
    value: Node | None = None
    for index, part in enumerate(node.children):
        named = node.field_name_for_child(index)
        if named == "declarator":
            if declarator is not None:
                yield declarator, value
            declarator, value = part, None
        elif named == "default_value":
            value = part
    if declarator is not None:
        yield declarator, value


def layers(node: Node | None) -> Iterator[Node]:
    """A declarator's layers from the outside in, its name last."""
    while node is not None:
        yield node
        node = inner_declarator(node) if node.type in _WRAPPERS else None


def declared_name(node: Node | None) -> Node | None:
    """The name in a declarator, or in a declaration of one parameter."""
    if node is not None and node.type not in _WRAPPERS and node.type not in _NAMES:
        node = node.child_by_field_name("declarator")
    last = None
    for layer in layers(node):
        last = layer
    return last if last is not None and last.type in _NAMES else None


def declarators_of(node: Node) -> list[Node]:
    """The declarators of a declaration, in order."""
    return node.children_by_field_name("declarator")


def reference_layer(node: Node | None) -> Node | None:
    """The layer that makes a declarator a reference."""
    for layer in layers(node):
        if layer.type in _REFERENCES:
            return layer
        if layer.type == "function_declarator":
            return None
    return None


def function_declarator(node: Node) -> Node | None:
    """The function declarator in a definition, declaration or declarator."""
    start: Node | None = node
    if node.type not in _WRAPPERS:
        start = node.child_by_field_name("declarator")
    for layer in layers(start):
        if layer.type in {"function_declarator", "operator_cast"}:
            return layer
        if layer.type == "parenthesized_declarator":
            return None  # a pointer to a function
    return None


def is_function_type(target: Node) -> bool:
    """Whether a type is that of a function or of a pointer to one: `float (*)(float)`."""
    outer = target.child_by_field_name("declarator")
    return any(layer.type == "abstract_function_declarator" for layer in layers(outer))


def trailing_type(declarator: Node | None) -> Node | None:
    """The type behind the arrow in `auto f() -> T`."""
    for child in declarator.children if declarator is not None else ():
        if child.type == "trailing_return_type" and child.named_children:
            return child.named_children[0]
    return None


def base_type_text(tree: Tree, node: Node) -> str:
    """The type of a declaration without qualifiers and declarators, blanks collapsed."""
    specifier = node.child_by_field_name("type")
    if specifier is None:
        return ""
    return " ".join(tree.text_of(specifier).split())


def declared_parameter(tree: Tree, node: Node) -> Parameter:
    """What the deduction of template arguments must know about a parameter."""
    declarator = node.child_by_field_name("declarator")
    name_node = declared_name(node)
    default = node.child_by_field_name("default_value")
    kinds = [layer.type for layer in layers(declarator)]
    is_pack = node.type.startswith("variadic") or "variadic_declarator" in kinds
    return Parameter(
        node=node,
        name=tree.text_of(name_node) if name_node is not None else "",
        base=base_type_text(tree, node),
        is_const=is_const(tree, node),
        depth=pack_depth(tree, node) if is_pack else sum(kind in _POINTERS for kind in kinds),
        is_reference=reference_layer(declarator) is not None,
        default=Span(default.start_byte, default.end_byte) if default is not None else None,
        is_pack=is_pack,
    )


def pack_depth(tree: Tree, node: Node) -> int:
    """How many stars stand in front of the dots of `T *... x`, which the parser does not see."""
    specifier = node.child_by_field_name("type")
    start = specifier.end_byte if specifier is not None else node.start_byte
    return tree.text[start : node.end_byte].split("...")[0].count("*")


def is_const(tree: Tree, node: Node) -> bool:
    """Whether a declaration's type is `const` or `constexpr`, pointers to it aside."""
    first = node.child_by_field_name("declarator")
    for child in node.children:
        if first is not None and child.start_byte >= first.start_byte:
            return False  # qualifiers stand in front of all declarators, which may be many
        if child.type == "type_qualifier" and tree.text_of(child) in {"const", "constexpr"}:
            return True
    return False
