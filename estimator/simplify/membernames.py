"""Names that mean a class's members, and the types of names outside functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify import lookup
from estimator.simplify.constants import constant_in
from estimator.simplify.draft import Binding, Draft
from estimator.simplify.inference import CType
from estimator.simplify.scopes import last_name, member_of, scope_record, scopes_of
from estimator.simplify.symbols import Type, TypeKind
from estimator.simplify.typeof import declared, type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.program import Program


def member_text(program: Program, name: str, draft: Draft) -> str | None:
    """What a member's name becomes in a method that uses it without its object."""
    owner = draft.owner
    assert owner is not None
    table = program.table
    is_field = draft.this is not None and name in table.fields(draft.this)
    if is_field and not _is_hidden(program, name, draft):
        return f"{draft.self_text}.{name}"
    if name == owner.defined.name and owner.defined.template is not None:
        return owner.name
    for record in (owner, *table.around(owner)):
        text = member_of(record, name, draft)
        if text is not None:
            return text
    return None


def _is_hidden(program: Program, name: str, draft: Draft) -> bool:
    """Whether a constant of a class hides the field of that name in one of its bases."""
    owner = draft.owner
    assert owner is not None
    for inside in (owner, *program.table.all_bases(owner)):
        members = program.table.members(inside.defined)
        if name in members.fields:
            return False
        if name in inside.defined.constants or name in members.enumerators:
            return True
    return False


def variable_type(program: Program, name: str, draft: Draft) -> CType | None:
    """The type of a variable outside functions."""
    found = program.symbols.variables.get(name)
    if not found:
        return None
    variable = lookup.nearest(found, draft.scope)[0]
    outer = Draft(program, Binding(), variable.scope, None)
    return declared(outer, variable.node, variable.declarator)


def enumeration_type(program: Program, defined: Type) -> CType:
    """The type of an enumeration's constants; `int` stands for one without a name."""
    is_named = defined.node.child_by_field_name("name") is not None
    if defined.kind not in {TypeKind.ENUM, TypeKind.SCOPED_ENUM} or not is_named:
        return CType("int")
    return CType(program.require_type(defined, ()))


def qualified_type(program: Program, node: Node, draft: Draft) -> CType | None:
    """The type of `S::N` or `ns::variable`."""
    record = scope_record(node, draft)
    last = last_name(node)
    name = program.tree.text_of(last)
    if record is None:
        scopes = scopes_of(node, draft)
        owner_type = program.find_type(scopes[-1], draft.scope) if scopes else None
        defined = program.symbols.constants.get(name)
        if owner_type is not None and name in owner_type.constants:
            defined = owner_type
        if defined is not None:
            return enumeration_type(program, defined)
        return variable_type(program, name, draft)
    owner = program.table.constant_owner(record, name)
    if owner is None:
        return CType("int") if program.table.enumerator(record, name) else None
    body = owner.defined.node.child_by_field_name("body")
    for child in body.named_children if body is not None else []:
        inner = child.child_by_field_name("declarator")
        if inner is not None and program.tree.text_of(inner) == name:
            return declared(program.table.draft(owner), child, inner)
    return None


def is_narrow_bit_field(node: Node, draft: Draft) -> bool:
    """Whether an expression is a bit-field all of whose values an int has: operators see an int."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    inner, name = node.child_by_field_name("argument"), node.child_by_field_name("field")
    given = type_of(inner, draft) if inner is not None and name is not None else None
    record = draft.program.records.get(given.base) if given is not None else None
    if record is None or name is None:
        return False
    field = draft.program.table.fields(record).get(draft.text_of(name))
    if field is None:
        return False
    own = field[0]
    behind = own.declarator.next_named_sibling
    if behind is None or behind.type != "bitfield_clause" or not behind.named_children:
        return False
    width = constant_in(draft.text_of(behind.named_children[0]), draft, behind)
    is_unsigned = "unsigned" in draft.text_of(own.node) or "uint" in draft.text_of(own.node)
    return width is not None and width <= 32 - is_unsigned
