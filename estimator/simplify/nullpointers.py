"""Pointers that are null at a launch, as far as straight-line host code says it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.handedon import may_be_set
from estimator.simplify.launchforms import plain
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.frames import Frame
    from estimator.simplify.hostcode import Known

_ZERO = re.compile(r"0[uUlLzZ]*")
_MOST_STEPS = 20


def is_null(node: Node, frame: Frame, steps: int = 0) -> bool:
    """Whether a pointer is null: `nullptr`, `NULL`, `0`, or a variable with such a value.

    A parameter has the value that the call gives it. Unsure ones are not null.
    """
    draft = frame.draft
    node = _inner(draft.tree, node)
    if node.type == "null":
        return True
    if node.type == "number_literal":
        return _ZERO.fullmatch(draft.text_of(node)) is not None
    if node.type == "initializer_list":
        return not node.named_children
    if node.type != "identifier" or steps > _MOST_STEPS:
        return False
    name = draft.text_of(node)
    known = frame.code.variables.get(name)
    if known is None or known.is_changed or may_be_set(name, draft.tree, frame.code):
        return False
    if known.is_parameter:
        given = frame.arguments.get(name)
        if known.events or given is None or not (known.type.depth or "*" in known.type.base):
            return False
        return is_null(*given, steps + 1)
    value = _value(known)
    return value is not None and is_null(value, frame, steps + 1)


def _inner(tree: Tree, node: Node) -> Node:
    """What stands in parentheses, casts, and the braces or parentheses of `p{nullptr}`."""
    while True:
        inner = plain(tree, node)
        if inner.type in {"argument_list", "initializer_list"} and inner.named_child_count == 1:
            inner = inner.named_children[0]
        if inner.id == node.id:
            return node
        node = inner


def _value(known: Known) -> Node | None:
    """The one value that a pointer has from its declaration on; None where that is not sure."""
    is_pointer = known.type.depth or known.type.base == "auto"
    if not is_pointer or len(known.events) != 1 or known.events[0].is_conditional:
        return None
    return known.events[0].value
