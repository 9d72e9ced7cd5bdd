"""Types and variables outside functions, as items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.declarators import fields_in
from estimator.simplify.declare import constant_name
from estimator.simplify.draft import Binding, Draft, LostError, Piece
from estimator.simplify.records import (
    define_alias,
    define_enumeration,
    define_record,
    name_type,
)
from estimator.simplify.symbols import FunctionKind, Type, TypeKind, Variable
from estimator.source.codes import SYNTAX

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.program import Program

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")


def type_pieces(program: Program, record: Record) -> list[Piece]:
    """A type's definition under its name, a typedef so that the name alone is a type."""
    defined, name = record.defined, record.name
    if defined.fault is not None:
        raise LostError(defined.fault.offset, defined.fault.message, SYNTAX)
    is_class = defined.kind is TypeKind.RECORD and defined.node.type.endswith("_specifier")
    if is_class and defined.node.child_by_field_name("body") is None:
        message = f"the type '{defined.name}' without a body is not supported"
        raise LostError(defined.node.start_byte, message)
    draft = Draft(program, record.binding, defined.scope, None)
    if defined.kind is TypeKind.RECORD:
        draft.owner = record
    node = defined.node
    if node.type == "type_definition":
        specifier = node.child_by_field_name("type")
        if specifier is not None:
            _body(specifier, draft, name)
    elif node.type == "alias_declaration":
        draft.done.add(node.id)
        define_alias(node, draft, name)
    else:
        _body(node, draft, name)
        _name_type(node, defined, name, draft)
    draft.run(node.start_byte, node.end_byte)
    pieces = draft.pieces(node.start_byte, node.end_byte)
    if node.type not in {"type_definition", "alias_declaration"}:
        pieces.append(Piece(";", node.end_byte - 1, False))
    return pieces


def _body(node: Node, draft: Draft, name: str) -> None:
    body = node.child_by_field_name("body")
    if body is None:
        return
    draft.done.add(node.id)
    if node.type == "enum_specifier":
        define_enumeration(node, draft)
    else:
        define_record(node, body, draft, name)


def _name_type(node: Node, defined: Type, name: str, draft: Draft) -> None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    name_type(node, name, draft)
    if name != draft.text_of(name_node) or defined.kind is TypeKind.RECORD:
        draft.skip(name_node.start_byte, name_node.end_byte, name)


def constant_pieces(program: Program, record: Record, constant: str) -> list[Piece]:
    """A static constant of a struct: `static const int N = 3;` → `const int S__N = 3;`."""
    defined = record.defined
    body = defined.node.child_by_field_name("body")
    for child in body.named_children if body is not None else []:
        declarators = list(fields_in(child)) if child.type == "field_declaration" else []
        for declarator, value in declarators:
            name = constant_name(declarator)
            if name is None or program.tree.text_of(name) != constant:
                continue
            draft = program.table.draft(record)
            draft.skip(name.start_byte, name.end_byte, f"{record.name}__{constant}")
            end = (value or declarator).end_byte
            draft.skip(declarators[0][0].start_byte, declarator.start_byte)
            draft.skip(end, child.end_byte - 1)
            if value is not None and value.type == "initializer_list":
                equals = value.prev_sibling
                if equals is not None and equals.type != "=":
                    draft.before(value.start_byte, " = ")
            draft.run(child.start_byte, child.end_byte)
            return draft.pieces(child.start_byte, child.end_byte)
    return []


def enumerator_pieces(program: Program, record: Record, node: Node) -> list[Piece]:
    """`enum { A, B };` in a struct → `enum { S__A, S__B };`."""
    body = node.child_by_field_name("body")
    if body is None:
        return []
    draft = program.table.draft(record)
    for child in body.named_children:
        name = child.child_by_field_name("name")
        if name is not None:
            draft.skip(name.start_byte, name.end_byte, f"{record.name}__{draft.text_of(name)}")
    draft.run(body.start_byte, body.end_byte)
    head = Piece("enum ", node.start_byte, False)
    return [head, *draft.pieces(body.start_byte, body.end_byte), Piece(";", node.start_byte, False)]


def variable_pieces(program: Program, variable: Variable) -> list[Piece]:
    """One declarator of a variable's declaration, as a declaration of its own."""
    if variable.fault is not None:
        raise LostError(variable.fault.offset, variable.fault.message, SYNTAX)
    if variable.is_template:
        raise LostError(variable.node.start_byte, "a variable template is not supported")
    node = variable.node
    kind = FunctionKind.DEVICE if _names_functions(variable, program) else None
    draft = Draft(program, Binding(), variable.scope, kind)
    siblings = node.children_by_field_name("declarator")
    if len(siblings) > 1:
        first = siblings[0]
        draft.skip(first.start_byte, variable.declarator.start_byte)
        draft.skip(variable.declarator.end_byte, node.end_byte - 1)
        _only(variable, node, draft)
    draft.run(node.start_byte, node.end_byte)
    return draft.pieces(node.start_byte, node.end_byte)


def _names_functions(variable: Variable, program: Program) -> bool:
    """Whether functions' addresses are what a variable starts with: `Op table[] = {add, mul};`."""
    value = variable.declarator.child_by_field_name("value")
    text = program.tree.text_of(value) if value is not None else ""
    return any(word in program.symbols.functions for word in _WORD.findall(text))


def _only(variable: Variable, node: Node, draft: Draft) -> None:
    specifier = node.child_by_field_name("type")
    if specifier is not None and specifier.child_by_field_name("body") is not None:
        raise LostError(node.start_byte, "a type among several variables is not supported")
