"""Which type a text means where it stands: aliases followed, and every type spelled once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.constants import constant_in
from estimator.simplify.declarators import declared_name
from estimator.simplify.draft import Binding, Draft
from estimator.simplify.symbols import TypeKind
from estimator.simplify.typetext import Layer, Shape, over, replaced, shape

if TYPE_CHECKING:
    from collections.abc import Collection

    from tree_sitter import Node

    from estimator.simplify.inference import CType

_DEEPEST = 16
SPECIFIER = "specifier__"  # stands for the type that a descriptor's own name means


def shape_of(text: str, draft: Draft, holes: Collection[str] = (), deep: int = 0) -> Shape | None:
    """The type that simplified text means in a draft; None where that cannot be read.

    The names in `holes` stay as they are.
    """
    found = shape(text)
    if found is None or deep > _DEEPEST:
        return found

    def meant(name: str) -> Shape | None:
        return None if name in holes else _named(name, draft, holes, deep)

    return replaced(found, meant)


def descriptor_shape(node: Node, draft: Draft, holes: Collection[str] = ()) -> Shape | None:
    """The type that `const T *[N]` names: qualifiers and layers apply to what T stands for."""
    specifier = node.child_by_field_name("type")
    if node.type != "type_descriptor" or specifier is None:
        return shape_of(draft.rendered_node(node), draft, holes)
    own = shape_of(draft.rendered_node(specifier), draft, holes)
    if own is None:
        return None
    return outer_shape(node, own, draft, holes)


def outer_shape(node: Node, own: Shape, draft: Draft, holes: Collection[str]) -> Shape | None:
    """The type of a descriptor or declaration, its specifier being of type `own`."""
    found = pattern_shape(node, draft)
    if found is None:
        return None

    def meant(name: str) -> Shape | None:
        if name == SPECIFIER:
            return own
        return None if name in holes else _named(name, draft, holes, 0)

    return replaced(found, meant)


def pattern_shape(node: Node, draft: Draft) -> Shape | None:
    """A descriptor's or declaration's type as it is written, its specifier called SPECIFIER."""
    qualifiers = [draft.text_of(one) for one in node.children if one.type == "type_qualifier"]
    declarator = node.child_by_field_name("declarator")
    parts = [*qualifiers, SPECIFIER]
    if declarator is not None:
        parts.append(_without_name(declarator, draft))
    return shape(" ".join(parts))


def _without_name(declarator: Node, draft: Draft) -> str:
    """A declarator without the name that it declares; the lengths of arrays are numbers."""
    name = None if declarator.type.startswith("abstract_") else declared_name(declarator)
    text = draft.text_of(declarator)
    start = declarator.start_byte
    edits: list[tuple[int, int, str]] = []
    if name is not None:
        edits.append((name.start_byte, name.end_byte, ""))
    stack = [declarator]
    while stack:
        one = stack.pop()
        size = one.child_by_field_name("size")
        if size is not None:
            value = constant_in(draft.rendered_node(size), draft, size)
            if value is not None:
                edits.append((size.start_byte, size.end_byte, str(value)))
        stack.extend(child for child in one.named_children if "declarator" in child.type)
    for begin, end, replacement in sorted(edits, reverse=True):
        text = text[: begin - start] + replacement + text[end - start :]
    return text


def _named(name: str, draft: Draft, holes: Collection[str], deep: int) -> Shape | None:
    """The type that one name means; None where it is its own."""
    from estimator.simplify.synonyms import plain_name

    local = draft.local_shapes.get(name)
    if local is not None:
        return local
    known = draft.local_types.get(name)
    if known is not None:
        return of_ctype(known)
    bound = draft.binding.names.get(name)
    if bound is not None and bound != name:
        outside = Draft(draft.program, Binding(), draft.scope, None)
        return shape_of(bound, outside, holes, deep + 1)
    table = draft.program.table
    if draft.owner is not None and name.isidentifier():
        text = table.seen_type_text(draft.owner, name)
        if text is not None and text != name:
            return shape_of(text, table.draft(draft.owner), holes, deep + 1)
    found = _alias(name, draft, holes)
    if found is not None:
        return found
    plain = plain_name(name)
    return Shape(plain) if plain != name else None


def _alias(name: str, draft: Draft, holes: Collection[str]) -> Shape | None:
    program = draft.program
    record = program.bindings.get(name)
    if record is not None:
        defined, binding = record.defined, record.binding
    else:
        found = program.find_type(name, draft.scope)
        if found is None or found.template is not None:
            return None
        defined, binding = found, Binding()
    if defined.kind is TypeKind.RECORD and record is None:
        return Shape(program.require_type(defined, ()))
    specifier = defined.node.child_by_field_name("type")
    if defined.kind is not TypeKind.ALIAS or specifier is None:
        return None
    if specifier.child_by_field_name("body") is not None:
        return None  # `typedef enum { … } E;`
    inside = Draft(program, binding, defined.scope, None)
    return alias_shape(defined.node, inside, holes)


def alias_shape(node: Node, draft: Draft, holes: Collection[str] = ()) -> Shape | None:
    """The type that an alias or a typedef stands for."""
    target = node.child_by_field_name("type")
    if target is None:
        return None
    if node.type == "alias_declaration":
        return descriptor_shape(target, draft, holes)
    own = shape_of(draft.rendered_node(target), draft, holes)
    return outer_shape(node, own, draft, holes) if own is not None else None


def of_ctype(found: CType) -> Shape:
    """A type with pointers only."""
    made = (shape(found.base) or Shape(found.base)).qualified(is_const=found.is_const)
    for _ in range(found.depth):
        made = over(Layer.POINTER, made)
    return made
