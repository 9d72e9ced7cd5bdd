"""Qualified names: `std::min`, `mine::f`, `E::A`, and names with template arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.library import library_name
from estimator.simplify.symbols import TypeKind
from estimator.simplify.traits import chosen_type, trait_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.draft import Draft


def last_name(node: Node) -> Node:
    """The part behind the last `::`, the node itself where there is none."""
    while node.type == "qualified_identifier":
        inner = node.child_by_field_name("name")
        if inner is None:
            return node
        node = inner
    return node


def scopes_of(node: Node, draft: Draft) -> list[str]:
    """The names in front of `::`, from the left."""
    found: list[str] = []
    while node.type == "qualified_identifier":
        scope = node.child_by_field_name("scope")
        inner = node.child_by_field_name("name")
        if scope is not None:
            found.append(draft.text_of(scope))
        if inner is None:
            break
        node = inner
    return found


def scope_record(node: Node, draft: Draft) -> Record | None:
    """The class in front of the last `::`; None where that is a namespace or nothing."""
    owner = _innermost_scope(node)
    if owner is None:
        return None
    if owner.type == "template_type":
        name_node = owner.child_by_field_name("name")
        name = draft.text_of(name_node) if name_node is not None else ""
        if not draft.is_class_template(name):
            return None
        return draft.program.records.get(draft.canonical(draft.rendered_node(owner)).base)
    name = draft.text_of(owner)
    if draft.owner is not None:
        inner = draft.program.table.seen_type_text(draft.owner, name)
        if inner is not None:
            return draft.program.records.get(draft.canonical(inner).base)
        for record in draft.program.table.seen(draft.owner):
            if record.defined.name == name:
                return record
    defined = draft.program.find_type(name, draft.scope)
    if defined is not None and defined.template is None and name not in draft.binding.names:
        draft.program.require_type(defined, ())
    return draft.program.records.get(draft.canonical(name).base)


def _innermost_scope(node: Node) -> Node | None:
    found: Node | None = None
    while node.type == "qualified_identifier":
        scope, inner = node.child_by_field_name("scope"), node.child_by_field_name("name")
        found = scope if scope is not None else found
        if inner is None:
            break
        node = inner
    return found


def member_of(record: Record, name: str, draft: Draft) -> str | None:
    """The text of a class's constant, enumerator or type; None where it has none."""
    table = draft.program.table
    for inside in (record, *table.all_bases(record)):  # a member hides those of the bases
        members = table.members(inside.defined)
        if name in inside.defined.constants:
            return draft.program.require_constant(inside, name)
        if name in members.enumerators:
            return draft.program.require_enumerators(inside, name)
        if name in members.types:
            return table.member_type_text(inside, name)
        nested = _nested(inside, name, draft)
        if nested is not None:
            return nested
        if name in members.fields or name in members.functions:
            return None
    return None


def _nested(record: Record, name: str, draft: Draft) -> str | None:
    """The text of a type inside a class, or of a constant of an enumeration inside it."""
    program, outer = draft.program, record.defined.node
    for one in (name, *sorted(program.symbols.written.get(name, ()))):
        known = program.symbols.types.get(one, ())
        constant = program.symbols.constants.get(one)
        for inner in (*known, *([] if constant is None else [constant])):
            if outer.start_byte < inner.node.start_byte < outer.end_byte:
                made = program.require_type(inner, ())
                return made if one == inner.name else one
    return None


def function_object(node: Node, draft: Draft) -> str | None:
    """The simplified name of a library's function object: `cg::plus<float>`; None for others."""
    name = library_name(scopes_of(node, draft), last_name(node), draft)
    return name if name is not None and name.startswith("functor__") else None


def qualified(node: Node, draft: Draft) -> None:
    """`std::min` → `min`; an enumerator or constant of a type keeps the type's name in its own."""
    scopes = scopes_of(node, draft)
    last = last_name(node)
    name = draft.text_of(last)
    known = library_name(scopes, last, draft)
    if known is not None:
        draft.skip(node.start_byte, node.end_byte, known)
        return
    value = chosen_type(node, last, draft) or trait_value(node, scopes, last, draft)
    if value is not None:
        draft.skip(node.start_byte, node.end_byte, value)
        return
    record = scope_record(node, draft)
    if record is not None:
        text = member_of(record, name, draft)
        if text is None:
            raise draft.lose(node, f"the member '{' '.join(draft.text_of(node).split())}'")
        draft.skip(node.start_byte, node.end_byte, text)
        return
    if any("<" in scope for scope in scopes):
        raise draft.lose(node, f"'{' '.join(draft.text_of(node).split())}'")
    if scopes:
        owner = draft.program.find_type(draft.resolved_type(scopes[-1]), draft.scope)
        if owner is not None:
            if name not in owner.constants:
                raise draft.lose(node, f"the member '{scopes[-1]}::{name}'")
            draft.program.require_type(owner, ())
            plain = owner.kind is TypeKind.ENUM
            draft.skip(node.start_byte, node.end_byte, name if plain else f"{owner.name}__{name}")
            return
        if scopes[-1] in draft.binding.names:
            raise draft.lose(node, f"the member '{scopes[-1]}::{name}'")
        if draft.program.libraries.prefix(scopes) in {"cg", "wmma"}:
            raise draft.lose(node, f"'{' '.join(draft.text_of(node).split())}'")
    draft.delete(node.start_byte, last.start_byte)
    inner = node.child_by_field_name("name")
    while inner is not None and inner.type == "qualified_identifier":
        draft.done.add(inner.id)
        inner = inner.child_by_field_name("name")


def qualified_once(node: Node, draft: Draft) -> None:
    """Names nested in a qualified name were dealt with there."""
    if node.id not in draft.done:
        qualified(node, draft)


def dependent(node: Node, draft: Draft) -> None:
    """`typename T::type` → the type that it is."""
    inner = next((one for one in node.named_children if one.type == "qualified_identifier"), None)
    if inner is not None and library_name(scopes_of(inner, draft), last_name(inner), draft):
        draft.replace(node.start_byte, inner.start_byte, "")
        return
    if inner is not None and chosen_type(inner, last_name(inner), draft) is not None:
        draft.replace(node.start_byte, inner.start_byte, "")
        return
    if inner is None or scope_record(inner, draft) is None:
        raise draft.lose(node, "a type that depends on a template parameter")
    draft.skip(node.start_byte, inner.start_byte)
