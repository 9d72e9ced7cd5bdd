"""Which names the functions, blocks and classes around a place declare themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from estimator.simplify.declarators import declarators_of, declared_name, function_declarator

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.symbols import Symbols
    from estimator.simplify.tree import Tree

_RECORDS = frozenset({"struct_specifier", "class_specifier", "union_specifier"})
_BLOCKS = frozenset({"compound_statement", "case_statement", "field_declaration_list"})
_HEADS = frozenset(
    {"for_statement", "for_range_loop", "if_statement", "while_statement", "switch_statement"}
)
_FUNCTIONS = frozenset({"function_definition", "lambda_expression", "catch_clause"})
_DEEPEST = 8


def declared_around(node: Node, name: str, tree: Tree, symbols: Symbols) -> Node | None:
    """The name in a declaration of the functions or classes around a node, if that is meant."""
    inner, around = node, node.parent
    while around is not None and around.type != "translation_unit":
        is_class = around.type == "field_declaration_list"
        for found in _declared_by(around):
            if tree.text_of(found) == name and (is_class or found.start_byte <= node.start_byte):
                return found
        for outer in _classes_of(around, tree, symbols):
            if inner != outer.child_by_field_name("name"):
                member = member_name(outer, name, tree, symbols)
                if member is not None:
                    return member
        inner, around = around, around.parent
    return None


def class_around(node: Node, name: str, tree: Tree) -> Node | None:
    """The class of that name that a node stands in or names, as in its constructors."""
    around = node.parent
    while around is not None:
        named = around.child_by_field_name("name") if around.type in _RECORDS else None
        if named is not None and named.type == "template_type":
            named = named.child_by_field_name("name")
        if named is not None and tree.text_of(named) == name:
            return around
        around = around.parent
    return None


def _declared_by(node: Node) -> Iterator[Node]:
    """The names that a block, a statement's head or a function declares, in no order."""
    if node.type in _BLOCKS:
        for child in node.named_children:
            yield from names_of(child)
    elif node.type in _HEADS:
        for child in node.named_children:
            if child.type in {"init_statement", "condition_clause", "declaration"}:
                yield from names_of(child)
        if node.type == "for_range_loop":
            yield from _named(node.child_by_field_name("declarator"))
    elif node.type in _FUNCTIONS:
        outer = node.child_by_field_name("declarator")
        declarator = function_declarator(node) or outer or node
        yield from _parameters(declarator.child_by_field_name("parameters"))
    elif node.type == "template_declaration":
        yield from _parameters(node.child_by_field_name("parameters"))
    elif node.type == "enumerator_list" and _is_scoped(node.parent):
        yield from _enumerators(node)


def _parameters(listed: Node | None) -> Iterator[Node]:
    for child in listed.named_children if listed is not None else ():
        if "type_parameter_declaration" in child.type:
            yield from (one for one in child.named_children if one.type == "type_identifier")
        else:
            yield from _named(child)


def names_of(node: Node) -> Iterator[Node]:
    """The names that a declaration declares in the block or class that it stands in."""
    if node.type == "template_declaration":
        yield from names_of(node.named_children[-1])
    elif node.type in {"init_statement", "condition_clause"}:
        for child in node.named_children:
            yield from names_of(child)
    elif node.type == "alias_declaration":
        yield from (one for one in (node.child_by_field_name("name"),) if one is not None)
    elif node.type == "function_definition":
        declarator = function_declarator(node)
        yield from _named(declarator)
    elif node.type in _RECORDS or node.type == "enum_specifier":
        yield from _specified(node)
    elif node.type in {"declaration", "field_declaration", "type_definition"}:
        specifier = node.child_by_field_name("type")
        if specifier is not None:
            yield from _specified(specifier)
        for declarator in declarators_of(node):
            yield from _named(declarator)


def _specified(node: Node) -> Iterator[Node]:
    """A type's name, and the constants that an enumeration puts beside it."""
    body = node.child_by_field_name("body")
    name = node.child_by_field_name("name")
    if body is None or (node.type not in _RECORDS and node.type != "enum_specifier"):
        return
    if name is not None and name.type == "type_identifier":
        yield name
    if node.type == "enum_specifier" and not _is_scoped(node):
        yield from _enumerators(body)


def _enumerators(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            yield name


def _is_scoped(node: Node | None) -> bool:
    return node is not None and any(child.type in {"class", "struct"} for child in node.children)


def _named(declarator: Node | None) -> Iterator[Node]:
    name = declared_name(declarator)
    if name is not None:
        yield name
        return
    inner = declarator
    while inner is not None and inner.type != "structured_binding_declarator":
        inner = inner.child_by_field_name("declarator") or next(
            (one for one in inner.named_children if one.type == "structured_binding_declarator"),
            None,
        )
    if inner is not None:
        yield from inner.named_children


def _classes_of(node: Node, tree: Tree, symbols: Symbols) -> Iterator[Node]:
    """The class that a node is, for its bases, or that a method outside its class belongs to."""
    if node.type in _RECORDS:
        yield node
    if node.type != "function_definition":
        return
    declarator = function_declarator(node)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if name is None or name.type != "qualified_identifier":
        return
    scope = name
    while (inner := scope.child_by_field_name("name")) is not None and (
        inner.type == "qualified_identifier"
    ):
        scope = inner
    owner = scope.child_by_field_name("scope")
    if owner is not None and owner.type == "template_type":
        owner = owner.child_by_field_name("name")
    for defined in symbols.types.get(tree.text_of(owner), ()) if owner is not None else ():
        yield defined.node


def member_name(node: Node, name: str, tree: Tree, symbols: Symbols, deep: int = 0) -> Node | None:
    """The name in the declaration of a member, by a class or a base of it."""
    if node.type not in _RECORDS:
        return None
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        for one in names_of(child):
            if tree.text_of(one) == name:
                return one
    for clause in node.children:
        if clause.type != "base_class_clause" or deep > _DEEPEST:
            continue
        for one in clause.named_children:
            while one.type in {"qualified_identifier", "template_type"}:
                one = one.child_by_field_name("name") or one.named_children[-1]
            for defined in symbols.types.get(tree.text_of(one), ()):
                found = None
                if defined.node != node:
                    found = member_name(defined.node, name, tree, symbols, deep + 1)
                if found is not None:
                    return found
    return None
