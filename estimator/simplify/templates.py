"""Names with template arguments outside calls: types, and functions passed along."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.constants import constant_in, is_enumerator
from estimator.simplify.decltypes import argument_type
from estimator.simplify.library import library_type
from estimator.simplify.names import CXX_CASTS
from estimator.simplify.packs import expansions
from estimator.simplify.sequences import written_out
from estimator.simplify.traits import chosen_type
from estimator.simplify.typeshapes import descriptor_shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_WORD = re.compile(r"[A-Za-z_]\w*")
_TYPES = frozenset({"type_descriptor"})


def template_function(node: Node, draft: Draft) -> None:
    """`max<int>` → `max`; the parser also reads `i < n && j > (m)` so, which is left alone."""
    name_node = node.child_by_field_name("name")
    listed = node.child_by_field_name("arguments")
    if node.id in draft.done or name_node is None or listed is None:
        return
    name = draft.text_of(name_node)
    if name in CXX_CASTS:
        return
    if name == "dynamic_cast":
        raise draft.lose(node, "'dynamic_cast'")
    if name in draft.program.symbols.functions:
        raise draft.lose(node, f"the use of the template '{name}' outside a call")
    if draft.is_class_template(name):
        template_type(node, draft)  # `Vec<float>(x)` is read as the call of a function
        return
    arguments = listed.named_children
    if arguments and all(_is_type(argument, draft) for argument in arguments):
        draft.skip(name_node.end_byte, node.end_byte)


def _is_type(node: Node, draft: Draft) -> bool:
    if node.type not in _TYPES:
        return False
    specifier = node.child_by_field_name("type")
    return specifier is not None and (
        specifier.type in {"primitive_type", "sized_type_specifier"}
        or draft.is_type(draft.text_of(specifier))
    )


def template_type(node: Node, draft: Draft) -> None:
    """`Vec<float>` → `Vec__float`, for a class template of the file."""
    name_node = node.child_by_field_name("name")
    listed = node.child_by_field_name("arguments")
    if name_node is None or listed is None:
        return
    known = library_type(node, draft) or chosen_type(node, node, draft)
    if known is not None:
        draft.skip(node.start_byte, node.end_byte, known)
        return
    name = draft.text_of(name_node)
    name = draft.binding.names.get(name, name)
    defined = draft.program.find_type(name, draft.scope)
    if defined is None or defined.template is None:
        raise draft.lose(node, f"the type '{' '.join(draft.text_of(node).split())}'")
    arguments = template_arguments(listed, draft)
    defined, arguments = written_out(defined, arguments, node, draft)
    instance = draft.program.require_type_instance(defined, arguments, node, draft)
    draft.skip(node.start_byte, node.end_byte, instance)


def template_arguments(listed: Node, draft: Draft) -> list[str]:
    """Template arguments, simplified; packs written out."""
    found: list[str] = []
    for child in listed.named_children:
        if child.type == "parameter_pack_expansion":
            found.extend(expansions(child, draft))
        elif child.type != "comment":
            found.append(template_argument(child, draft))
    return found


_NAMES_NO_VALUE = frozenset({"number_literal", "true", "false", "primitive_type", "template_type"})


def template_argument(node: Node, draft: Draft) -> str:
    """A template argument without names of its function, which are not seen where the instance
    stands: the value of its constants, the types that its aliases mean."""
    if node.type not in _NAMES_NO_VALUE:
        value = constant_in(draft.text_of(node), draft, node)
        if value is not None:
            return str(value)

    meant_type = argument_type(node, draft)
    if meant_type is not None:
        return meant_type
    template = named_template(draft.text_of(node), draft)
    if template:
        return template

    text = draft.rendered_node(node)
    if node.type == "type_descriptor" and (
        node.child_by_field_name("declarator") is not None
        or any(child.type == "type_qualifier" for child in node.children)
    ):
        found = descriptor_shape(node, draft)
        return text if found is None else found.text

    if "__" in text and not is_enumerator(text, draft):  # perhaps a constant of a class
        value = constant_in(text, draft, node)
        if value is not None:
            return str(value)

    def meant(word: re.Match[str]) -> str:
        found = draft.local_shapes.get(word.group())
        return word.group() if found is None else found.text

    return _WORD.sub(meant, text) if draft.local_shapes else text


def named_template(text: str, draft: Draft) -> str:
    """The class template that a template argument names, for a parameter that stands for one."""
    name = text.rpartition("::")[2].strip()
    is_named = name.isidentifier() and draft.is_class_template(name)
    return draft.binding.names.get(name, name) if is_named else ""
