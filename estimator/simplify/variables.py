"""Declarations: CUDA's memory spaces, references, initialisers in C++ forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify import packs
from estimator.simplify.arrays import array_of, default_constructed, fill_up
from estimator.simplify.casts import is_braced
from estimator.simplify.declarators import (
    base_type_text,
    declarators_of,
    declared_name,
    function_declarator,
    layers,
    reference_layer,
)
from estimator.simplify.inference import CType
from estimator.simplify.library_declarations import library_declaration
from estimator.simplify.names import SCALAR_TYPES
from estimator.simplify.passing import (
    convert,
    fill,
    is_trivial,
    pass_arguments,
    plan,
)
from estimator.simplify.ranges import binding
from estimator.simplify.standard import deduced_declaration
from estimator.simplify.typeof import declared, type_of
from estimator.simplify.unnamed import name_parameter, type_end

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_SPACES = {
    "__shared__": "shared",
    "__constant__": "constant",
    "__device__": "device",
    "__managed__": "device",
}
REFERENCE = "[[cuda::reference]] "


def declaration(node: Node, draft: Draft) -> None:
    """A variable's declaration, inside or outside a function."""
    declarators = declarators_of(node)
    if not declarators:
        return
    if library_declaration(node, declarators, draft):
        return
    if deduced_declaration(node, declarators, draft):
        return
    type_text = base_type_text(draft.tree, node)
    memory_space(node, declarators[0], draft)
    if any(function_declarator(declarator) is not None for declarator in declarators):
        _constructed(node, declarators, type_text, draft)
        return
    bound = [one for one in declarators if is_binding(one)]
    if bound:
        binding(node, bound[0], draft)
        return
    references = [reference_layer(declarator) for declarator in declarators]
    for declarator, reference in zip(declarators, references, strict=True):
        _declarator(node, declarator, type_text, draft)
        if reference is not None:
            sign = reference.children[0]
            draft.delete_token(sign)
    if any(references):
        _split(node, declarators, references, draft)


def is_binding(declarator: Node) -> bool:
    """Whether a declarator is `[a, b]`."""
    kind = "structured_binding_declarator"
    inner = [one for child in declarator.children for one in (child, *child.children)]
    return any(one.type == kind for one in (declarator, *inner))


def memory_space(node: Node, first: Node, draft: Draft) -> None:
    """`__shared__ float s[4]` → `[[cuda::shared]] float s[4]`."""
    spaces: list[str] = []
    for child in node.children:
        if child.start_byte >= first.start_byte:
            break
        space = _SPACES.get(draft.text_of(child))
        if space is not None:
            spaces.append(space)
            draft.delete_token(child)
    if spaces:
        narrow = [space for space in spaces if space != "device"] or spaces
        draft.before(node.start_byte, f"[[cuda::{narrow[0]}]] ")


def _declarator(node: Node, declarator: Node, type_text: str, draft: Draft) -> None:
    name = declared_name(declarator)
    found = declared(draft, node, declarator)
    if name is not None:
        if found.base == "auto":
            found = inferred(found, declarator, draft)
        if any(layer.type == "function_declarator" for layer in layers(declarator)):
            found = CType("()", depth=1)
        draft.declare(name, found)
        for layer in layers(declarator):
            size = layer.child_by_field_name("size")
            if size is not None:
                draft.array_sizes[draft.text_of(name)] = size
        shape = [
            size
            for layer in layers(declarator)
            if layer.type == "array_declarator"
            and (size := layer.child_by_field_name("size")) is not None
        ]
        note_shape(draft.text_of(name), shape[::-1], draft)
        value = declarator.child_by_field_name("value")
        is_list = value is not None and value.type == "initializer_list"
        if value is not None and is_list and found.depth == 1 and not shape:
            draft.array_counts[draft.text_of(name)] = len(value.named_children)
    plain = declarator
    if declarator.type == "init_declarator":
        plain = declarator.child_by_field_name("declarator") or declarator
        _initialiser(declarator, plain, type_text, found, draft)
    elif plain.type == "identifier":
        _default_constructed(plain, found, draft)
    elif name is not None and found.base in draft.program.records and _is_made(node, draft):
        array = array_of(found, plain, draft)
        if array is not None:
            default_constructed(node, name, array, plain.end_byte, draft)
    if type_text == "auto" and plain.type == "pointer_declarator":
        draft.delete_token(plain.children[0])  # C infers the whole type or nothing


def note_shape(name: str, shape: list[Node], draft: Draft) -> None:
    """Keep an array's extents, unless another variable of its name has others."""
    texts = [draft.text_of(one) for one in shape]
    if draft.shapes_seen.setdefault(name, texts) != texts:
        for known in (draft.array_shapes, draft.array_counts, draft.array_sizes):
            known.pop(name, None)
    elif shape:
        draft.array_shapes[name] = shape


def inferred(found: CType, declarator: Node, draft: Draft) -> CType:
    """The type of a variable that is declared `auto`."""
    value = declarator.child_by_field_name("value")
    while value is not None and value.type in {"argument_list", "initializer_list"}:
        value = value.named_children[0] if value.named_children else None
    given = type_of(value, draft) if value is not None and draft.program.is_typed else None
    if given is None:
        return found
    is_kept = given.depth > 0 or reference_layer(declarator) is not None
    return CType(given.base, (given.is_const and is_kept) or found.is_const, given.depth)


def _is_made(node: Node, draft: Draft) -> bool:
    """Whether a declaration makes its objects: shared memory is not initialised."""
    return draft.kind is not None and not any(
        draft.text_of(child) in _SPACES for child in node.children
    )


def _default_constructed(name: Node, found: CType, draft: Draft) -> None:
    """`V v;` → `V v = V__new();`, where the constructor does something."""
    record = draft.program.records.get(found.base)
    if record is None or found.depth or is_trivial(record, draft):
        return
    if not _is_made(_declaration_of(name), draft):
        return
    made = plan(found, (), draft, name)
    if made.function:
        draft.after(name.end_byte, f" = {made.function}({', '.join(made.added)})")
    elif made.defaults:
        draft.after(name.end_byte, f" = {{{made.defaults}}}")


def _declaration_of(name: Node) -> Node:
    node = name
    while node.parent is not None and node.type != "declaration":
        node = node.parent
    return node


def _initialiser(declarator: Node, plain: Node, type_text: str, found: CType, draft: Draft) -> None:
    value = declarator.child_by_field_name("value")
    if value is None:
        return
    is_object = found.base in draft.program.records and not found.depth
    if value.type == "argument_list":
        if is_object:
            _made(plain.end_byte, value, found, draft)
        else:
            _parenthesised(plain.end_byte, value.start_byte, value, type_text, draft)
            if value.named_child_count == 1:
                convert(value.named_children[0], found, draft)
    elif value.type == "initializer_list":
        assigned = any(child.type == "=" for child in declarator.children)
        is_scalar = plain.type in {"identifier", "pointer_declarator"} and not (
            draft.is_aggregate(type_text)
        )
        count = len(value.named_children)
        if is_object and type_text not in SCALAR_TYPES:
            _made(plain.end_byte, value, found, draft)
        elif is_scalar and count <= 1:
            open_, close = value.start_byte, value.end_byte - 1
            draft.replace(plain.end_byte, open_ + 1, " = " if count else " = 0")
            draft.delete(close, close + 1)
        else:
            if not assigned:
                draft.replace(plain.end_byte, value.start_byte, " = ")
            _elements(value, plain, found, draft)
    else:
        is_reference = reference_layer(declarator) is not None
        convert(value, found, draft, copies=not is_reference)


def _elements(value: Node, plain: Node, found: CType, draft: Draft) -> None:
    """The elements of an array of objects."""
    array = array_of(found, plain, draft)
    if array is not None and array.element.base in draft.program.records:
        fill_up(value, array, draft)


def _made(start: int, value: Node, found: CType, draft: Draft) -> None:
    """`V v(a, b)`, `V v{a, b}`, `V v = {a, b}`."""
    nodes = value.named_children
    opened, closed = value.start_byte, value.end_byte - 1
    made = plan(found, nodes, draft, value)
    if made.chosen is not None:
        tail = (", " if nodes and made.added else "") + ", ".join(made.added)
        draft.replace(start, opened + 1, f" = {made.function}(")
        draft.replace(closed, closed + 1, f"{tail})")
        pass_arguments(made.chosen, nodes, draft)
    elif made.function:
        draft.replace(start, opened + 1, f" = {made.function}(")
        draft.replace(closed, closed + 1, ")")
    elif made.is_copy or (len(nodes) == 1 and value.type == "argument_list"):
        draft.replace(start, opened + 1, " = ")
        draft.delete(closed, closed + 1)
    else:
        if draft.tree.text[start:opened].strip(" \n\t") != "=":
            draft.replace(start, opened, " = ")
        if value.type == "argument_list":
            draft.replace(opened, opened + 1, "{")
            draft.replace(closed, closed + 1, "}")
        fill(value, found, made, draft)


def _parenthesised(start: int, opened: int, value: Node, type_text: str, draft: Draft) -> None:
    """`dim3 block(16, 16)` → `dim3 block = {16, 16}`, `int n(4)` → `int n = 4`."""
    count = len(value.named_children)
    close = value.end_byte - 1
    if is_braced(type_text, count, draft):
        draft.replace(start, opened + 1, " = {")
        draft.replace(close, close + 1, "}")
        return
    if count != 1:
        raise draft.lose(value, f"the constructor of '{type_text}'")
    draft.replace(start, opened + 1, " = ")
    draft.delete(close, close + 1)


def _constructed(node: Node, declarators: list[Node], type_text: str, draft: Draft) -> None:
    """`dim3 grid(n, m);`, which C++ grammars read as a function's declaration."""
    if draft.kind is None:
        return
    for declarator in declarators:
        function = function_declarator(declarator)
        if function is None:
            _declarator(node, declarator, type_text, draft)
            continue
        listed = function.child_by_field_name("parameters")
        name = function.child_by_field_name("declarator")
        if listed is None or name is None or name.type == "parenthesized_declarator":
            _declarator(node, declarator, type_text, draft)
            continue
        if not listed.named_children or any(_declares(child, draft) for child in listed.children):
            draft.skip(node.start_byte, node.end_byte, ";")  # it does declare a function
            return
        found = declared(draft, node, name)
        draft.declare(name, found)
        draft.done.update(child.id for child in listed.named_children)
        if found.base in draft.program.records and not found.depth:
            _made(name.end_byte, listed, found, draft)
            continue
        _parenthesised(name.end_byte, listed.start_byte, listed, type_text, draft)


def _declares(child: Node, draft: Draft) -> bool:
    if not child.is_named:
        return False
    specifier = child.child_by_field_name("type")
    return specifier is not None and (
        specifier.type != "type_identifier" or draft.is_type(draft.text_of(specifier))
    )


def _split(
    node: Node, declarators: list[Node], references: list[Node | None], draft: Draft
) -> None:
    """`int &a = x, b = 3;` → two declarations, as the attribute belongs to the whole of one."""
    if references[0] is not None:
        draft.before(node.start_byte, REFERENCE)
    if len(declarators) == 1:
        return
    if not draft.text_of(node).endswith(";"):
        raise draft.lose(node, "a reference among several declarators")
    specifiers = draft.rendered(node.start_byte, declarators[0].start_byte).rstrip()
    specifiers = specifiers.removeprefix(REFERENCE.rstrip()).lstrip()
    for left, right, reference in zip(declarators, declarators[1:], references[1:], strict=False):
        mark = REFERENCE if reference is not None else ""
        draft.replace(left.end_byte, right.start_byte, f"; {mark}{specifiers} ")


def parameter(node: Node, draft: Draft) -> None:
    """`float &x` → `[[cuda::reference]] float x`, in a list of parameters."""
    declarator = node.child_by_field_name("declarator")
    if any(layer.type == "variadic_declarator" for layer in layers(declarator)):
        packs.parameters(node, draft)
        return
    name = declared_name(node)
    if name is not None:
        found = declared(draft, node, declarator)
        if any(layer.type == "function_declarator" for layer in layers(declarator)):
            found = CType("()", depth=1)
        if found.base == "auto":
            found = draft.auto_types.get(draft.text_of(name), found)
        draft.declare(name, found)
    else:
        name_parameter(node, draft)
    reference = reference_layer(declarator)
    if reference is not None:
        draft.before(node.start_byte, REFERENCE)
        draft.delete_token(reference.children[0])
        for child in reference.children:
            if child.type == "type_qualifier":
                draft.delete_token(child)
    default = node.child_by_field_name("default_value")
    if default is not None:
        end = declarator.end_byte if declarator is not None else type_end(node)
        if reference is not None and name is None:
            end = draft.past_space(end)  # deleted with the reference's token
        draft.skip(end, node.end_byte)
