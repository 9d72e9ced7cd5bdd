"""Reading the top level: from nodes to the table of symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.simplify.declarators import (
    base_type_text,
    declarators_of,
    declared_name,
    declared_parameter,
    fields_in,
    function_declarator,
    layers,
)
from estimator.simplify.symbols import (
    Function,
    FunctionKind,
    Parameter,
    ParameterKind,
    Span,
    Symbols,
    TemplateParameter,
    Type,
    TypeKind,
    Variable,
)
from estimator.simplify.tree import TopNode, Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_QUALIFIER = re.compile(r"\b__(global|device)__\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_RECORDS = frozenset({"struct_specifier", "class_specifier", "union_specifier"})
_SPECIFIERS = _RECORDS | {"enum_specifier"}


def declare(tree: Tree) -> Symbols:
    """The symbols that the tree's top level defines."""
    symbols = Symbols()
    for top in tree.top:
        if top.scope:
            symbols.scopes.update(top.scope.split("::"))
        _declare(tree, top, None, symbols)
    for name, forward in symbols.forward.items():
        if name in symbols.specialised:
            symbols.types.setdefault(name, [forward])
    symbols.add_forward_functions()
    return symbols


def _declare(
    tree: Tree,
    top: TopNode,
    template: tuple[TemplateParameter, ...] | None,
    symbols: Symbols,
) -> None:
    node = top.node
    kind = node.type
    if kind == "template_declaration":
        parameters = template_parameters(tree, node)
        symbols.parameter_names.update(parameter.name for parameter in parameters)
        symbols.type_parameters.update(
            parameter.name for parameter in parameters if parameter.kind is ParameterKind.TYPE
        )
        _declare(tree, replace(top, node=node.named_children[-1]), parameters, symbols)
    elif kind == "function_definition":
        _declare_function(tree, top, template, symbols)
    elif kind == "template_instantiation":
        symbols.instantiations.append(node)
    elif kind == "declaration" and template and function_declarator(node) is not None:
        declared = Symbols()
        _declare_function(tree, top, template, declared)
        symbols.forward_functions += [one for found in declared.functions.values() for one in found]
    elif kind == "declaration":
        _declare_variables(tree, top, template, symbols)
    elif kind in _SPECIFIERS:
        _declare_type(tree, top, node, template, symbols)
    elif kind == "type_definition" or kind == "alias_declaration":
        _declare_alias(tree, top, template, symbols)


def template_parameters(tree: Tree, node: Node) -> tuple[TemplateParameter, ...]:
    """The parameters of a template declaration; unnamed ones get the name `""`."""
    found: list[TemplateParameter] = []
    listed = node.child_by_field_name("parameters")
    for child in listed.named_children if listed is not None else []:
        default = child.child_by_field_name("default_type") or child.child_by_field_name(
            "default_value"
        )
        span = Span(default.start_byte, default.end_byte) if default is not None else None
        if "type_parameter_declaration" in child.type and "template" not in child.type:
            pack = child.type.startswith("variadic")
            kind = ParameterKind.PACK if pack else ParameterKind.TYPE
            names = [part for part in child.named_children if part.type == "type_identifier"]
            name = tree.text_of(names[0]) if names else ""
            found.append(TemplateParameter(name, kind, "", span))
        elif child.type in {"parameter_declaration", "optional_parameter_declaration"}:
            name_node = declared_name(child)
            name = tree.text_of(name_node) if name_node is not None else ""
            type_text = base_type_text(tree, child)
            found.append(TemplateParameter(name, ParameterKind.VALUE, type_text, span))
        elif child.type == "variadic_parameter_declaration":
            name_node = declared_name(child)
            name = tree.text_of(name_node) if name_node is not None else ""
            type_text = base_type_text(tree, child)
            found.append(TemplateParameter(name, ParameterKind.PACK, type_text, span))
        else:
            inner = child.named_children[-1] if child.named_children else child
            default = inner.child_by_field_name("default_type")
            span = Span(default.start_byte, default.end_byte) if default is not None else None
            names = [part for part in inner.named_children if part.type == "type_identifier"]
            name = tree.text_of(names[0]) if names else ""
            found.append(TemplateParameter(name, ParameterKind.TEMPLATE, "", span))
    return tuple(found)


def _declare_function(
    tree: Tree,
    top: TopNode,
    template: tuple[TemplateParameter, ...] | None,
    symbols: Symbols,
) -> None:
    node = top.node
    declarator = function_declarator(node)
    name_node = declarator.child_by_field_name("declarator") if declarator is not None else None
    if declarator is None or name_node is None:
        return
    specialises: Node | None = None
    owner, path = "", [top.scope] if top.scope else []
    while name_node.type == "qualified_identifier":
        scope, inner = (name_node.child_by_field_name(one) for one in ("scope", "name"))
        if scope is None or inner is None:
            return
        named = scope.child_by_field_name("name") if scope.type == "template_type" else scope
        owner = tree.text_of(named or scope)
        path.append(owner)
        name_node = inner
    if name_node.type == "template_function":
        specialises = name_node.child_by_field_name("arguments")
        name_node = name_node.child_by_field_name("name") or name_node
    if name_node.type not in {"identifier", "operator_name", "operator_cast"}:
        return
    name = operator_text(tree, name_node)
    kind = function_kind(tree, node, declarator)
    parameters = declared_parameters(tree, declarator)
    scope_text = top.scope
    if kind is FunctionKind.KERNEL or (owner and symbols.scopes.issuperset(path)):
        scope_text, owner = "::".join(path), ""  # `void n::k(int) {}`, of a namespace
    function = Function(
        name, scope_text, node, declarator, kind, template, parameters, specialises, top.fault
    )
    if owner:
        symbols.outside.setdefault(owner, []).append(function)
    else:
        symbols.functions.setdefault(name, []).append(function)
    if name_node.type == "operator_name":
        symbols.operators.add(name.removeprefix("operator"))


def operator_text(tree: Tree, name_node: Node) -> str:
    """A function's name; an operator's without blanks."""
    text = tree.text_of(name_node)
    return "".join(text.split()) if name_node.type == "operator_name" else text


def function_kind(tree: Tree, node: Node, declarator: Node) -> FunctionKind:
    """Who runs a function, by its qualifiers."""
    found = set(_QUALIFIER.findall(tree.parsed, node.start_byte, declarator.start_byte))
    if "global" in found:
        return FunctionKind.KERNEL
    return FunctionKind.DEVICE if "device" in found else FunctionKind.HOST


def declared_parameters(tree: Tree, declarator: Node) -> tuple[Parameter, ...]:
    """The parameters of a function, `(void)` being none."""
    listed = declarator.child_by_field_name("parameters")
    parameters = tuple(
        declared_parameter(tree, child)
        for child in (listed.named_children if listed is not None else [])
        if "parameter_declaration" in child.type
    )
    if len(parameters) == 1 and parameters[0].base == "void" and not parameters[0].depth:
        return ()
    return parameters


def _declare_variables(
    tree: Tree,
    top: TopNode,
    template: tuple[TemplateParameter, ...] | None,
    symbols: Symbols,
) -> None:
    node = top.node
    specifier = node.child_by_field_name("type")
    if specifier is not None and specifier.type in _SPECIFIERS:
        _declare_type(tree, top, specifier, template, symbols)
    for declarator in declarators_of(node):
        name_node = declared_name(declarator)
        if name_node is None or name_node.type != "identifier":
            continue
        name = tree.text_of(name_node)
        function = function_declarator(declarator)
        if function is not None:
            symbols.declared.setdefault(name, []).append(declared_parameters(tree, function))
            continue
        symbols.variables.setdefault(name, []).append(
            Variable(name, top.scope, node, declarator, template is not None, top.fault)
        )


def _constructors(tree: Tree, body: Node, name: str) -> Iterator[Node]:
    for child in body.named_children:
        declarator = function_declarator(child)
        inner = None if declarator is None else declarator.child_by_field_name("declarator")
        if inner is not None and tree.text_of(inner) == name:
            yield child


def _declare_type(
    tree: Tree,
    top: TopNode,
    node: Node,
    template: tuple[TemplateParameter, ...] | None,
    symbols: Symbols,
) -> None:
    body = node.child_by_field_name("body")
    if body is None:
        named = node.child_by_field_name("name")
        if template is not None and named is not None and named.type == "type_identifier":
            name = tree.text_of(named)
            forward = Type(name, top.scope, node, TypeKind.RECORD, template)
            symbols.forward.setdefault(name, forward)
        return
    name_node = node.child_by_field_name("name")
    specialises: Node | None = None
    if name_node is not None and name_node.type == "template_type":
        specialises = name_node.child_by_field_name("arguments")
        name_node = name_node.child_by_field_name("name")
    name = tree.text_of(name_node) if name_node is not None else ""
    if node.type == "enum_specifier":
        scoped = any(child.type in {"class", "struct"} for child in node.children)
        kind = TypeKind.SCOPED_ENUM if scoped else TypeKind.ENUM
        constants = tuple(_enumerators(tree, body))
        constructors: tuple[Node, ...] = ()
    else:
        kind = TypeKind.RECORD
        constants = tuple(_static_constants(tree, body))
        constructors = tuple(_constructors(tree, body, name))
    name = name or (constants[0] if constants else "")
    defined = Type(
        name,
        top.scope,
        node,
        kind,
        template,
        constants,
        constructors,
        top.fault,
        specialises,
    )
    if kind is TypeKind.RECORD:
        declare_members(tree, body, symbols)
        for child in body.named_children:
            inner = child.child_by_field_name("type") if child.type == "field_declaration" else None
            if inner is None or inner.type not in _SPECIFIERS or template is not None:
                continue
            if inner.child_by_field_name("name") is not None:
                _declare_type(tree, top, inner, None, symbols)
    if specialises is not None:
        symbols.specialised.setdefault(name, []).append(defined)
    elif name:
        symbols.types.setdefault(name, []).append(defined)
    if kind is TypeKind.ENUM:
        for constant in constants:
            symbols.constants.setdefault(constant, defined)


def declare_members(tree: Tree, body: Node, symbols: Symbols) -> None:
    """Note what the methods of a class may use without its object, if it has any."""
    names: set[str] = set()
    has_methods = False
    for child in body.named_children:
        node = child.named_children[-1] if child.type == "template_declaration" else child
        if child.type == "template_declaration":
            parameters = template_parameters(tree, child)
            symbols.parameter_names.update(one.name for one in parameters)
            symbols.type_parameters.update(
                one.name for one in parameters if one.kind is ParameterKind.TYPE
            )
        declarator = function_declarator(node)
        if node.type == "function_definition" or declarator is not None:
            has_methods = True
            name = declarator.child_by_field_name("declarator") if declarator is not None else None
            if name is not None and name.type == "operator_name":
                symbols.operators.add(operator_text(tree, name).removeprefix("operator"))
        elif node.type == "friend_declaration":
            symbols.operators.add("friend")
        if child.type in {"alias_declaration", "type_definition"}:
            has_methods = True  # members that are types are replaced wherever they stand
            for one in (child.child_by_field_name("name"), *declarators_of(child)):
                named = declared_name(one) if one is not None else None
                if named is not None:
                    names.add(tree.text_of(named))
        for one in declarators_of(child):
            named = declared_name(one)
            if named is not None:
                names.add(tree.text_of(named))
        specifier = child.child_by_field_name("type")
        unnamed = specifier is not None and specifier.child_by_field_name("name") is None
        if specifier is not None and specifier.type in _SPECIFIERS and not unnamed:
            has_methods = True  # a class inside it may have some
        if specifier is not None and specifier.type == "enum_specifier" and unnamed:
            has_methods = True
            enumerators = specifier.child_by_field_name("body")
            names.update(_enumerators(tree, enumerators) if enumerators is not None else ())
    used = _words_of_defaults(tree, body)
    if body.parent is not None and any(
        one.type == "base_class_clause" for one in body.parent.children
    ):
        symbols.members |= used  # members of bases, perhaps
    if has_methods or not names.isdisjoint(used):
        symbols.members |= names


def _words_of_defaults(tree: Tree, body: Node) -> set[str]:
    """The names in the values that a class's members start with, and in their lengths."""
    return {
        word
        for child in body.named_children
        for declarator, value in fields_in(child)
        for node in (value, *(one.child_by_field_name("size") for one in layers(declarator)))
        if node is not None
        for word in _WORD.findall(tree.text_of(node))
    }


def _enumerators(tree: Tree, body: Node) -> list[str]:
    names = (child.child_by_field_name("name") for child in body.named_children)
    return [tree.text_of(name) for name in names if name is not None]


def _static_constants(tree: Tree, body: Node) -> list[str]:
    found: list[str] = []
    for child in body.named_children:
        if child.type == "field_declaration" and is_static(tree, child):
            for declarator, _ in fields_in(child):
                name = constant_name(declarator)
                if name is not None:
                    found.append(tree.text_of(name))
    return found


def constant_name(declarator: Node) -> Node | None:
    """The name of a constant of a class, or of an array of constants."""
    inner = [*layers(declarator)]
    is_plain = all(one.type in {"array_declarator", "field_identifier"} for one in inner)
    return inner[-1] if is_plain else None


def is_static(tree: Tree, node: Node) -> bool:
    """Whether a member is declared `static`."""
    return any(
        child.type == "storage_class_specifier" and tree.text_of(child) == "static"
        for child in node.children
    )


def _declare_alias(
    tree: Tree,
    top: TopNode,
    template: tuple[TemplateParameter, ...] | None,
    symbols: Symbols,
) -> None:
    node = top.node
    name_node = node.child_by_field_name("name") or declared_name(
        node.child_by_field_name("declarator")
    )
    if name_node is None:
        return
    name = tree.text_of(name_node)
    specifier = node.child_by_field_name("type")
    is_record = specifier is not None and specifier.type in _RECORDS
    if is_record and specifier is not None and specifier.child_by_field_name("body") is not None:
        kind = TypeKind.RECORD
    else:
        kind = TypeKind.ALIAS
    defined = Type(name, top.scope, node, kind, template, fault=top.fault)
    symbols.types.setdefault(name, []).append(defined)
    if specifier is not None and specifier.type == "enum_specifier":
        body = specifier.child_by_field_name("body")
        for constant in _enumerators(tree, body) if body is not None else []:
            symbols.constants.setdefault(constant, defined)
