"""Launches: each becomes a function with the statements that its sizes need."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from estimator.simplify.declarators import function_declarator
from estimator.simplify.draft import Binding, Draft, LostError, Piece
from estimator.simplify.evaluable import Evaluator
from estimator.simplify.hostcode import HostCode, HostReader
from estimator.simplify.hosttemplates import bindings_of, outer_types
from estimator.simplify.instances import Key, Unbound, argument_types, launch_key
from estimator.simplify.made import Made
from estimator.simplify.program import Program
from estimator.simplify.resolve import explicit_arguments
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.slicing import Slice
from estimator.simplify.symbols import Function, FunctionKind
from estimator.simplify.typeof import declared, type_of
from estimator.simplify.unit import ItemKind
from estimator.source.codes import LAUNCH_UNREADABLE
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.position import PositionMap

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"[A-Za-z_]\w*")
UNKNOWN = "unknown__"


def add_launches(program: Program, positions: PositionMap) -> list[Diagnostic]:
    """Make an item of every launch of a kernel of the file.

    Gives a warning for each launch that cannot be followed.
    """
    warnings: list[Diagnostic] = []
    starts = [top.node.start_byte for top in program.tree.top]
    number = 0
    reader = HostReader(program.tree)
    outer = outer_types(program)
    for launch in program.tree.launches:
        index = bisect_right(starts, launch.start_byte) - 1
        if index < 0:
            continue
        top = program.tree.top[index]
        code = reader.before(top.node, launch)
        if code.function is not None and _is_device(program, code.function):
            continue
        for binding in _bindings(program, code):
            draft = Draft(program, binding, top.scope, FunctionKind.HOST)
            draft.locals = {**outer, **{name: known.type for name, known in code.variables.items()}}
            type_objects(code, draft)
            try:
                kernel = _kernel(launch, draft)
                if kernel is None:
                    break
                pieces = _pieces(launch, kernel, number + 1, code, draft, positions)
                number += 1
                program.made.append(
                    Made(
                        ItemKind.LAUNCH,
                        f"launch__{number}",
                        launch.start_byte,
                        tuple(pieces),
                        kernel[2],
                    )
                )
            except LostError as why:
                position = positions.position(why.offset)
                warnings.append(
                    diagnose(LAUNCH_UNREADABLE, position, why.message, _option(launch, draft))
                )
    return warnings


def type_objects(code: HostCode, draft: Draft) -> None:
    """The types of variables of class types and of lambdas, which names alone do not give."""
    for name, known in code.variables.items():
        event = known.events[0] if known.events else None
        if event is None or event.node.type != "declaration" or event.declarator is None:
            continue
        is_lambda = event.value is not None and event.value.type == "lambda_expression"
        if "<" not in known.type.base and not is_lambda:
            continue
        try:
            if is_lambda and event.value is not None:
                found = type_of(event.value, draft)
            else:
                found = declared(draft, event.node, event.declarator)
        except LostError:
            continue  # most objects of the host are of no interest to a kernel
        if found is not None:
            draft.locals[name] = found


def _option(launch: Node, draft: Draft) -> str:
    """The option that says what a launch does not."""
    called = launch.child_by_field_name("function")
    name = draft.text_of(called) if called is not None else "NAME"
    return f"Give it: --launch '{name}: grid=(…) block=(…)'."


def _is_device(program: Program, node: Node) -> bool:
    declarator = function_declarator(node)
    end = declarator.start_byte if declarator is not None else node.start_byte
    return bool(re.search(r"__(global|device)__", program.tree.parsed[node.start_byte : end]))


def _bindings(program: Program, code: HostCode) -> list[Binding]:
    """What the template parameters of the host function stand for, once for each instance."""
    if code.function is None:
        return [Binding()]
    for found in program.symbols.functions.values():
        for function in found:
            if function.node.id == code.function.id:
                return bindings_of(program, function) if function.template else [Binding()]
    return [Binding()]


def _kernel(launch: Node, draft: Draft) -> tuple[Function, Key, str] | None:
    """The kernel that a launch names, as an instance; None if the file does not define it."""
    called = launch.child_by_field_name("function")
    arguments = launch.child_by_field_name("arguments")
    if called is None or arguments is None:
        return None
    last = last_name(called)
    name_node = last.child_by_field_name("name") if last.type == "template_function" else last
    if name_node is None:
        return None
    name = draft.text_of(name_node)
    if not any(
        one.kind is FunctionKind.KERNEL for one in draft.program.symbols.functions.get(name, ())
    ):
        return None
    device = Draft(draft.program, draft.binding, draft.scope, FunctionKind.DEVICE)
    device.locals = draft.locals
    scopes = scopes_of(called, draft)
    count = len(arguments.named_children)
    kernel = draft.program.find_function(name, scopes, count, launch, device)
    if kernel is None:
        return None
    if kernel.template is None:
        return kernel, (), draft.program.require_function(kernel)
    explicit = explicit_arguments(last, draft)
    types = argument_types(arguments, draft.locals, draft)
    key = None
    if not any(_is_open(text, draft) for text in explicit):
        key = launch_key(kernel, explicit, types, draft.resolved_type, draft)
    if key is None:
        key = tuple(Unbound.ASSUMED for _ in kernel.template)
    return kernel, key, draft.program.require_function(kernel, key)


def _is_open(text: str, draft: Draft) -> bool:
    """Whether a template argument depends on what is not known."""
    names = draft.program.symbols.parameter_names
    return any(
        word in draft.binding.symbolic or (word in names and word not in draft.binding.names)
        for word in _WORD.findall(text)
    )


def _pieces(
    launch: Node,
    target: tuple[Function, Key, str],
    number: int,
    code: HostCode,
    draft: Draft,
    positions: PositionMap,
) -> list[Piece]:
    kernel, key, name = target
    evaluator = Evaluator(draft, code)
    cut = Slice(draft, code, evaluator)
    sizes = _sizes(launch, kernel, evaluator)
    given = list(_arguments(launch, kernel, key, cut))
    for node in (*sizes, *given):
        names = evaluator.names_in(node) if node is not None else set()
        cut.need(names or set())
    at = launch.start_byte
    position = positions.position(at)
    body: list[Piece] = []
    for _, event in sorted(cut.kept.items()):
        body.append(Piece("    ", at, False))
        body.extend(_on_one_line(cut.statement(event)))
        body.append(Piece("\n", at, False))
    body.append(Piece(f"    {name}__launch(", at, False))
    for index, node in enumerate((*sizes, *given)):
        body.append(Piece(", " if index else "", at, False))
        text = "0" if index == 2 and node is None else UNKNOWN
        pieces = cut.expression(node) if node is not None else [Piece(text, at, False)]
        if node is not None and node.type == "initializer_list":
            body.append(Piece("(dim3)", at, False))
        body.extend(_on_one_line(pieces))
    body.append(Piece(");\n}", at, False))
    parameters = ", ".join(cut.parameters[one] for one in _ordered(cut, code)) or "void"
    attribute = f'[[cuda::launch("{name}", {position.line}, {position.column})]]'
    head = f"{attribute} void launch__{number}({parameters})\n{{\n"
    return [Piece(head, at, False), *body]


def _ordered(cut: Slice, code: HostCode) -> list[str]:
    """Parameters in the order in which the host code declares them, unknown names last."""
    last = 1 << 60

    def place(name: str) -> int:
        known = code.variables.get(name)
        return known.declared_at if known is not None else last

    return sorted(cut.parameters, key=place)


def _sizes(launch: Node, kernel: Function, evaluator: Evaluator) -> list[Node | None]:
    """Grid, block and bytes of dynamic shared memory, as written.

    Raises LostError when grid or block cannot be computed.
    """
    syntax = next(child for child in launch.children if child.type == "kernel_call_syntax")
    given = [child for child in syntax.named_children if child.type != "comment"]
    if len(given) < 2:
        raise LostError(launch.start_byte, f"launch of '{kernel.name}' has no block size")
    for node, what in zip(given, ("grid", "block"), strict=False):
        if evaluator.names_in(node) is None:
            message = f"the {what} of the launch of '{kernel.name}' cannot be computed"
            raise LostError(node.start_byte, message)
    shared: Node | None = given[2] if len(given) > 2 else None
    if shared is not None and evaluator.names_in(shared) is None:
        shared = None
    return [given[0], given[1], shared]


def _arguments(launch: Node, kernel: Function, key: Key, cut: Slice) -> Iterator[Node | None]:
    """The kernel's arguments; None for pointers and what cannot be computed."""
    listed = launch.child_by_field_name("arguments")
    types = {
        parameter.name: argument
        for parameter, argument in zip(kernel.template or (), key, strict=True)
    }
    given = listed.named_children if listed is not None else []
    for node, parameter in zip(given, kernel.parameters, strict=False):
        base = str(types.get(parameter.base, parameter.base))
        is_number = not parameter.depth and "*" not in base and not cut.draft.is_aggregate(base)
        names = cut.evaluator.names_in(node) if is_number else None
        if names is None:
            yield None
            continue
        plain = node
        while plain.type == "parenthesized_expression" and plain.named_children:
            plain = plain.named_children[0]
        name = cut.draft.text_of(plain)
        is_variable = plain.type == "identifier" and name not in cut.draft.binding.names
        if is_variable and name not in cut.draft.program.symbols.constants:
            cut.hand(name, base)
        yield node


def _on_one_line(pieces: list[Piece]) -> list[Piece]:
    """Statements of a launch stand on one line each, however the user broke them."""
    found: list[Piece] = []
    for piece in pieces:
        if "\n" not in piece.text:
            found.append(piece)
            continue
        at = 0
        for gap in re.finditer(r"[ \t]*\n\s*", piece.text):
            found.append(Piece(piece.text[at : gap.start()], piece.source + at, piece.copied))
            found.append(Piece(" ", piece.source + gap.start(), False))
            at = gap.end()
        found.append(Piece(piece.text[at:], piece.source + at, piece.copied))
    return found
