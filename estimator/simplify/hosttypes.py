"""The types of what host code hands to kernels, as template arguments need them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.declarators import function_declarator
from estimator.simplify.draft import LostError
from estimator.simplify.hostclasses import HostClass, class_around, class_named, split_arguments
from estimator.simplify.inference import CType, infer
from estimator.simplify.scopes import last_name
from estimator.simplify.typeof import declared, type_of
from estimator.source.codes import TEMPLATE

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.frames import Frame

_DEEPEST = 16
# Calls that give what they are given.
_TRANSPARENT = frozenset({"forward", "move", "as_const", "raw_pointer_cast", "ref", "cref"})
# Methods of containers and smart pointers that give a pointer to what these hold.
_POINTERS = frozenset(
    {"data", "begin", "cbegin", "get", "data_ptr", "mutable_data_ptr", "const_data_ptr"}
)
_DECAY = re.compile(
    r"(?:typename\s+)?(?:std::)?(?:decay|remove_reference|remove_cv|remove_cvref)(?:_t)?\s*<\s*"
    r"(\w+)\s*[&\s]*>(?:\s*::\s*type)?$"
)


def argument_type(node: Node, frame: Frame, deep: int = 0, *, lambdas: bool = True) -> CType | None:
    """The type of an expression, in words that mean the same wherever they stand.

    Follows parameters of host templates to what their calls give for them. None where it is not
    known, and for lambdas without `lambdas`: asking for the type of one makes it a part of the
    text. Raises LostError for lambdas that name types which nothing says.
    """
    if deep > _DEEPEST or (node.type == "lambda_expression" and not lambdas):
        return None
    node = _inner(node, frame)
    if node.type == "identifier":
        name = frame.draft.text_of(node)
        known = frame.code.variables.get(name)
        if known is not None and known.is_parameter and known.type.base in frame.open:
            given = frame.arguments.get(name)
            if known.type.depth or given is None or given[1] is frame:
                return None
            return argument_type(*given, deep + 1, lambdas=lambdas)
        if known is None and name not in frame.draft.locals:
            return _member(class_around(frame), name, frame)
    found = _plain(node, frame, deep, lambdas)
    if found is not None and found.base in frame.open:
        return None
    if found is None or found.base in {"", "auto"}:
        found = _accessed(node, frame, deep) or found
    if found is None or found.base == "auto":
        return None
    base = _plain_name(frame.draft.resolved_type(found.base))
    return _folded(CType(base, found.is_const, found.depth))


def parameter_type(text: str, frame: Frame) -> CType | None:
    """What an open type parameter of a host template stands for, from what its call passes."""
    decayed = _DECAY.match(text)
    name = decayed.group(1) if decayed is not None else text
    if name not in frame.open:
        return None
    for parameter, known in frame.code.variables.items():
        is_own = known.is_parameter and known.type.base == name and not known.type.depth
        given = frame.arguments.get(parameter) if is_own else None
        if given is not None and given[1] is not frame:
            return argument_type(*given)
    return None


def _inner(node: Node, frame: Frame) -> Node:
    """`x`, of `(x)`, `std::forward<T>(x)` and `thrust::raw_pointer_cast(x)`."""
    while True:
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
            continue
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if node.type != "call_expression" or function is None or arguments is None:
            return node
        last = last_name(function)
        if last.type == "template_function":
            last = last.child_by_field_name("name") or last
        if frame.draft.text_of(last) not in _TRANSPARENT or arguments.named_child_count != 1:
            return node
        node = arguments.named_children[0]


def _plain(node: Node, frame: Frame, deep: int, lambdas: bool) -> CType | None:
    """What expressions of C, variables and objects that are made in place have for a type."""
    draft = frame.draft
    found = infer(draft.tree, node, draft.locals)
    if found is not None and found.base != "auto" and "<" not in found.base:
        return found
    known = frame.code.variables.get(draft.text_of(node))
    event = known.events[0] if known is not None and known.events else None
    try:
        if event is None:
            return type_of(node, draft) or found
        is_auto = found is not None and found.base == "auto"
        if is_auto and event.value is not None and not event.value.type.endswith("_list"):
            return argument_type(event.value, frame, deep + 1, lambdas=lambdas)
        if event.node.type == "declaration" and event.declarator is not None:
            return declared(draft, event.node, event.declarator)
    except LostError as why:
        is_lambda = event is None and node.type == "lambda_expression"
        if is_lambda and why.code is TEMPLATE:
            raise
        return found  # most objects of the host are of no interest to a kernel
    return found


def _accessed(node: Node, frame: Frame, deep: int) -> CType | None:
    """`b.p`, `x.data()`, `x.data().get()`, `this->d_x`, `&x[0]`, `p + 4`."""
    draft = frame.draft
    if node.type in {"pointer_expression", "subscript_expression"}:
        inner = node.child_by_field_name("argument")
        found = object_type(inner, frame, deep) if inner is not None else None
        if found is None:
            return None
        if node.type == "subscript_expression" and not found.depth:
            return _held(found, 0)
        depth = found.depth + (1 if node.children[0].type == "&" else -1)
        return CType(found.base, found.is_const, depth) if depth >= 0 else None
    if node.type == "binary_expression":
        left = node.child_by_field_name("left")
        found = argument_type(left, frame, deep + 1) if left is not None else None
        return found if found is not None and found.depth else None
    is_call = node.type == "call_expression"
    field = node.child_by_field_name("function") if is_call else node
    if field is None or field.type != "field_expression":
        return _called(field, frame) if is_call and field is not None else None
    inner, member = field.child_by_field_name("argument"), field.child_by_field_name("field")
    if inner is None or member is None:
        return None
    if member.type in {"template_method", "dependent_name"}:
        listed = member.child_by_field_name("arguments")
        member = member.child_by_field_name("name") or member
        given = listed.named_children if listed is not None else []
        if draft.text_of(member) in _POINTERS and len(given) == 1:
            text = draft.text_of(given[0])
            return None if text in frame.open else _folded(CType(text, depth=1))
    name = draft.text_of(member)
    if inner.type == "this":
        return _member(class_around(frame), name, frame)
    found = object_type(inner, frame, deep)
    if found is None:
        return None
    known = _member(class_named(found.base, draft), name, frame)
    if known is not None or not is_call or name not in _POINTERS:
        return known
    return found if found.depth else _held(found, 1)


def object_type(node: Node, frame: Frame, deep: int = 0) -> CType | None:
    """The type of an object as it is declared, its template arguments with it."""
    node = _inner(node, frame)
    draft = frame.draft
    known = frame.code.variables.get(draft.text_of(node)) if node.type == "identifier" else None
    if known is None and node.type == "identifier":
        known_type = draft.locals.get(draft.text_of(node))
    else:
        known_type = known.type if known is not None else None
    if known_type is None or known_type.base in {"auto", *frame.open}:
        return argument_type(node, frame, deep + 1)
    base = draft.resolved_type(known_type.base)
    return CType(bound_text(base, frame), known_type.is_const, known_type.depth)


def _called(function: Node, frame: Frame) -> CType | None:
    """What a function of the file is declared to give; `auto` says nothing."""
    name = frame.draft.text_of(last_name(function))
    found = frame.draft.program.symbols.functions.get(name, ())
    if len(found) != 1 or found[0].template is not None:
        return None
    node = found[0].node
    declarator = function_declarator(node)
    if declarator is None:
        return None
    result = HostClass.type_in(frame.draft, node)
    return None if result.base in {"", "auto", "void"} and not result.depth else result


def _member(found: HostClass | None, name: str, frame: Frame) -> CType | None:
    """The type of a class's member, or of what its method gives."""
    result = found.member(name) if found is not None else None
    if result is None or result.base in {"", "auto"} or result.base in frame.open:
        return None
    return _folded(result)


def _held(found: CType, depth: int) -> CType | None:
    """What a container holds, or a pointer to it: the first of its template arguments."""
    _, bracket, rest = found.base.partition("<")
    given = split_arguments(rest.rpartition(">")[0])
    if not bracket or not given:
        return None
    held = _folded(CType(re.sub(r"\[\d*\]$", "", given[0]).strip(), depth=depth))
    return held if re.match(r"[A-Za-z_][\w: ]*(?:<.*>)?$", held.base) else None


def _folded(found: CType) -> CType:
    """A type whose stars and `const` are no part of its words."""
    text, depth, is_const = found.base.strip(), found.depth, found.is_const
    while text.endswith("*"):
        text, depth = text[:-1].rstrip(), depth + 1
    if text.startswith("const "):
        text, is_const = text[6:], True
    return CType(_plain_name(text), is_const, depth)


def _plain_name(text: str) -> str:
    """A type of the standard library by the name that kernels know it by."""
    return text.removeprefix("std::") if "<" not in text else text


def bound_text(text: str, frame: Frame) -> str:
    """The text of a type with the template parameters around it replaced."""
    names = frame.draft.binding.names
    return re.sub(r"(?<![\w:])[A-Za-z_]\w*", lambda one: names.get(one.group(), one.group()), text)
