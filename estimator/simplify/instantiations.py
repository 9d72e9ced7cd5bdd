"""Explicit instantiations, `template __global__ void k<float, 4>(const float *, int);`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import declared_parameter, function_declarator
from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.inference import CType
from estimator.simplify.resolve import explicit_arguments

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.program import Program


def instantiated(node: Node, program: Program) -> tuple[str, list[str], list[CType]] | None:
    """The function's name, its explicit arguments, and the types of its parameters.

    None for what instantiates no function, or names what cannot be read.
    """
    declarator = function_declarator(node)
    name_node = declarator.child_by_field_name("declarator") if declarator is not None else None
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    if name_node is None or listed is None:
        return None
    explicit: list[str] = []
    while name_node.type == "qualified_identifier":
        inner = name_node.child_by_field_name("name")
        if inner is None:
            return None
        name_node = inner
    if name_node.type == "template_function":
        try:
            explicit = explicit_arguments(name_node, Draft(program, Binding(), "", None))
        except LostError:
            return None
        name_node = name_node.child_by_field_name("name") or name_node
    parameters = [
        declared_parameter(program.tree, child)
        for child in listed.named_children
        if child.type == "parameter_declaration"
    ]
    types = [CType(one.base, one.is_const, one.depth) for one in parameters]
    return program.tree.text_of(name_node), explicit, types
