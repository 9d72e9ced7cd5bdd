"""`std::enable_if`: which templates take part in the choice of an overload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.fold import fold
from estimator.simplify.launchkeys import deduced

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from estimator.simplify.classes import Callee
    from estimator.simplify.inference import CType

_NAMES = frozenset({"enable_if", "enable_if_t"})


def is_enabled(callee: Callee, types: Sequence[CType | None], draft: Draft) -> bool | None:
    """Whether a template's conditions hold for arguments of these types; None if unknown."""
    function = callee.function
    conditions = list(_conditions(function.node, draft)) if function.template else []
    if not conditions:
        return True
    names: dict[str, str] = {}
    for parameter in function.template or ():
        found = deduced(function, parameter, list(types), draft.resolved_type)
        if found is not None and parameter.name:
            names[parameter.name] = found
    inner = Draft(draft.program, Binding(names), function.scope, function.kind)
    values: list[int | None] = []
    for condition in conditions:
        try:
            text = inner.rendered_node(condition)
        except LostError:
            return None
        values.append(fold(text, {"true": 1, "false": 0}))
    if 0 in values:
        return False
    return None if None in values else True


def _conditions(node: Node, draft: Draft) -> Iterator[Node]:
    """The first arguments of `enable_if` in the header of a template."""
    parent = node.parent
    if parent is None or parent.type != "template_declaration":
        return
    stack = [parent.child_by_field_name("parameters"), node.child_by_field_name("type")]
    while stack:
        one = stack.pop()
        if one is None:
            continue
        name = one.child_by_field_name("name")
        listed = one.child_by_field_name("arguments")
        is_template = one.type in {"template_type", "template_function"}
        if is_template and name is not None and draft.text_of(name) in _NAMES:
            if listed is not None and listed.named_children:
                yield listed.named_children[0]
            continue
        stack.extend(one.named_children)
