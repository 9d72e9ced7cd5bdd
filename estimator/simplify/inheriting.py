"""Where the members of base classes lie, as C++ compilers place them (Itanium C++ ABI, 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.classes import CONSTRUCTOR
from estimator.simplify.placement import Placement

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import FieldOf, Record
    from estimator.simplify.draft import Draft

_HIDDEN = frozenset({"private", "protected"})


def inherited_members(record: Record, clause: Node, outer: Placement, draft: Draft) -> str:
    """The members of a class's bases. Those of a plain structure lie in one without a name, as
    nothing is put behind its last member; those of another class lie in front of the class's own.
    """
    _refuse_equal_addresses(record, clause, draft)
    table = draft.program.table
    texts: list[str] = []
    for base in table.bases(record):
        inside = inherited_members(base, clause, outer, draft) if table.bases(base) else ""
        placement = _placement(base, table.draft(base))
        fields = list(table.members(base.defined).fields.values())
        if _has_unnamed(base, draft):
            raise draft.lose(clause, "a base with members without a name")
        listed = [_field(one, base, placement, outer, draft) for one in fields]
        uniform = len({_type(one, draft) for one in fields}) < 2 and not inside
        uniform = uniform and not any("_Alignas" in text for text in listed)
        if uniform or not listed:
            texts.append(inside + "".join(listed))
        elif _is_plain(base, draft):
            texts.append(f" struct {{{''.join(listed)} }};")
        elif "".join(texts):
            raise draft.lose(clause, "a second base with members of several types")
        else:
            texts.append(inside + "".join(listed))
    return "".join(texts)


def _field(
    one: FieldOf, inside: Record, placement: Placement, outer: Placement, draft: Draft
) -> str:
    inner = draft.program.table.draft(inside)
    first = one.node.children_by_field_name("declarator")[0].start_byte
    specifier = inner.rendered(one.node.start_byte, first).strip()
    own = placement.words(one.node, [one.declarator], inner)
    words = f" {outer.take()}{own}{' '.join(specifier.split())}"
    behind = one.declarator.next_named_sibling
    is_bits = behind is not None and behind.type == "bitfield_clause"
    bits = f" {inner.rendered_node(behind)}" if behind is not None and is_bits else ""
    return f"{words} {inner.rendered_node(one.declarator)}{bits};"


def _type(one: FieldOf, draft: Draft) -> str:
    """What must be equal for members to leave no gap between them or behind them."""
    first = one.node.children_by_field_name("declarator")[0].start_byte
    behind = one.declarator.next_named_sibling
    bits = draft.text_of(one.node) if behind is not None and "bitfield" in behind.type else ""
    pointer = "*" if one.declarator.type == "pointer_declarator" else ""
    return draft.tree.text[one.node.start_byte : first].strip() + pointer + bits


def _is_plain(base: Record, draft: Draft) -> bool:
    """Whether a class is what the ABI calls a POD: nothing is put into its padding."""
    table = draft.program.table
    members = table.members(base.defined)
    own = members.functions.get(CONSTRUCTOR, ())
    if table.bases(base) or any(one.has_body or "default" not in _end(one, draft) for one in own):
        return False
    if members.functions.get("operator=") or _hides(base, draft):
        return False
    if any(one.default is not None for one in members.fields.values()):
        return False
    for name in members.fields:
        found = table.field_type(base, name)
        other = draft.program.records.get(found.base) if found is not None else None
        is_array = members.fields[name].declarator.type == "array_declarator"
        is_held = found is not None and (not found.depth or is_array)
        if other is not None and is_held and not _is_plain(other, draft):
            return False
    return True


def _end(one: object, draft: Draft) -> str:
    node = one.node  # type: ignore[attr-defined]
    return draft.text_of(node)[-12:]


def _hides(base: Record, draft: Draft) -> bool:
    """Whether members of a class are private or protected."""
    node = base.defined.node
    node = node.child_by_field_name("type") or node if node.type == "type_definition" else node
    body = node.child_by_field_name("body")
    access = "private" if node.type == "class_specifier" else "public"
    for child in body.named_children if body is not None else ():
        if child.type == "access_specifier":
            access = draft.text_of(child).strip(": ")
        elif child.type == "field_declaration" and access in _HIDDEN:
            names = {draft.text_of(one) for one in child.children_by_field_name("declarator")}
            if names:
                return True
    return False


def _has_unnamed(base: Record, draft: Draft) -> bool:
    """Whether a class has members that only their place says: unions and bits without a name."""
    body = base.defined.node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type != "field_declaration" or child.children_by_field_name("declarator"):
            continue
        specifier = child.child_by_field_name("type")
        named = specifier.child_by_field_name("name") if specifier is not None else None
        has_body = specifier is not None and specifier.child_by_field_name("body") is not None
        is_enum = specifier is not None and specifier.type == "enum_specifier"
        if not is_enum and not (has_body and named is not None):
            return True
    return False


def _refuse_equal_addresses(record: Record, clause: Node, draft: Draft) -> None:
    """Two objects of one empty class do not lie at one address: a base is moved, or a member."""
    table = draft.program.table
    bases = table.all_bases(record)
    names = [one.name for one in bases if not table.fields(one)]
    first = next(iter(table.members(record.defined).fields), None)
    found = table.field_type(record, first) if first is not None else None
    held = draft.program.records.get(found.base) if found is not None else None
    inner = {held.name, *(one.name for one in table.all_bases(held))} if held is not None else set()
    if len(set(names)) < len(names) or not inner.isdisjoint(names):
        raise draft.lose(clause, "an empty base whose class the first member or another base has")


def _placement(record: Record, draft: Draft) -> Placement:
    node = record.defined.node
    body = node.child_by_field_name("body")
    return Placement(node, body or node, draft)
