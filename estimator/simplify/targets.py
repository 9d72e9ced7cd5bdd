"""Which kernel a launch means: by name, through a parameter, or through a pointer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.draft import Draft, LostError
from estimator.simplify.frames import Frame
from estimator.simplify.hostclasses import class_around, split_arguments
from estimator.simplify.hosttemplates import is_open
from estimator.simplify.hosttypes import argument_type, parameter_type
from estimator.simplify.inference import CType
from estimator.simplify.instances import Key, Unbound, normal_value, refuse_packs
from estimator.simplify.launchforms import plain
from estimator.simplify.launchkeys import deduced, launch_key
from estimator.simplify.localaliases import with_aliases
from estimator.simplify.lookup import find_function
from estimator.simplify.matching import match_class
from estimator.simplify.resolve import explicit_arguments
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.symbols import Function, FunctionKind, ParameterKind, TemplateParameter
from estimator.simplify.templates import template_argument

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = re.compile(r"&?\s*(?P<name>(?:\w+\s*::\s*)*\w+)\s*(?:<(?P<arguments>.*)>)?\s*$", re.S)
_DEEPEST = 16


@immutable()
class Target:
    """A kernel's name as it stands in `frame`: its namespaces and template arguments.

    `is_own`: the launch itself names it, so that no call decides which kernel it is. `nodes` are
    the template arguments as they stand in the frame's function, where they do.
    """

    name: str
    scopes: tuple[str, ...]
    explicit: tuple[str, ...]
    frame: Frame
    is_own: bool = True
    nodes: tuple[Node, ...] = ()


def targets(node: Node, frame: Frame) -> list[Target]:
    """The kernels that an expression may mean. Raises LostError where that is not known."""
    return list(dict.fromkeys(_targets(node, frame, True, 0)))


def _targets(node: Node, frame: Frame, own: bool, deep: int) -> Iterator[Target]:
    tree = frame.draft.tree
    node = plain(tree, node)
    if node.type == "conditional_expression":
        for side in ("consequence", "alternative"):
            branch = node.child_by_field_name(side)
            if branch is not None:
                yield from _targets(branch, frame, own, deep + 1)
        return
    if node.type not in {"identifier", "qualified_identifier", "template_function"}:
        text = " ".join(tree.text_of(node).split())
        raise LostError(node.start_byte, f"which kernel '{text}' means is not known")
    last = last_name(node)
    name_node = last.child_by_field_name("name") if last.type == "template_function" else last
    name = tree.text_of(name_node if name_node is not None else last)
    if node.type == "identifier" and deep < _DEEPEST:
        if name in frame.arguments:
            argument, caller = frame.arguments[name]
            yield from _targets(argument, caller, False, deep + 1)
            return
        if name in frame.code.variables:
            yield from _behind(name, node, frame, own, deep)
            return
        around = class_around(frame)
        if around is not None and around.member(name) is not None:
            message = f"which kernel the member '{name}' points to is not known"
            raise LostError(node.start_byte, message)
        bound = _NAME.match(frame.draft.binding.names.get(name, ""))
        if bound is not None:
            *scopes, inner = re.split(r"\s*::\s*", bound["name"])
            explicit = split_arguments(bound["arguments"] or "")
            yield Target(inner, tuple(scopes), explicit, frame, False)
            return
    explicit, nodes = tuple(_explicit(last, frame)), tuple(_listed(last))
    nodes = nodes if len(nodes) == len(explicit) else ()
    yield Target(name, tuple(scopes_of(node, frame.draft)), explicit, frame, own, nodes)


def _listed(last: Node) -> list[Node]:
    """The template arguments behind a name."""
    listed = last.child_by_field_name("arguments") if last.type == "template_function" else None
    children = listed.named_children if listed is not None else []
    return [one for one in children if one.type != "comment"]


def _explicit(last: Node, frame: Frame) -> Iterator[str]:
    """The template arguments of a name; those that depend on an open type stay as written."""
    nodes = _listed(last)
    raw = [frame.draft.text_of(one) for one in nodes]
    open_ = [bool(frame.open.intersection(re.findall(r"\w+", text))) for text in raw]
    if not any(open_) or any(one.type == "parameter_pack_expansion" for one in nodes):
        yield from explicit_arguments(last, frame.draft)
        return
    for node, text, is_open_ in zip(nodes, raw, open_, strict=True):
        yield text if is_open_ else template_argument(node, frame.draft)


def _behind(name: str, node: Node, frame: Frame, own: bool, deep: int) -> Iterator[Target]:
    """What a pointer was set to; a launch for each where a condition decides."""
    known = frame.code.variables[name]
    values = [event for event in known.events if event.value is not None or event.others]
    if known.is_parameter:
        where = f" of '{frame.name}'" if frame.name else ""
        message = f"which kernel the parameter '{name}'{where} is depends on its caller"
        raise LostError(node.start_byte, message)
    if known.is_changed or not values:
        raise LostError(node.start_byte, f"which kernel '{name}' points to is not known")
    last = max((i for i, event in enumerate(values) if not event.is_conditional), default=0)
    for event in values[last:]:
        if event.value is not None:
            yield from _targets(event.value, frame, own, deep + 1)
            continue
        for value, target in zip(event.others[1::2], event.others[2::2], strict=False):
            if frame.draft.tree.text_of(target) == name:
                yield from _targets(value, frame, own, deep + 1)


def is_kernel(target: Target) -> bool:
    """Whether the file defines a kernel of that name."""
    found = target.frame.draft.program.symbols.functions.get(target.name, ())
    return any(one.kind is FunctionKind.KERNEL for one in found)


def instance(
    target: Target, arguments: list[tuple[Node | None, Frame]], at: Node
) -> tuple[Function, Key] | None:
    """The kernel's definition and the instance that is meant; None if the file has none.

    Raises LostError where overloads cannot be told apart.
    """
    frame = target.frame
    program = frame.draft.program
    device = Draft(program, frame.draft.binding, frame.draft.scope, FunctionKind.DEVICE)
    device.locals = frame.draft.locals
    count, scopes = len(arguments), list(target.scopes)
    kernel = find_function(program.symbols, target.name, scopes, at, count, device, target.explicit)
    if kernel is None or kernel.kind is not FunctionKind.KERNEL:
        return None
    if kernel.template is None:
        return kernel, ()
    types = [argument_type(node, where) if node is not None else None for node, where in arguments]
    said = tuple(
        _said(text, parameter, frame, at)
        for text, parameter in zip(target.explicit, _in_turn(kernel.template), strict=False)
    )
    explicit = [text for text in said if text is not None]
    if len(explicit) == len(said):
        parts = _parts(kernel, types, device, at)
        key = launch_key(kernel, explicit, types, frame.draft.resolved_type, frame.draft, parts)
        if key is not None:
            return kernel, key
    for one in kernel.template:
        refuse_packs(one, at)
    return kernel, tuple(
        Unbound.ASSUMED if text is None else normal_value(parameter, text)
        for text, parameter in zip(_partly(kernel, said, types), kernel.template, strict=True)
    )


def _in_turn(template: Sequence[TemplateParameter]) -> Iterator[TemplateParameter]:
    """The parameters that explicit arguments are for: a pack at the end takes all that are left."""
    yield from template
    if template and template[-1].kind is ParameterKind.PACK:
        yield from repeat(template[-1])


def _parts(kernel: Function, types: list[CType | None], draft: Draft, at: Node) -> dict[str, str]:
    """What arguments of class templates say: `T` of `k(View<T> v)`, for a View<double>."""
    names = {one.name for one in kernel.template or ()}
    found: dict[str, str | None] = {}
    for parameter, given in zip(kernel.parameters, types, strict=False):
        if given is not None and "<" in parameter.base:
            pattern = parameter.node.child_by_field_name("type")
            match_class(pattern, _record_name(given.base, draft, at), names, found, draft)
    return {name: text for name, text in found.items() if text is not None}


def _record_name(text: str, draft: Draft, at: Node) -> str:
    """The simplified name of `View<double>`; the text itself where it is no such type."""
    name, mark, rest = text.partition("<")
    defined = draft.program.find_type(name.rpartition("::")[2].strip(), draft.scope)
    parameters = draft.program.symbols.parameter_names
    if not mark or defined is None or defined.template is None:
        return text
    if not parameters.isdisjoint(re.findall(r"\w+", rest)):
        return text  # a template's parameter, which means nothing here
    arguments = [*split_arguments(rest.rpartition(">")[0])]
    if any("<" in one for one in arguments):
        arguments = [_record_name(one, draft, at) for one in arguments]
    try:
        return draft.program.require_type_instance(defined, arguments, at, draft)
    except LostError:
        return text


def _partly(
    kernel: Function, said: tuple[str | None, ...], types: list[CType | None]
) -> list[str | None]:
    """The template arguments that a launch says where it does not say all."""
    found: list[str | None] = list(said)
    for parameter in (kernel.template or ())[len(said) :]:
        is_type = parameter.kind is ParameterKind.TYPE
        found.append(deduced(kernel, parameter, types, str) if is_type else None)
    return found


def _said(text: str, parameter: TemplateParameter, frame: Frame, at: Node) -> str | None:
    """A template argument that is known: `scalar_t` of a macro that nobody sees is not."""
    if is_open(text, frame):
        given = parameter_type(text, frame)
        return given.text if given is not None else None
    if parameter.kind is ParameterKind.VALUE and _names_local(text, frame):
        return None
    if parameter.kind is not ParameterKind.TYPE or not text.isidentifier():
        return text
    # `Add<float>` is called Add__float by now.
    is_made = text in frame.draft.program.bindings
    if is_made or frame.draft.is_type(text):
        return text
    return with_aliases(at, frame.draft).names.get(text)


def _names_local(text: str, frame: Frame) -> bool:
    """Whether a template argument needs a variable of the function that launches."""
    known = frame.code.variables
    return any(word in known for word in re.findall(r"(?<![\w:.])[A-Za-z_]\w*", text))


def template_values(target: Target, kernel: Function, key: Key) -> Iterator[Node | None]:
    """What the launch says of the template values that are parameters of the kernel, in order."""
    for index, (parameter, argument) in enumerate(zip(kernel.template or (), key, strict=False)):
        is_value = parameter.kind is ParameterKind.VALUE
        if is_value and argument in (Unbound.RUNTIME, Unbound.ASSUMED):
            node = target.nodes[index] if index < len(target.nodes) else None
            inner = node.named_children if node is not None else []
            # `P` alone is read as a type.
            yield (
                inner[0] if node is not None and node.type == "type_descriptor" and inner else node
            )
