"""Casts: `static_cast<T>(x)`, `T(x)`, `T{x}`, casts to references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.declarators import reference_layer
from estimator.simplify.inference import CType
from estimator.simplify.passing import convert_by_operator, fill, pass_arguments, plan
from estimator.simplify.scopes import function_object
from estimator.simplify.typeof import cast_target, described, type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def named_cast(node: Node, function: Node, arguments: Node, draft: Draft) -> None:
    """`static_cast<T>(x)` → `((T)(x))`, and to a reference `(*((T *)&(x)))`."""
    listed = function.child_by_field_name("arguments")
    target = next(iter(listed.named_children), None) if listed is not None else None
    if target is None or len(arguments.named_children) != 1:
        raise draft.lose(node, "a cast of this form")
    reference = reference_layer(target.child_by_field_name("declarator"))
    draft.done.add(function.id)
    if reference is None and draft.program.records:
        wanted = described(draft, target)
        if wanted.base in draft.program.records and not wanted.depth:
            made_of(node, wanted, arguments, draft)
            return
        given = type_of(arguments.named_children[0], draft)
        if given is not None and given.base in draft.program.records and not given.depth:
            convert_by_operator(arguments.named_children[0], given, wanted, draft)
    if reference is None:
        draft.replace(function.start_byte, target.start_byte, "((")
        draft.replace(target.end_byte, arguments.start_byte + 1, ")(")
        draft.replace(arguments.end_byte - 1, arguments.end_byte, "))")
        return
    draft.replace(function.start_byte, target.start_byte, "(*((")
    space = "" if draft.tree.text[reference.start_byte - 1] == " " else " "
    draft.replace(reference.start_byte, arguments.start_byte + 1, f"{space}*)&(")
    draft.replace(arguments.end_byte - 1, arguments.end_byte, ")))")


def reference_cast(node: Node, draft: Draft) -> None:
    """`(float4 &)x` → `(*(float4 *)&(x))`."""
    target = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if target is None or value is None:
        return
    reference = reference_layer(target.child_by_field_name("declarator"))
    if reference is None:
        return
    draft.before(node.start_byte, "(*")
    space = "" if draft.tree.text[reference.start_byte - 1] == " " else " "
    draft.replace(reference.start_byte, reference.end_byte, f"{space}*")
    draft.before(value.start_byte, "&(")
    draft.after(node.end_byte, "))")


def functional_cast(node: Node, function: Node, arguments: Node, draft: Draft) -> None:
    """`T(x)` → `((T)(x))`, `dim3(x, y)` → `(dim3){x, y}`, `V(x, y)` → `V__new(x, y)`."""
    nodes = arguments.named_children
    wanted = cast_target(function, draft)
    if wanted is not None and not wanted.depth:
        if wanted.base in draft.program.records:
            made_of(node, wanted, arguments, draft)
            return
        if len(nodes) == 1 and draft.program.records:
            given = type_of(nodes[0], draft)
            if given is not None and given.base in draft.program.records and not given.depth:
                convert_by_operator(nodes[0], given, wanted, draft)
    type_text = draft.text_of(function)
    count = len(nodes)
    last = arguments.end_byte - 1
    if is_braced(type_text, count, draft):
        _guard(node, draft)
        draft.before(function.start_byte, "(")
        draft.replace(function.end_byte, arguments.start_byte + 1, "){")
        draft.replace(last, last + 1, "}")
        return
    if count > 1:
        raise draft.lose(function, f"the constructor of '{type_text}'")
    draft.before(function.start_byte, "((")
    draft.replace(function.end_byte, arguments.start_byte + 1, ")(")
    draft.replace(last, last + 1, "))" if count else "0))")


def made_of(node: Node, wanted: CType, arguments: Node, draft: Draft) -> None:
    """An object of a class, made of arguments in parentheses or braces."""
    nodes = arguments.named_children
    start, opened, closed = node.start_byte, arguments.start_byte, arguments.end_byte - 1
    made = plan(wanted, nodes, draft, node)
    if made.is_copy:
        draft.replace(start, opened + 1, "(")
        draft.skip(start, opened + 1, "(")
        return
    if made.chosen is not None:
        tail = ", ".join(made.added)
        draft.skip(start, opened + 1, f"{made.function}(")
        draft.replace(closed, closed + 1, (", " if nodes and tail else "") + tail + ")")
        pass_arguments(made.chosen, nodes, draft)
        return
    if made.function:
        draft.skip(start, opened + 1, f"{made.function}(")
        draft.replace(closed, closed + 1, ")")
        return
    _guard(node, draft)
    draft.skip(start, opened + 1, f"({wanted.base}){{")
    tail = (", " if nodes and made.defaults else "") + made.defaults
    draft.replace(closed, closed + 1, f"{tail}}}")


def cast(node: Node, draft: Draft) -> None:
    """`(V)x` and `(float)v`, where a user's function converts; casts to references."""
    target = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if target is None or value is None:
        return
    if reference_layer(target.child_by_field_name("declarator")) is not None:
        reference_cast(node, draft)
        return
    if not draft.program.records:
        return
    wanted, given = described(draft, target), type_of(value, draft)
    if wanted.depth or given is None or given.depth:
        return
    if wanted.base in draft.program.records:
        made = plan(wanted, [value], draft, node)
        if made.chosen is not None:
            draft.skip(node.start_byte, value.start_byte, f"{made.function}(")
            draft.after(node.end_byte, "".join(f", {text}" for text in made.added) + ")")
    elif given.base in draft.program.records:
        convert_by_operator(value, given, wanted, draft)


def compound_literal(node: Node, draft: Draft) -> None:
    """`float4{a, b}` → `(float4){a, b}`, `float{x}` → `((float)(x))`."""
    specifier = node.child_by_field_name("type")
    value = node.child_by_field_name("value")
    if specifier is None or value is None:
        return
    if draft.text_of(node).startswith("("):
        _guard(node, draft)
        return
    functor = function_object(specifier, draft)
    if functor is not None:
        draft.skip(node.start_byte, node.end_byte, functor)
        return
    wanted = described(draft, specifier)
    count = len(value.named_children)
    if wanted.base in draft.program.records and not wanted.depth:
        made = plan(wanted, value.named_children, draft, node)
        if made.chosen is not None or made.is_copy:
            made_of(node, wanted, value, draft)
            return
        _guard(node, draft)
        draft.skip(node.start_byte, value.start_byte, f"({wanted.base})")
        fill(value, wanted, made, draft)
        return
    if count > 1 or draft.is_aggregate(draft.text_of(specifier)):
        _guard(node, draft)
        draft.before(specifier.start_byte, "(")
        draft.replace(specifier.end_byte, value.start_byte, ")")
        return
    draft.before(specifier.start_byte, "((")
    draft.replace(specifier.end_byte, value.start_byte + 1, ")(")
    draft.replace(value.end_byte - 1, value.end_byte, "))" if count else "0))")


def _guard(node: Node, draft: Draft) -> None:
    """Parentheses around a compound literal whose member or element is asked for: C has no need
    of them, pycparser 3.11 has."""
    parent = node.parent
    if parent is None or parent.type not in {"field_expression", "subscript_expression"}:
        return
    outer = parent.parent
    is_method = outer is not None and outer.child_by_field_name("function") == parent
    if parent.children[0] == node and not is_method:
        draft.before(node.start_byte, "(")
        draft.after(node.end_byte, ")")


def is_braced(type_text: str, count: int, draft: Draft) -> bool:
    """Whether `type(…)` with so many arguments lists members; otherwise it converts or copies."""
    if not draft.is_aggregate(type_text):
        return False
    return count != 1 or draft.resolved_type(type_text) in {"dim3", "uint3"}
