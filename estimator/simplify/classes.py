"""Classes: their members, and the records that they become, one for each instance."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.declarators import declared_name, fields_in, function_declarator
from estimator.simplify.declare import (
    declared_parameters,
    function_kind,
    is_static,
    operator_text,
    template_parameters,
)
from estimator.simplify.draft import Binding
from estimator.simplify.symbols import Function, FunctionKind, Role, Symbols, Type
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

CONSTRUCTOR = "constructor"
CONVERSION = "conversion"
CALL = "operator()"


@immutable()
class FieldOf:
    """A field of a class: its declaration and declarator, and what it starts with."""

    name: str
    node: Node
    declarator: Node
    default: Node | None


@dataclass(slots=True)
class Members:
    """What a class declares, by name."""

    bases: list[Node] = field(default_factory=list)
    fields: dict[str, FieldOf] = field(default_factory=dict)
    functions: dict[str, list[Function]] = field(default_factory=dict)
    friends: dict[str, list[Function]] = field(default_factory=dict)
    types: dict[str, Node] = field(default_factory=dict)
    enumerators: dict[str, Node] = field(default_factory=dict)
    using: list[str] = field(default_factory=list)  # names taken over from bases
    has_virtual: Node | None = None
    destructor: Node | None = None  # one that does something on the GPU


@immutable(eq=False)
class Record:
    """A class as it is made: its simplified name, and what its parameters stand for.

    `captures` are a lambda's: the text of each captured name inside its body.
    """

    name: str
    defined: Type
    binding: Binding
    arguments: tuple[str, ...] = ()


@immutable()
class Callee:
    """A function that a call may mean: `owner` declares it, `this` is the object's class."""

    function: Function
    owner: Record | None = None
    this: Record | None = None

    @property
    def object_name(self) -> str:
        """The class of the object that it is called for, or that declares it; else empty."""
        record = self.this or self.owner
        return record.name if record is not None else ""


def members_of(tree: Tree, symbols: Symbols, defined: Type) -> Members:
    """Read the body of a class; methods defined outside it have their definition's node."""
    found = Members()
    node = defined.node
    if node.type == "type_definition":
        node = node.child_by_field_name("type") or node
    body = node.child_by_field_name("body")
    for child in node.children:
        if child.type == "base_class_clause":
            found.bases = [one for one in child.named_children if one.type != "access_specifier"]
    for child in body.named_children if body is not None else []:
        _member(tree, symbols, defined, child, found)
    return found


def _member(tree: Tree, symbols: Symbols, defined: Type, child: Node, found: Members) -> None:
    node, template = child, None
    if child.type == "template_declaration":
        template = template_parameters(tree, child)
        node = child.named_children[-1]
    if any(tree.text_of(one) == "virtual" or one.type == "virtual" for one in node.children):
        found.has_virtual = found.has_virtual or node
    if node.type == "friend_declaration":
        for inner in node.named_children:
            one = _function(tree, defined, inner, template)
            if one is not None and one.has_body:
                friend = replace(one, role=Role.FREE)
                found.friends.setdefault(friend.name, []).append(friend)
        return
    if node.type == "using_declaration":
        taken = tree.text_of(node).rstrip("; ").rpartition("::")[2].strip()
        found.using.append(taken)
        return
    if _is_busy_destructor(tree, node):
        found.destructor = node
    one = _function(tree, defined, node, template)
    if one is not None:
        one = _defined_outside(tree, symbols, defined, one)
        found.functions.setdefault(one.name, []).append(one)
    elif node.type == "alias_declaration":
        name = node.child_by_field_name("name")
        if name is not None:
            found.types[tree.text_of(name)] = node
    elif node.type == "type_definition":
        name = declared_name(node.child_by_field_name("declarator"))
        if name is not None:
            found.types[tree.text_of(name)] = node
    elif node.type == "field_declaration":
        _fields(tree, node, found)


def _is_busy_destructor(tree: Tree, node: Node) -> bool:
    declarator = function_declarator(node)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    body = node.child_by_field_name("body")
    if declarator is None or name is None or name.type != "destructor_name":
        return False
    is_device = function_kind(tree, node, declarator) is FunctionKind.DEVICE
    return is_device and (body is None or body.named_child_count > 0)


def _fields(tree: Tree, node: Node, found: Members) -> None:
    specifier = node.child_by_field_name("type")
    unnamed = specifier is not None and specifier.child_by_field_name("name") is None
    if specifier is not None and specifier.type == "enum_specifier" and unnamed:
        body = specifier.child_by_field_name("body")
        for one in body.named_children if body is not None else []:
            name = one.child_by_field_name("name")
            if name is not None:
                found.enumerators[tree.text_of(name)] = specifier
    if is_static(tree, node):
        return
    for declarator, value in fields_in(node):
        name = declared_name(declarator)
        if name is not None:
            text = tree.text_of(name)
            found.fields[text] = FieldOf(text, node, declarator, value)


def _function(
    tree: Tree, defined: Type, node: Node, template: tuple[object, ...] | None
) -> Function | None:
    declarator = function_declarator(node)
    if declarator is None or node.type not in {
        "function_definition",
        "field_declaration",
        "declaration",
    }:
        return None
    name_node = declarator.child_by_field_name("declarator")
    if name_node is None:
        return None
    role, name = Role.METHOD, operator_text(tree, name_node)
    if declarator.type == "operator_cast":
        role, name = Role.CONVERSION, CONVERSION
    elif name_node.type == "destructor_name":
        return None
    elif name == defined.name and node.child_by_field_name("type") is None:
        role, name = Role.CONSTRUCTOR, CONSTRUCTOR
    elif is_static(tree, node):
        role = Role.STATIC
    kind = function_kind(tree, node, declarator)
    parameters = () if role is Role.CONVERSION else declared_parameters(tree, declarator)
    qualified = declarator if role is not Role.CONVERSION else name_node
    is_const = any(
        child.type == "type_qualifier" and tree.text_of(child) == "const"
        for child in qualified.children
    )
    return Function(
        name,
        defined.scope,
        node,
        declarator,
        kind,
        template,  # type: ignore[arg-type]
        parameters,
        None,
        defined.fault,
        role,
        is_const,
    )


def _defined_outside(tree: Tree, symbols: Symbols, defined: Type, one: Function) -> Function:
    """The method with the node of its definition, where that stands outside the class."""
    if one.has_body or one.role is Role.CONVERSION:
        return one
    wanted = defined.name if one.name == CONSTRUCTOR else one.name
    texts = [_plain(tree, parameter.node) for parameter in one.parameters]
    best: Function | None = None
    for other in symbols.outside.get(defined.name, ()):
        if other.name != wanted or len(other.parameters) != len(one.parameters):
            continue
        if best is None or [_plain(tree, p.node) for p in other.parameters] == texts:
            best = other
    if best is None:
        return one
    outer = [parameter.name for parameter in defined.template or ()]
    if one.template is None and [p.name for p in best.template or ()] != outer:
        return one  # its template's parameters have other names
    kind = one.kind if one.kind is not FunctionKind.HOST else best.kind
    # Default arguments stand in the class, names and body outside it.
    parameters = tuple(
        replace(inner, default=outer.default) if inner.default is None else inner
        for inner, outer in zip(best.parameters, one.parameters, strict=True)
    )
    return replace(
        one, node=best.node, declarator=best.declarator, kind=kind, parameters=parameters
    )


def _plain(tree: Tree, node: Node) -> str:
    """A parameter's type as text, without blanks, name and default."""
    name = declared_name(node)
    default = node.child_by_field_name("default_value")
    end = default.start_byte - 1 if default is not None else node.end_byte
    text = tree.text[node.start_byte : end]
    if name is not None:
        text = tree.text[node.start_byte : name.start_byte] + tree.text[name.end_byte : end]
    return "".join(text.replace("=", "").split())
