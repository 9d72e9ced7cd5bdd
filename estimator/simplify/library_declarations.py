"""Objects of CUDA's C++ libraries: what their declarations become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.collectives import class_named
from estimator.simplify.declarators import declared_name, function_declarator, layers
from estimator.simplify.inference import CType

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def library_declaration(node: Node, declarators: list[Node], draft: Draft) -> bool:
    """Rewrite the declaration of a library's object; False for all other declarations."""
    specifier = node.child_by_field_name("type")
    if specifier is None or draft.kind is None:
        return False
    text = draft.text_of(specifier)
    if "atomic_ref" in text:
        for declarator in declarators:
            _note(declarator, draft)
        return _atomic_reference(node, declarators, draft)
    found = class_named(specifier, draft) if "TempStorage" not in text else None
    if found is None:
        return False
    for declarator in declarators:
        name = declared_name(declarator)
        if name is None:
            for layer in layers(declarator):
                name = layer.child_by_field_name("declarator") or name
        if name is not None:
            draft.collectives[draft.text_of(name)] = found
    draft.skip(node.start_byte, node.end_byte, ";")
    return True


def _note(declarator: Node, draft: Draft) -> None:
    """Remember that a name is that of an atomic object."""
    name = declared_name(declarator)
    function = function_declarator(declarator)
    if name is None and function is not None:
        name = function.child_by_field_name("declarator")
    if name is not None:
        draft.locals[draft.text_of(name)] = CType("atomic_ref")


def _atomic_reference(node: Node, declarators: list[Node], draft: Draft) -> bool:
    """`cuda::atomic_ref<int> a(x[i]);` → `[[cuda::reference]] auto a = x[i];`."""
    if len(declarators) != 1:
        return False
    (declarator,) = declarators
    value = declarator.child_by_field_name("value")
    function = function_declarator(declarator)
    if function is not None:
        value = function.child_by_field_name("parameters")
        name = function.child_by_field_name("declarator")
    else:
        name = declared_name(declarator)
    if name is None or value is None:
        return False
    draft.skip(node.start_byte, name.start_byte, "[[cuda::reference]] auto ")
    if value.type in {"parameter_list", "argument_list", "initializer_list"}:
        inner = draft.rendered(value.start_byte + 1, value.end_byte - 1)
        draft.skip(name.end_byte, declarator.end_byte, f" = {inner.strip()}")
    return True
