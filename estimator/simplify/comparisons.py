"""`i < Fa<4>::v`, which the parser reads as the member `v` of a class `i<(Fa < 4)>`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.templates import template_argument

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def comparison(node: Node, draft: Draft) -> bool:
    """Write the member of the class template behind the first `<`; False for other nodes."""
    from estimator.simplify.scopes import member_of

    scope, last = node.child_by_field_name("scope"), node.child_by_field_name("name")
    if scope is None or last is None or scope.type != "template_type":
        return False
    left, listed = scope.child_by_field_name("name"), scope.child_by_field_name("arguments")
    if left is None or listed is None or not listed.named_children:
        return False
    first, *rest = listed.named_children
    name, value = first.child_by_field_name("left"), first.child_by_field_name("right")
    operator = first.child_by_field_name("operator")
    if first.type != "binary_expression" or name is None or value is None or operator is None:
        return False
    is_read_wrong = operator.type == "<" and draft.is_class_template(draft.text_of(name))
    if not is_read_wrong or draft.is_type(draft.text_of(left)) or last.type != "identifier":
        return False
    program = draft.program
    defined = program.find_type(draft.text_of(name), draft.scope)
    if defined is None:
        return False
    arguments = [template_argument(one, draft) for one in (value, *rest)]
    made = program.require_type_instance(defined, arguments, node, draft)
    record = program.records.get(made)
    text = member_of(record, draft.text_of(last), draft) if record is not None else None
    if text is None:
        raise draft.lose(node, f"'{' '.join(draft.text_of(node).split())}'")
    draft.done.add(scope.id)
    draft.skip(first.start_byte, node.end_byte, text)
    return True
