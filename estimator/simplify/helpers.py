"""Functions of host code that say a launch's sizes from objects: `gridFor(p, block)`, `c.grid(n)`.

They are written out where they are called, their result being all that they do, since what is
known of an object is known by its members' names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from estimator.simplify.aggregates import is_static, member_values, methods_of
from estimator.simplify.declarators import (
    declarators_of,
    declared_name,
    declared_parameter,
    function_declarator,
)
from estimator.simplify.hostclasses import specifier_around
from estimator.simplify.hostcode import Event, HostCode, Known
from estimator.simplify.inference import CType, declared_type
from estimator.simplify.members import constant_of
from estimator.simplify.scopes import last_name
from estimator.simplify.symbols import FunctionKind, Parameter, TypeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


@dataclass(slots=True)
class Helper:
    """A call of such a function.

    `result` is its result, `code` its own variables. `arguments` are what names of it stand for
    in the caller: of parameters and of members, `g.nx`, or `nx` in a method. `members` are those
    of which nothing is known, by the names that the caller has for them; `inner` its variables
    and constants of its class, in order.
    """

    result: Node
    code: HostCode
    gives_dim3: bool
    arguments: dict[str, Node] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    inner: dict[str, Node] = field(default_factory=dict)


def read_helper(call: Node, draft: Draft, code: HostCode) -> Helper | None:
    """The function that a call means; None where it is none of this kind."""
    function = call.child_by_field_name("function")
    listed = call.child_by_field_name("arguments")
    if function is None or listed is None:
        return None
    given = [one for one in listed.named_children if one.type != "comment"]
    definition, this, is_method = _definition(function, len(given), draft, code)
    if definition is None:
        return None
    parameters = _parameters(definition, draft)
    if len(parameters) != len(given):
        return None
    if not is_method and not any(_record(one.base, draft) for one in parameters):
        return None  # a function of numbers is kept as it is
    helper = _read_body(definition, parameters, draft)
    if helper is None:
        return None
    for parameter, argument in zip(parameters, given, strict=True):
        if _record(parameter.base, draft) is None:
            helper.arguments[parameter.name] = argument
        elif not _add_object(helper, f"{parameter.name}.", parameter.base, argument, draft, code):
            return None
    if is_method:
        _add_class(helper, definition, this, draft, code)
    return helper


def _definition(
    function: Node, count: int, draft: Draft, code: HostCode
) -> tuple[Node | None, Node | None, bool]:
    """The function that is called, the object of a method's call, and whether it is a method."""
    tree = draft.tree
    if function.type == "field_expression":
        this = function.child_by_field_name("argument")
        name = function.child_by_field_name("field")
        if this is None or name is None:
            return None, None, False
        if this.type == "this":
            owner = specifier_around(code.function, draft)
        else:
            known = code.variables.get(tree.text_of(this))
            owner = _record(known.type.base, draft) if known is not None else None
        return _method(owner, tree.text_of(name), draft), this, True
    name = last_name(function)
    if name.type != "identifier":
        return None, None, False
    scope = function.child_by_field_name("scope") if function.type != "identifier" else None
    owner = _record(tree.text_of(scope), draft) if scope is not None else None
    if owner is None and scope is None:
        owner = specifier_around(code.function, draft)
    found = _method(owner, tree.text_of(name), draft)
    if found is not None:
        return found, None, True
    named = [
        one
        for one in draft.program.symbols.functions.get(tree.text_of(name), ())
        if one.template is None and len(one.parameters) == count
    ]
    if len(named) != 1 or named[0].kind is FunctionKind.KERNEL or not named[0].has_body:
        return None, None, False
    return named[0].node, None, False


def _record(text: str, draft: Draft) -> Node | None:
    """The class of the file, no template, that a type's text names."""
    defined = draft.program.find_type(draft.resolved_type(text.strip()), draft.scope)
    if defined is None or defined.kind is not TypeKind.RECORD or defined.template is not None:
        return None
    return defined.node


def _method(owner: Node | None, name: str, draft: Draft) -> Node | None:
    found = methods_of(owner, name, draft.tree) if owner is not None else []
    return found[0] if len(found) == 1 else None


def _parameters(definition: Node, draft: Draft) -> list[Parameter]:
    declarator = function_declarator(definition)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    found = [
        declared_parameter(draft.tree, one)
        for one in (listed.named_children if listed is not None else ())
        if one.type in {"parameter_declaration", "optional_parameter_declaration"}
    ]
    is_void = len(found) == 1 and found[0].base == "void" and not found[0].depth
    return [] if is_void else found


def _read_body(definition: Node, parameters: list[Parameter], draft: Draft) -> Helper | None:
    """A function that declares variables with their values and returns something."""
    body = definition.child_by_field_name("body")
    statements = [one for one in body.named_children if one.type != "comment"] if body else []
    if not statements or statements[-1].type != "return_statement":
        return None
    result = [one for one in statements[-1].named_children if one.type != "comment"]
    if len(result) != 1:
        return None
    code = HostCode(definition)
    for one in parameters:
        ctype = CType(one.base, one.is_const, one.depth)
        code.variables[one.name] = Known(ctype, one.node.start_byte, is_parameter=True)
    given = declared_type(draft.tree, definition, definition.child_by_field_name("declarator"))
    helper = Helper(result[0], code, draft.resolved_type(given.base) == "dim3")
    for statement in statements[:-1]:
        if statement.type != "declaration":
            return None
        for declarator in declarators_of(statement):
            name, value = declared_name(declarator), declarator.child_by_field_name("value")
            if name is None or value is None or value.type.endswith("_list"):
                return None
            ctype = declared_type(draft.tree, statement, declarator)
            event = Event(statement, declarator, value)
            known = Known(ctype, declarator.start_byte, [event])
            code.variables[draft.tree.text_of(name)] = known
            helper.inner[draft.tree.text_of(name)] = value
    return helper


def _add_object(
    helper: Helper, prefix: str, base: str, argument: Node, draft: Draft, code: HostCode
) -> bool:
    """What members of an object are in the caller; false if it is no variable there."""
    if argument.type == "pointer_expression" and argument.children[0].type == "&":
        argument = argument.child_by_field_name("argument") or argument
    record = _record(base, draft)
    if argument.type not in {"identifier", "this"} or record is None:
        return False
    name = draft.tree.text_of(argument)
    values = member_values(name, draft, code)
    for member in _members(record, draft):
        if member in values:
            helper.arguments[f"{prefix}{member}"] = values[member]
        else:
            helper.members[f"{prefix}{member}"] = member if name == "this" else f"{name}_{member}"
    return True


def _members(record: Node, draft: Draft) -> list[str]:
    body = record.child_by_field_name("body")
    return [
        draft.tree.text_of(name)
        for child in (body.named_children if body is not None else ())
        if child.type == "field_declaration" and not is_static(child)
        for declarator in child.children_by_field_name("declarator")
        if (name := declared_name(declarator)) is not None
    ]


def _add_class(
    helper: Helper, definition: Node, this: Node | None, draft: Draft, code: HostCode
) -> None:
    """What a method calls by their names alone: members of its object, and constants."""
    owner = specifier_around(definition, draft)
    body = owner.child_by_field_name("body") if owner is not None else None
    name = owner.child_by_field_name("name") if owner is not None else None
    if body is None or name is None:
        return
    for child in body.named_children:
        declarator = declared_name(child.child_by_field_name("declarator"))
        own = draft.tree.text_of(declarator) if declarator is not None else ""
        value = constant_of(body, own, draft.tree) if own else None
        if value is not None and own not in helper.code.variables:
            helper.inner = {own: value, **helper.inner}
    if this is not None:
        _add_object(helper, "", draft.tree.text_of(name), this, draft, code)
    elif owner is not None and not is_static(definition):
        helper.members |= {member: member for member in _members(owner, draft)}
