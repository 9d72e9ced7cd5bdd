"""Calls: which function is meant, under which name, with which arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.casts import functional_cast, named_cast
from estimator.simplify.draft import LostError, Returns
from estimator.simplify.functions import returns
from estimator.simplify.library_calls import library_call
from estimator.simplify.names import CXX_CASTS
from estimator.simplify.overloads import Chosen
from estimator.simplify.packs import argument_list
from estimator.simplify.passing import added, pass_arguments, require
from estimator.simplify.resolve import CallForm, resolve_call
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.standard import standard_call
from estimator.simplify.symbols import Role
from estimator.simplify.traits import limit_value
from estimator.simplify.typeof import type_of
from estimator.simplify.typeshapes import shape_of
from estimator.simplify.typetext import Layer
from estimator.simplify.unknown_types import is_unknown_type
from estimator.source.codes import UNKNOWN_TYPE

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.inference import CType

_TYPE_NODES = frozenset({"primitive_type", "sized_type_specifier", "type_identifier"})
_TRANSPARENT = frozenset({"move", "forward", "as_const"})
_LVALUES = frozenset({"identifier", "subscript_expression", "field_expression"})
_UNUSED = frozenset({"expression_statement", "for_statement", "comma_expression"})


def call(node: Node, draft: Draft) -> None:
    """A call of any kind: a cast, a constructor, a function, a template, a method."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if function is None or arguments is None or node.id in draft.done:
        return
    if standard_call(node, function, arguments, draft):
        return
    if _is_cast(node, function, arguments, draft):
        return
    found = resolve_call(node, draft)
    if found is not None:
        user_call(node, *found, draft)
        return
    if library_call(node, function, arguments, draft):
        return
    if function.type == "field_expression":
        raise _no_member_function(function, draft)
    for argument in arguments.named_children:
        if argument.type == "initializer_list":
            raise draft.lose(argument, "a braced argument")
    last = last_name(function)
    if last.type in {"template_type", "template_method"}:
        raise draft.lose(last, f"the call of '{_short(last, draft)}'")
    if function.type in {"lambda_expression", "call_expression"}:
        raise draft.lose(function, f"the call of an object, '{_short(function, draft)}',")
    name = draft.text_of(function)
    local = draft.local(name, node.start_byte) if function.type == "identifier" else None
    if local is not None and local.base != FUNCTION and not _is_function(local, draft):
        raise draft.lose(function, f"the call of an object, '{name}',")
    _pass_references(draft.text_of(last), arguments, draft)


def _pass_references(name: str, arguments: Node, draft: Draft) -> None:
    """`f(x)` → `f(&(x))` where `f(int &)` is declared only: it may write to what it is given."""
    given = arguments.named_children
    listed = draft.program.symbols.declared.get(name, ())
    fitting = [parameters for parameters in listed if len(parameters) == len(given)]
    for parameter, argument in zip(next(iter((*fitting, *listed)), ()), given, strict=False):
        if parameter.is_reference and not parameter.is_const and argument.type in _LVALUES:
            draft.before(argument.start_byte, "&(")
            draft.after(argument.end_byte, ")")


FUNCTION = "()"  # the base of a pointer to a function


def _is_function(found: CType, draft: Draft) -> bool:
    """Whether a type is an alias of a function's, or of a pointer to one."""
    meant = shape_of(found.base, draft) if not found.depth else None
    if meant is not None and meant.layer is Layer.POINTER:
        meant = meant.inner
    return meant is not None and meant.layer is Layer.FUNCTION


def _is_cast(node: Node, function: Node, arguments: Node, draft: Draft) -> bool:
    """Casts, constructors, and functions that are known here; True where it was one."""
    if function.type in _TYPE_NODES:
        functional_cast(node, function, arguments, draft)
        return True
    if "numeric_limits" in draft.text_of(function):
        constant = limit_value(function, draft)
        if constant is not None:
            draft.skip(node.start_byte, node.end_byte, constant)
            return True
    last = last_name(function)
    if last.type == "template_function":
        name_node = last.child_by_field_name("name") or last
        if draft.text_of(name_node) in CXX_CASTS:
            named_cast(node, function, arguments, draft)
            return True
        if draft.is_class_template(draft.text_of(name_node)):
            functional_cast(node, function, arguments, draft)
            return True
        name = draft.text_of(name_node)
    elif last.type in {"identifier", "type_identifier"}:
        name = draft.text_of(last)
        if draft.local(name, node.start_byte) is None and draft.is_type(name):
            functional_cast(node, last if function is last else function, arguments, draft)
            return True
        if function.type == "qualified_identifier" and draft.names_type(function):
            functional_cast(node, function, arguments, draft)
            return True
    else:
        return False
    if name in _TRANSPARENT and scopes_of(function, draft)[-1:] == ["std"]:
        # `std::move(x)` is x itself.
        draft.skip(function.start_byte, function.end_byte)
        return True
    return False


def _no_member_function(function: Node, draft: Draft) -> LostError:
    """Why `z.area()` has no meaning: the type of `z` is not known, or has no such function."""
    inner = function.child_by_field_name("argument")
    name = draft.text_of(inner) if inner is not None else ""
    found = draft.local(name, function.start_byte) if name.isidentifier() else None
    if found is None and inner is not None:
        found = type_of(inner, draft)
    shown = _short(function, draft)
    if found is not None and is_unknown_type(found.base, draft):
        message = f"'{found.base}' is not known as a type, and '{shown}' is a function of it"
        return LostError(function.start_byte, message, UNKNOWN_TYPE)
    return draft.lose(function, f"the call of a member function, '{shown}',")


def user_call(node: Node, chosen: Chosen, form: CallForm, draft: Draft) -> None:
    """Name the function as it is simplified, and write out its object and default arguments."""
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    assert function is not None
    assert arguments is not None
    called = chosen.callee.function
    if not called.has_body and called.role is not Role.FREE:  # a free one may be specialised
        shown = f"'{_short(function, draft)}', that has no body"
        raise draft.lose(function, f"the call of a member function, {shown}")
    name = require(chosen, draft)
    nodes, _ = argument_list(arguments, draft, typed=False)
    more = added(chosen, len(nodes), draft)
    opened, closed = arguments.start_byte, arguments.end_byte - 1
    is_static = chosen.callee.function.role is Role.STATIC
    has_more = bool(nodes)
    address = returns_address(chosen, draft)
    prefix = "(*" if address and not is_unused(node) else ""
    if form is CallForm.FREE or form is CallForm.STATIC or (form is CallForm.METHOD and is_static):
        last = last_name(function) if form is not CallForm.METHOD else function
        draft.done.add(last.id)
        if form is CallForm.FREE:
            if name != draft.text_of(last):
                draft.skip(last.start_byte, last.end_byte, name)
            if prefix:
                draft.before(node.start_byte, prefix)
        else:
            draft.skip(function.start_byte, function.end_byte, prefix + name)
    elif form is CallForm.OWN:
        draft.skip(function.start_byte, function.end_byte, prefix + name)
        draft.replace(opened, opened + 1, f"({draft.self_text}" + (", " if nodes else ""))
        has_more = True
    else:
        _object_call(node, function, opened, f"{prefix}{name}", form, draft, has_more=bool(nodes))
        has_more = True
    if more:
        text = ", ".join(more)
        draft.replace(closed, closed + 1, f", {text})" if has_more else f"{text})")
    if prefix:
        draft.after(node.end_byte, ")")
    pass_arguments(chosen, nodes, draft)


def _object_call(
    node: Node,
    function: Node,
    opened: int,
    name: str,
    form: CallForm,
    draft: Draft,
    *,
    has_more: bool,
) -> None:
    """`v.f(x)` → `S__f(v, x)`, `p->f(x)` → `S__f(*p, x)`, `v(x)` → `S__call(v, x)`."""
    inner = function
    star = ""
    if form is CallForm.METHOD:
        inner = function.child_by_field_name("argument") or function
        arrow = function.child_by_field_name("operator")
        sign = arrow.type if arrow is not None else draft.tree.parsed[inner.end_byte :].lstrip()[:2]
        given = type_of(inner, draft)
        star = "*" if sign == "->" and given is not None and given.depth else ""
    start = node.start_byte
    if inner.type == "this":
        draft.skip(start, opened + 1, f"{name}({draft.self_text}" + (", " if has_more else ""))
        return
    draft.before(start, f"{name}({star}")
    draft.replace(inner.end_byte, opened + 1, ", " if has_more else "")


def returns_address(chosen: Chosen, draft: Draft) -> bool:
    """Whether the function gives an address for a reference."""
    inside = draft.program.signatures.draft(chosen.callee, chosen.key)
    return returns(inside, chosen.callee.function) is Returns.POINTER


def is_unused(node: Node) -> bool:
    """Whether nobody looks at an expression's value, so that it is not read."""
    parent = node.parent
    return parent is not None and parent.type in _UNUSED and not _is_condition(node, parent)


def _is_condition(node: Node, parent: Node) -> bool:
    return parent.type == "for_statement" and parent.child_by_field_name("condition") == node


def _short(node: Node, draft: Draft) -> str:
    text = " ".join(draft.text_of(node).split())
    return text if len(text) <= 40 else text[:37] + "..."
