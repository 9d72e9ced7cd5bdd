"""What a call means: a function, a method, or an object with an `operator()`."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from estimator.simplify import lookup
from estimator.simplify.classes import CALL, Callee, Record
from estimator.simplify.overloads import Chosen, choose, fits
from estimator.simplify.packs import argument_list
from estimator.simplify.resultof import is_object
from estimator.simplify.scopes import last_name, scope_record, scopes_of
from estimator.simplify.symbols import Function, FunctionKind, Role
from estimator.simplify.templates import template_arguments
from estimator.simplify.typeof import result_of_object, type_of
from estimator.simplify.viable import takes_explicit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.inference import CType

_CALLED = frozenset(
    {
        "call_expression",
        "lambda_expression",
        "parenthesized_expression",
        "compound_literal_expression",
        "subscript_expression",
        "pointer_expression",
    }
)


class CallForm(Enum):
    """Where a call has its object."""

    FREE = "f(x)"
    METHOD = "v.f(x)"
    OWN = "f(x), of this object"
    STATIC = "S::f(x)"
    OBJECT = "v(x)"


def resolve_call(node: Node, draft: Draft) -> tuple[Chosen, CallForm] | None:
    """The user's function that a call means, and the call's form; None if there is none.

    Raises LostError where overloads cannot be told apart.
    """
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None:
        return None
    if function.type == "field_expression":
        return _method(node, function, arguments, draft)
    if function.type in _CALLED:
        return _object(node, function, arguments, draft)
    last = last_name(function)
    name_node = last.child_by_field_name("name") if last.type == "template_function" else last
    if name_node is None or name_node.type not in {"identifier", "type_identifier"}:
        return None
    name = draft.text_of(name_node)
    if function.type == "identifier" and draft.local(name, node.start_byte) is not None:
        return _object(node, function, arguments, draft)
    explicit = _explicit(last, draft)
    if function.type == "qualified_identifier":
        record = scope_record(function, draft)
        if record is not None:
            return _static(node, record, name, arguments, explicit, draft)
    name = draft.binding.names.get(name, name)
    if function.type != "qualified_identifier" and draft.owner is not None:
        own = _own(node, name, arguments, explicit, draft)
        if own is not None:
            return own
        if draft.this is not None and draft.program.table.field_type(draft.this, name) is not None:
            return _object(node, function, arguments, draft)
        for outer in draft.program.table.around(draft.owner):
            found = draft.program.table.functions(outer, name)
            if found:
                return _among(found, node, arguments, explicit, draft, CallForm.STATIC)
    if draft.captures and name in draft.captures:
        return _object(node, function, arguments, draft)
    return _free(node, function, name, arguments, explicit, draft)


def _explicit(last: Node, draft: Draft) -> list[str] | None:
    """The explicit template arguments behind a name; None where it stands without `<…>`."""
    is_listed = last.type in {"template_function", "template_method"}
    return explicit_arguments(last, draft) if is_listed else None


def explicit_arguments(last: Node, draft: Draft) -> list[str]:
    """The explicit template arguments behind a name, simplified; packs written out."""
    if last.type not in {"template_function", "template_method"}:
        return []
    listed = last.child_by_field_name("arguments")
    return [] if listed is None else template_arguments(listed, draft)


def _written_for(found: list[Callee], explicit: list[str] | None, draft: Draft) -> list[Callee]:
    """The functions that `f<…>(x)` can mean: templates only; any where `f` stands alone."""
    if explicit is None:
        return found
    return [one for one in found if takes_explicit(one.function, explicit, draft)]


def _free(
    node: Node,
    function: Node,
    name: str,
    arguments: Node,
    explicit: list[str] | None,
    draft: Draft,
) -> tuple[Chosen, CallForm] | None:
    program = draft.program
    nodes, _ = argument_list(arguments, draft, typed=False)
    scopes = scopes_of(function, draft)
    found = [Callee(one) for one in lookup.candidates(program.symbols, name, scopes, draft)]
    types = None
    elsewhere = lookup.elsewhere(program.symbols, name, found, draft)
    if not scopes and ("friend" in program.symbols.operators or elsewhere):
        _, types = argument_list(arguments, draft, typed=True)
        found.extend(_with_arguments(name, types, elsewhere, draft))
    found = _written_for(found, explicit, draft)
    if not found:
        return None
    count = len(nodes)
    fitting = [one for one in found if fits(one, count)]
    if not fitting:
        if any(one.function.kind is not FunctionKind.HOST for one in found):
            raise draft.lose(node, f"the call of '{name}' with {count} arguments")
        return None
    if not scopes and all(lookup.is_added_to_builtin(one.function) for one in fitting):
        _, types = argument_list(arguments, draft, typed=True)
        if not any(one is not None and is_object(one, draft) for one in types):
            return None  # CUDA's own is meant
    needs_types = len(fitting) > 1 or fitting[0].function.template is not None
    if types is None:
        _, types = argument_list(arguments, draft, typed=needs_types)
    chosen = choose(fitting, nodes, types, draft, node, explicit or ())
    if chosen is None and any(one.function.kind is not FunctionKind.HOST for one in found):
        raise draft.lose(node, f"the overloaded function '{name}'")
    return (chosen, CallForm.FREE) if chosen is not None else None


def _with_arguments(
    name: str, types: Sequence[CType | None], elsewhere: Sequence[Function], draft: Draft
) -> list[Callee]:
    """The functions that belong to the arguments' types: friends, and those of their namespaces."""
    program = draft.program
    found: list[Callee] = []
    namespaces: set[str] = set()
    for base in dict.fromkeys(one.base for one in types if one is not None):
        defined = program.bindings.get(base) or program.records.get(base)
        if defined is not None:
            namespaces.add(defined.defined.scope)
        record = program.records.get(base)
        if record is not None:
            found.extend(program.table.friends(record, name))
            namespaces.update(one.defined.scope for one in program.table.all_bases(record))
    return [*found, *(Callee(one) for one in elsewhere if one.scope in namespaces)]


def _method(
    node: Node, function: Node, arguments: Node, draft: Draft
) -> tuple[Chosen, CallForm] | None:
    inner, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
    if inner is None or field is None:
        return None
    given = type_of(inner, draft)
    record = draft.program.records.get(given.base) if given is not None else None
    if record is None or given is None:
        return None
    name_node = field
    if field.type == "template_method":
        name_node = field.child_by_field_name("name") or field
    elif field.type == "dependent_name" and field.named_children:
        field = field.named_children[-1]
        name_node = field.child_by_field_name("name") or field
    elif field.type == "qualified_field_identifier":
        return None
    name = draft.text_of(name_node)
    explicit = _explicit(field, draft)
    found = draft.program.table.functions(record, name)
    if not found and draft.program.table.field_type(record, name) is not None:
        return _object(node, function, arguments, draft)
    return _among(found, node, arguments, explicit, draft, CallForm.METHOD, is_const=given.is_const)


def _among(
    found: list[Callee],
    node: Node,
    arguments: Node,
    explicit: list[str] | None,
    draft: Draft,
    form: CallForm,
    *,
    is_const: bool = False,
) -> tuple[Chosen, CallForm] | None:
    found = _written_for(found, explicit, draft)
    if not found:
        return None
    nodes, types = argument_list(arguments, draft, typed=True)
    if is_const:
        found = [one for one in found if one.function.is_const] or found
    chosen = choose(found, nodes, types, draft, node, explicit or ())
    if chosen is None:
        raise draft.lose(node, f"the call of '{found[0].function.name}' with these arguments")
    if chosen.callee.function.role is Role.STATIC:
        form = CallForm.STATIC if form is not CallForm.METHOD else form
    return chosen, form


def _object(
    node: Node, function: Node, arguments: Node, draft: Draft
) -> tuple[Chosen, CallForm] | None:
    found = result_of_object(function, draft)
    if found is None:
        return None
    methods = draft.program.table.functions(draft.program.records[found.base], CALL)
    return _among(methods, node, arguments, None, draft, CallForm.OBJECT, is_const=found.is_const)


def _own(
    node: Node, name: str, arguments: Node, explicit: list[str] | None, draft: Draft
) -> tuple[Chosen, CallForm] | None:
    """A method that another one of its class calls by its name."""
    assert draft.owner is not None
    found = draft.program.table.functions(draft.owner, name, draft.this)
    return _among(found, node, arguments, explicit, draft, CallForm.OWN, is_const=draft.this_const)


def _static(
    node: Node, record: Record, name: str, arguments: Node, explicit: list[str] | None, draft: Draft
) -> tuple[Chosen, CallForm] | None:
    """`S::f(x)`: a static function, or a base's method on this object."""
    this = draft.this
    is_base = this is not None and record in (this, *draft.program.table.all_bases(this))
    found = draft.program.table.functions(record, name, this if is_base else None)
    form = CallForm.OWN if is_base else CallForm.STATIC
    is_const = is_base and draft.this_const
    return _among(found, node, arguments, explicit, draft, form, is_const=is_const)
