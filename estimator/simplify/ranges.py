"""Range-based `for`, structured bindings and `this`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.copies import is_temporary, refuse_copy
from estimator.simplify.declarators import declared_name, is_const, layers, reference_layer
from estimator.simplify.inference import CType
from estimator.simplify.membernames import member_text
from estimator.simplify.names import AGGREGATE_TYPES
from estimator.simplify.standard import element_type, length, members
from estimator.simplify.typeof import described, type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def range_for(node: Node, draft: Draft) -> None:
    """`for (float v : a) …` → `for (int i__ = 0; i__ < 4; i__++) { float v = a[i__]; … }`."""
    right, body = node.child_by_field_name("right"), node.child_by_field_name("body")
    declarator, specifier = node.child_by_field_name("declarator"), node.child_by_field_name("type")
    if right is None or body is None or declarator is None or specifier is None:
        return
    name = declared_name(declarator)
    if name is None or node.child_by_field_name("initializer") is not None:
        raise draft.lose(node, "a range-based 'for' of this form")
    index = _unused(f"i__{draft.text_of(name)}", draft)
    before, after = "", ""
    given = described(draft, specifier)
    if right.type == "initializer_list":
        nodes = right.named_children
        first = type_of(nodes[0], draft) if nodes else None
        element = first if given.base == "auto" else given
        if element is None or element.depth or not nodes:
            raise draft.lose(right, "a range-based 'for' over this list")
        array, length = _unused(f"list__{draft.text_of(name)}", draft), str(len(nodes))
        values = draft.rendered_node(right)
        before, after = f"{{ const {element.base} {array}[{length}] = {values}; ", " }"
    else:
        array, length, element = _sequence(node, right, draft)
    is_reference = reference_layer(declarator) is not None
    if given.base == "auto":
        is_const_ = given.is_const or (element.is_const and (is_reference or element.depth > 0))
        found = CType(element.base, is_const_, element.depth)
    else:
        found = given
    draft.declare(name, found)
    if not is_reference:
        refuse_copy(found, node, draft)
    const = "const " if is_const(draft.tree, node) else ""
    type_text = "auto" if given.base == "auto" else draft.rendered_node(specifier)
    stars = (
        ""
        if given.base == "auto"
        else "*" * sum(layer.type == "pointer_declarator" for layer in layers(declarator))
    )
    mark = "[[cuda::reference]] " if is_reference else ""
    head = f"for (int {index} = 0; {index} < {length}; {index}++) {{ "
    value = f"{mark}{const}{type_text} {stars}{draft.text_of(name)} = {array}[{index}]; "
    draft.skip(node.start_byte, body.start_byte, before + head + value)
    draft.after(node.end_byte, " }" + after)


def _unused(name: str, draft: Draft) -> str:
    """A name for a variable, longer where the user's text has it."""
    while name in draft.tree.parsed:
        name += "_"
    return name


def _sequence(node: Node, right: Node, draft: Draft) -> tuple[str, str, CType]:
    """The text of an array, its length, and the type of its elements."""
    found = type_of(right, draft)
    element = element_type(found, draft)
    if element is not None:
        return f"{draft.rendered_node(right)}.held", length(found, draft), element
    member = _member_array(right, found, draft)
    if member is not None:
        return member
    if right.type == "identifier" and found is not None and found.depth:
        name = draft.text_of(right)
        shape = draft.array_shapes.get(name)
        if shape is not None and found.depth == len(shape):
            text = draft.rendered_node(shape[0])
            return (
                draft.rendered_node(right),
                text,
                CType(found.base, found.is_const, found.depth - 1),
            )
        count = draft.array_counts.get(name)
        if count is not None:
            element = CType(found.base, found.is_const, found.depth - 1)
            return draft.rendered_node(right), str(count), element
    raise draft.lose(node, "a range-based 'for' over this")


def _member_array(right: Node, found: CType | None, draft: Draft) -> tuple[str, str, CType] | None:
    """The same of an array that is a member, `p.v` or `v` in a method."""
    record, name = draft.this, right
    if right.type == "field_expression":
        inner = right.child_by_field_name("argument")
        given = type_of(inner, draft) if inner is not None else None
        record = draft.program.records.get(given.base) if given is not None else None
        name = right.child_by_field_name("field") or right
    elif right.type != "identifier" or draft.local(draft.text_of(right), right.start_byte):
        return None
    fields = draft.program.table.fields(record) if record is not None else {}
    if found is None or draft.text_of(name) not in fields:
        return None
    field, inside = fields[draft.text_of(name)]
    sizes = [one.child_by_field_name("size") for one in layers(field.declarator)]
    kinds = [one.type for one in layers(field.declarator)]
    if "pointer_declarator" in kinds or kinds[0] != "array_declarator" or len(kinds) != 2:
        return None
    size = sizes[0]
    if size is None:
        return None
    length = draft.program.table.draft(inside).rendered_node(size)
    element = CType(found.base, found.is_const, found.depth - 1)
    return draft.rendered_node(right), length, element


def binding(node: Node, declarator: Node, draft: Draft) -> None:
    """`auto [a, b] = v;` → `auto v__1 = v; [[cuda::reference]] auto a = v__1.x, …`."""
    value = declarator.child_by_field_name("value")
    bound = next((one for one in _below(declarator) if one.type == _BINDING), None)
    if bound is None or value is None:
        raise draft.lose(declarator, "a structured binding")
    names = [child for child in bound.named_children if child.type == "identifier"]
    if value.type in {"argument_list", "initializer_list"} and value.named_child_count == 1:
        value = value.named_children[0]
    found = type_of(value, draft)
    members = members_of(found, len(names), value, draft)
    if found is None or members is None:
        raise draft.lose(bound, "a structured binding of a value of unknown type")
    text = draft.rendered_node(value)
    is_reference = any(
        one.type in {"reference_declarator"} for one in (declarator, *declarator.children)
    )
    if not is_reference and not is_temporary(value, draft):
        refuse_copy(found, declarator, draft)
    first = _unused(f"bound__{draft.text_of(names[0])}", draft)
    mark = "[[cuda::reference]] " if is_reference or found.depth else ""
    parts = [f"{mark}auto {first} = {text};"]
    for name, (member, ctype) in zip(names, members, strict=True):
        parts.append(f"[[cuda::reference]] auto {draft.text_of(name)} = {first}{member};")
        draft.declare(name, ctype)
    draft.skip(node.start_byte, node.end_byte, " ".join(parts))


_BINDING = "structured_binding_declarator"


def _below(node: Node) -> list[Node]:
    found = [node]
    for one in found:
        if one.type != _BINDING:
            found.extend(child for child in one.children if "declarator" in child.type)
    return found


def members_of(
    found: CType | None, count: int, value: Node, draft: Draft
) -> list[tuple[str, CType]] | None:
    """The `count` members of a value, as a structured binding names them, with their types."""
    if found is None:
        return None
    if found.depth:
        shape = draft.array_shapes.get(draft.text_of(value))
        if shape is None:
            return None
        element = CType(found.base, found.is_const, found.depth - 1)
        return [(f"[{index}]", element) for index in range(count)]
    elements = members(found, count, draft)
    if elements is not None:
        return elements
    record = draft.program.records.get(found.base)
    if record is not None:
        fields = draft.program.table.fields(record)
        if len(fields) != count:
            return None
        types = [draft.program.table.field_type(record, name) or CType("auto") for name in fields]
        return [(f".{name}", ctype) for name, ctype in zip(fields, types, strict=True)]
    if found.base in AGGREGATE_TYPES and found.base[-1] == str(count):
        base = found.base.rstrip("0123456789")
        return [(f".{axis}", CType(base)) for axis in "xyzw"[:count]]
    return None


def this(node: Node, draft: Draft) -> None:
    """`this->x` → `self.x`, `*this` → `self`, `this` → `(&self)`."""
    if draft.this is None:
        raise draft.lose(node, "'this'")
    above = node.parent
    if above is not None and above.type == "field_expression":
        field = above.child_by_field_name("field")
        if field is not None:
            constant = None
            if draft.text_of(field) not in draft.program.table.fields(draft.this):
                constant = member_text(draft.program, draft.text_of(field), draft)
            if constant is not None:
                draft.skip(node.start_byte, field.end_byte, constant)
                return
            draft.skip(node.start_byte, field.start_byte, f"{draft.self_text}.")
            return
    if above is not None and above.type == "pointer_expression" and above.children[0].type == "*":
        draft.skip(above.start_byte, above.end_byte, draft.self_text)
        return
    draft.skip(node.start_byte, node.end_byte, f"(&{draft.self_text})")
