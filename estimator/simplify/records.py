"""Types: structs with their fields only, enumerations, aliases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.collectives import note_alias
from estimator.simplify.declarators import (
    declared_name,
    function_declarator,
    reference_layer,
)
from estimator.simplify.declare import is_static
from estimator.simplify.draft import LostError
from estimator.simplify.inheriting import inherited_members
from estimator.simplify.placement import Placement
from estimator.simplify.specialisations import start_of
from estimator.simplify.symbols import TypeKind
from estimator.simplify.typeof import declared
from estimator.simplify.typeshapes import alias_shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def record(node: Node, draft: Draft) -> None:
    """`struct S { … };` → `typedef struct S { … } S;`, for a type inside a function."""
    body = node.child_by_field_name("body")
    name = node.child_by_field_name("name")
    if body is None:
        return
    if node.id in draft.done:
        return  # its item's name and typedef are written already
    if name is not None and draft.tree.parsed[draft.past_space(node.end_byte)] == ";":
        name_type(node, draft.text_of(name), draft)
    define_record(node, body, draft, draft.text_of(name) if name is not None else "")


def name_type(node: Node, name: str, draft: Draft) -> None:
    """Make the name alone a type; an enumeration's is the type that it says it is stored as."""
    base = node.child_by_field_name("base")
    if base is not None:
        draft.after(node.end_byte, f"; typedef {draft.rendered_node(base)} {name}")
        return
    draft.before(node.start_byte, "typedef ")
    draft.after(node.end_byte, f" {name}")


def define_record(node: Node, body: Node, draft: Draft, name: str) -> None:
    """Keep the fields of a struct, class or union."""
    record = draft.owner
    if record is not None and record.defined.node.id == node.id:
        virtual = draft.program.table.members(record.defined).has_virtual
        if virtual is not None:  # its objects hold a pointer to a table of functions
            raise draft.lose(virtual, "a virtual function")
        destructor = draft.program.table.members(record.defined).destructor
        if destructor is not None:
            raise draft.lose(destructor, "a destructor that does something")
    placement = Placement(node, body, draft)
    for child in node.children:
        if child.type == "base_class_clause":
            _inherit(node, child, body, draft, placement)
        if child.type == "virtual_specifier":
            draft.delete_token(child)
    tag = node.child_by_field_name("name")
    for child in body.named_children:
        _member(child, draft, tag, name, placement)


def _inherit(node: Node, clause: Node, body: Node, draft: Draft, placement: Placement) -> None:
    """The fields of the bases stand in front of the class's own."""
    record = draft.owner
    if record is None or record.defined.node.id != node.id:
        raise draft.lose(clause, "inheritance")
    start = clause.start_byte
    while draft.tree.text[start - 1].isspace():
        start -= 1
    draft.skip(start, clause.end_byte)
    table = draft.program.table
    for inside in (record, *table.all_bases(record)):
        virtual = table.members(inside.defined).has_virtual
        if virtual is not None:
            raise draft.lose(virtual, "a virtual function")
    count = len(table.members(record.defined).fields)
    count += sum(len(table.members(one.defined).fields) for one in table.all_bases(record))
    if count != len(table.fields(record)):
        raise draft.lose(clause, "a member that hides one of a base")
    text = inherited_members(record, clause, placement, draft)
    draft.replace(body.start_byte, body.start_byte + 1, "{" + text)


def _member(child: Node, draft: Draft, tag: Node | None, name: str, placement: Placement) -> None:
    if child.type != "field_declaration":
        _drop_member(child, draft)
        return
    if function_declarator(child) is not None or is_static(draft.tree, child):
        _drop_member(child, draft)
        return
    specifier = child.child_by_field_name("type")
    if specifier is not None and specifier.child_by_field_name("body") is not None:
        if not child.children_by_field_name("declarator"):
            named = specifier.child_by_field_name("name") is not None
            if named and draft.owner is not None and draft.owner.defined.template is not None:
                raise draft.lose(specifier, "a type inside a type")
            if named or specifier.type == "enum_specifier":
                _drop_member(child, draft)  # it is an item of its own
                return
        draft.done.add(specifier.id)
        inner = specifier.child_by_field_name("body")
        if inner is not None and specifier.type != "enum_specifier":
            define_record(specifier, inner, draft, "")
    elif specifier is not None and tag is not None and _is_itself(specifier, tag, name, draft):
        draft.skip(specifier.start_byte, specifier.end_byte, f"struct {name}")
    elif specifier is not None and (later := _later_record(child, specifier, draft)) is not None:
        draft.skip(specifier.start_byte, specifier.end_byte, f"struct {later}")
    for declarator in child.children_by_field_name("declarator"):
        reference = reference_layer(declarator)
        if reference is not None:
            raise draft.lose(reference, "a reference as a member")
    placement.place(child, draft)
    _drop_default(child, draft)


def _drop_default(child: Node, draft: Draft) -> None:
    """`float x = 0;` → `float x;`: what members start with is not followed."""
    for index, part in enumerate(child.children):
        if child.field_name_for_child(index) == "default_value":
            start = child.children[index - 1]
            begin = start.start_byte if start.type == "=" else part.start_byte
            while draft.tree.text[begin - 1].isspace():
                begin -= 1
            draft.skip(begin, part.end_byte)


def _is_itself(specifier: Node, tag: Node, name: str, draft: Draft) -> bool:
    """Whether a member's type is the structure itself, `Link<T>` in an instance of Link too."""
    if specifier.type == "template_type":
        own = specifier.child_by_field_name("name")
        same = own is not None and draft.text_of(own) == draft.text_of(tag)
        return same and draft.inner(draft.binding).rendered_node(specifier) == name
    return draft.text_of(specifier) == draft.text_of(tag)


def _later_record(child: Node, specifier: Node, draft: Draft) -> str | None:
    """The simplified name of a structure that is only declared so far, of which a member is a
    pointer: `struct A; struct B { A *a; };`."""
    owner = draft.owner
    if specifier.type != "type_identifier" or owner is None:
        return None
    found = draft.program.find_type(draft.text_of(specifier), draft.scope)
    if found is None or found.kind is not TypeKind.RECORD or found.template is not None:
        return None
    if start_of(found) <= start_of(owner.defined):
        return None
    declarators = child.children_by_field_name("declarator")
    if any(one.type != "pointer_declarator" for one in declarators):
        return None
    return draft.program.require_type(found, ())


def _drop_member(child: Node, draft: Draft) -> None:
    """Leave out a member with its line, if it has the line for itself."""
    text = draft.tree.text
    start, end = child.start_byte, child.end_byte
    while end < len(text) and text[end] in " \t;:":
        end += 1
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip() and text[end : end + 1] == "\n":
        start, end = line, end + 1
    draft.skip(start, end)


def enumeration(node: Node, draft: Draft) -> None:
    """`enum class E : int { A }` → `typedef enum E { E__A } E`, inside a function."""
    body = node.child_by_field_name("body")
    name = node.child_by_field_name("name")
    if body is None or node.id in draft.done:
        return
    if name is not None and draft.tree.parsed[draft.past_space(node.end_byte)] == ";":
        name_type(node, draft.text_of(name), draft)
    define_enumeration(node, draft)


def define_enumeration(node: Node, draft: Draft) -> None:
    """Drop `class` and the type it is stored as; a scoped enumeration's constants get its name."""
    scoped = False
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    base = node.child_by_field_name("base")
    for child in node.children:
        if child.type in {"class", "struct"}:
            scoped = True
            draft.skip(child.start_byte, draft.past_space(child.end_byte))
    if base is not None and body is not None:
        colon = draft.tree.parsed.rfind(":", node.start_byte, base.start_byte)
        while draft.tree.text[colon - 1].isspace():
            colon -= 1
        draft.skip(colon, base.end_byte)
    if scoped and name is not None and body is not None:
        for child in body.named_children:
            constant = child.child_by_field_name("name")
            if constant is not None:
                draft.before(constant.start_byte, f"{draft.text_of(name)}__")


def alias(node: Node, draft: Draft) -> None:
    """`using T = float;` → `typedef float T;`."""
    if node.id in draft.done:
        return
    name = node.child_by_field_name("name")
    if name is not None:
        target = node.child_by_field_name("type")
        note_alias(draft.text_of(name), target, draft)
        if target is not None:
            _note_type(name, target, target.child_by_field_name("declarator"), draft)
            _note_shape(name, node, draft)
    define_alias(node, draft, None)


def local_typedef(node: Node, draft: Draft) -> None:
    """`typedef cub::BlockReduce<float, 256> Reduce;`: which class of a library `Reduce` is."""
    declarator = node.child_by_field_name("declarator")
    name = declared_name(declarator)
    if name is not None:
        note_alias(draft.text_of(name), node.child_by_field_name("type"), draft)
        if declarator is not None and declarator.type in {"type_identifier", "pointer_declarator"}:
            _note_type(name, node, declarator, draft)
        _note_shape(name, node, draft)


def _note_type(name: Node, node: Node, declarator: Node | None, draft: Draft) -> None:
    """Remember the type that a local alias stands for: `real(x)` is a cast."""
    try:
        found = declared(draft, node, declarator)
    except LostError:
        return  # the alias itself is lost where it is written
    if found.base not in {"", "auto"}:
        draft.local_types[draft.text_of(name)] = found


def _note_shape(name: Node, node: Node, draft: Draft) -> None:
    """Remember the type of an alias with its references, arrays and constant pointers."""
    try:
        found = alias_shape(node, draft)
    except LostError:
        return
    if found is not None:
        draft.local_shapes[draft.text_of(name)] = found


def define_alias(node: Node, draft: Draft, name: str | None) -> None:
    """Write an alias as a typedef, under its own or the given name."""
    name_node = node.child_by_field_name("name")
    target = node.child_by_field_name("type")
    if name_node is None or target is None:
        return
    declarator = target.child_by_field_name("declarator")
    own = name or draft.text_of(name_node)
    if declarator is not None and declarator.type not in {"abstract_pointer_declarator"}:
        found = alias_shape(node, draft)
        if found is None:
            raise draft.lose(declarator, "an alias of this type")
        draft.skip(node.start_byte, target.end_byte, f"typedef {found.declaring(own)}")
        return
    draft.skip(node.start_byte, target.start_byte, "typedef ")
    draft.after(target.end_byte, f" {own}")
