"""Statements that C does not have in C++'s form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify import operators
from estimator.simplify.copies import is_temporary, refuse_copy, returned_as_it_is
from estimator.simplify.declarators import declared_name
from estimator.simplify.draft import Returns
from estimator.simplify.fold import fold
from estimator.simplify.inference import CType
from estimator.simplify.passing import braces, convert
from estimator.simplify.standard import tied
from estimator.simplify.typeof import declared, type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.copies import is_temporary, refuse_copy, returned_as_it_is
from estimator.simplify.draft import Draft


def if_statement(node: Node, draft: Draft) -> None:
    """`if constexpr (c)` → `if (c)`, its dead branch empty; `if (init; c)` → a block."""
    condition = node.child_by_field_name("condition")
    if condition is None:
        return
    for child in node.children:
        if child.type == "constexpr":
            draft.delete_token(child)
            _drop_dead_branch(node, condition, draft)
    value = condition.child_by_field_name("value")
    if value is not None and value.type == "declaration":
        _declared_condition(node, condition, value, draft)
        return
    initialiser = condition.child_by_field_name("initializer")
    if initialiser is not None and value is not None:
        draft.replace(node.start_byte, initialiser.start_byte, "{ ")
        draft.replace(initialiser.end_byte, value.start_byte, " if (")
        draft.after(node.end_byte, " }")


def _declared_condition(node: Node, condition: Node, value: Node, draft: Draft) -> None:
    """`if (int m = n) …` → `{ int m = n; if (m) … }`."""
    name = declared_name(value.child_by_field_name("declarator"))
    if name is None:
        raise draft.lose(value, "a declaration as a condition")
    initial = value.child_by_field_name("value")
    if initial is None:
        raise draft.lose(value, "a declaration as a condition")
    draft.declare(name, declared(draft, value, value.child_by_field_name("declarator")))
    draft.replace(node.start_byte, value.start_byte, "{ ")
    draft.done.add(value.id)
    draft.replace(value.end_byte, value.end_byte, f"; if ({draft.text_of(name)}")
    draft.after(node.end_byte, " }")


def _drop_dead_branch(node: Node, condition: Node, draft: Draft) -> None:
    """What `if constexpr` discards need not even make sense, so it is left out here."""
    truth = fold(draft.rendered(condition.start_byte, condition.end_byte))
    consequence = node.child_by_field_name("consequence")
    alternative = node.child_by_field_name("alternative")
    if truth is None or consequence is None:
        return
    if not truth:
        draft.skip(consequence.start_byte, consequence.end_byte, "{ }")
    elif alternative is not None:
        draft.skip(consequence.end_byte, alternative.end_byte)


_LVALUES = frozenset(
    {
        "identifier",
        "field_expression",
        "subscript_expression",
        "pointer_expression",
        "call_expression",
        "parenthesized_expression",
        "assignment_expression",
        "update_expression",
        "cast_expression",
    }
)


def return_statement(node: Node, draft: Draft) -> None:
    """`return {a, b};` → `return (float4){a, b};`; a reference's address; an object of its own."""
    values = [child for child in node.named_children if child.type != "comment"]
    if not values:
        if draft.returns is Returns.OBJECT:
            draft.replace(node.start_byte, node.end_byte, "return self;")
        return
    value = values[0]
    if draft.returns is Returns.POINTER:
        if value.type not in _LVALUES:
            raise draft.lose(value, "a reference to this value")
        draft.before(value.start_byte, "&(")
        draft.after(value.end_byte, ")")
        return
    if not draft.return_type:
        if value.type == "initializer_list":
            raise draft.lose(value, "a braced list without a type")
        draft.returned.append(type_of(value, draft))
        if not returned_as_it_is(value, draft) and not is_temporary(value, draft):
            refuse_copy(draft.returned[-1], value, draft)
        return
    if value.type == "initializer_list":
        wanted = draft.canonical(draft.return_type)
        if wanted.base in draft.program.records:
            braces(value, wanted, draft)
        else:
            draft.before(value.start_byte, f"({draft.return_type})")
    elif draft.program.records:
        is_copied = not returned_as_it_is(value, draft)
        convert(value, draft.canonical(draft.return_type), draft, copies=is_copied)


def assignment(node: Node, draft: Draft) -> None:
    """`v = {a, b};` → `v = (float4){a, b};`, and operators of the user's own."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    if _reference_to_array(node, left, draft) or tied(node, left, right, draft):
        return
    if right.type != "initializer_list":
        if draft.program.records or draft.program.symbols.operators:
            operators.assignment(node, draft)
        return
    wanted = type_of(left, draft)
    if wanted is None or wanted.depth:
        raise draft.lose(right, "a braced list without a type")
    if wanted.base in draft.program.records:
        braces(right, wanted, draft)
        return
    draft.before(right.start_byte, f"({wanted.base})")


def _reference_to_array(node: Node, left: Node, draft: Draft) -> bool:
    """`float (&t)[16] = a[0];`, which the parser takes for a call with an index."""
    inner: Node | None = left
    while inner is not None and inner.type == "subscript_expression":
        inner = inner.child_by_field_name("argument")
    if inner is None or inner is left or inner.type != "call_expression":
        return False
    function = inner.child_by_field_name("function")
    arguments = inner.child_by_field_name("arguments")
    if function is None or arguments is None or len(arguments.named_children) != 1:
        return False
    sign = arguments.named_children[0]
    name = sign.child_by_field_name("argument") if sign.type == "pointer_expression" else None
    is_type = function.type == "primitive_type" or draft.is_type(draft.text_of(function))
    if name is None or name.type != "identifier" or not is_type:
        return False
    base = draft.canonical(draft.rendered_node(function))
    depth, at = base.depth, left
    while at.type == "subscript_expression":
        depth, at = depth + 1, at.child_by_field_name("argument") or inner
    draft.declare(name, CType(base.base, base.is_const, depth))
    draft.done.add(inner.id)
    draft.before(node.start_byte, "[[cuda::reference]] ")
    draft.replace(sign.start_byte, name.start_byte, "")
    draft.done.add(sign.id)
    return True


def drop(node: Node, draft: Draft) -> None:
    """A construct that means nothing to the analysis."""
    draft.skip(node.start_byte, node.end_byte)


def drop_token(node: Node, draft: Draft) -> None:
    """An attribute: it goes with the white space behind it."""
    draft.skip(node.start_byte, draft.past_space(node.end_byte))
