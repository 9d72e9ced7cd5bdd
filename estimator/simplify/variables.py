"""Declarations: CUDA's memory spaces, references, initialisers in C++ forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.casts import is_braced, refuse_constructor
from estimator.simplify.declarators import (
    base_type_text,
    declarators_of,
    declared_name,
    function_declarator,
    layers,
    reference_layer,
)
from estimator.simplify.inference import declared_type
from estimator.simplify.names import SCALAR_TYPES

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
    type_text = base_type_text(draft.tree, node)
    memory_space(node, declarators[0], draft)
    if any(function_declarator(declarator) is not None for declarator in declarators):
        _constructed(node, declarators, type_text, draft)
        return
    references = [reference_layer(declarator) for declarator in declarators]
    for declarator, reference in zip(declarators, references, strict=True):
        _declarator(node, declarator, type_text, draft)
        if reference is not None:
            sign = reference.children[0]
            draft.delete_token(sign)
    if any(references):
        _split(node, declarators, references, draft)


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
    if declarator.type == "structured_binding_declarator" or any(
        layer.type == "structured_binding_declarator" for layer in layers(declarator)
    ):
        raise draft.lose(declarator, "a structured binding")
    name = declared_name(declarator)
    if name is not None:
        draft.locals[draft.text_of(name)] = declared_type(draft.tree, node, declarator)
        for layer in layers(declarator):
            size = layer.child_by_field_name("size")
            if size is not None:
                draft.array_sizes[draft.text_of(name)] = size
    plain = declarator
    if declarator.type == "init_declarator":
        plain = declarator.child_by_field_name("declarator") or declarator
        _initialiser(declarator, plain, type_text, draft)
    elif plain.type == "identifier":
        _default_constructed(plain, type_text, draft)
    if type_text == "auto" and plain.type == "pointer_declarator":
        draft.delete_token(plain.children[0])  # C infers the whole type or nothing


def _default_constructed(name: Node, type_text: str, draft: Draft) -> None:
    defined = draft.program.find_type(draft.resolved_type(type_text), draft.scope)
    for constructor in defined.constructors if defined is not None else ():
        body = constructor.child_by_field_name("body")
        busy = body is not None and body.named_child_count > 0
        declarator = function_declarator(constructor)
        listed = declarator.child_by_field_name("parameters") if declarator is not None else None
        if busy and listed is not None and not listed.named_child_count:
            raise draft.lose(name, f"the constructor of '{type_text}'")


def _initialiser(declarator: Node, plain: Node, type_text: str, draft: Draft) -> None:
    value = declarator.child_by_field_name("value")
    if value is None:
        return
    if value.type == "argument_list":
        _parenthesised(plain.end_byte, value.start_byte, value, type_text, draft)
    elif value.type == "initializer_list":
        assigned = any(child.type == "=" for child in declarator.children)
        is_scalar = plain.type in {"identifier", "pointer_declarator"} and not (
            draft.is_aggregate(type_text)
        )
        count = len(value.named_children)
        if type_text not in SCALAR_TYPES:
            refuse_constructor(type_text, plain, draft)
        if is_scalar and count <= 1:
            open_, close = value.start_byte, value.end_byte - 1
            draft.replace(plain.end_byte, open_ + 1, " = " if count else " = 0")
            draft.delete(close, close + 1)
        elif not assigned:
            draft.replace(plain.end_byte, value.start_byte, " = ")


def _parenthesised(start: int, opened: int, value: Node, type_text: str, draft: Draft) -> None:
    """`dim3 block(16, 16)` → `dim3 block = {16, 16}`, `int n(4)` → `int n = 4`."""
    count = len(value.named_children)
    close = value.end_byte - 1
    if is_braced(type_text, count, value, draft):
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
        if listed is None or name is None:
            continue
        if not listed.named_children or any(_declares(child, draft) for child in listed.children):
            draft.skip(node.start_byte, node.end_byte, ";")  # it does declare a function
            return
        draft.locals[draft.text_of(name)] = declared_type(draft.tree, node, name)
        draft.done.update(child.id for child in listed.named_children)
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
    if node.id in draft.done:
        return
    declarator = node.child_by_field_name("declarator")
    name = declared_name(node)
    if name is not None:
        draft.locals[draft.text_of(name)] = declared_type(draft.tree, node, declarator)
    reference = reference_layer(declarator)
    if reference is not None:
        draft.before(node.start_byte, REFERENCE)
        draft.delete_token(reference.children[0])
        for child in reference.children:
            if child.type == "type_qualifier":
                draft.delete_token(child)
    default = node.child_by_field_name("default_value")
    if default is not None and declarator is not None:
        draft.skip(declarator.end_byte, node.end_byte)
