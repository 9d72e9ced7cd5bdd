"""Launches: each becomes a function with the statements that its sizes need."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from estimator.simplify.draft import LostError, Piece
from estimator.simplify.frames import MOST_FRAMES, Frame, Frames, pack_name
from estimator.simplify.hostclasses import class_named
from estimator.simplify.instances import Key, parameters_of
from estimator.simplify.launchforms import Extent, LaunchForm, find_launches, read_form
from estimator.simplify.launchtext import UNKNOWN, LaunchText
from estimator.simplify.made import Made
from estimator.simplify.nullpointers import is_null
from estimator.simplify.program import Program
from estimator.simplify.relations import relations
from estimator.simplify.slicing import Slice, Slices
from estimator.simplify.symbols import Function, Parameter
from estimator.simplify.targets import Target, instance, is_kernel, targets, template_values
from estimator.simplify.unit import ItemKind, LaunchWarning
from estimator.source.codes import LAUNCH_UNREADABLE, TOO_LARGE
from estimator.source.diagnostics import diagnose
from estimator.source.position import Position, PositionMap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

# An argument of the kernel, with the frame that it stands in.
Argument = tuple["Node | None", Frame]


def add_launches(program: Program, positions: PositionMap) -> list[LaunchWarning]:
    """Make an item of every launch of a kernel of the file, for each way that leads to it.

    Gives a warning for each launch that cannot be followed.
    """
    launches = find_launches(program.tree)
    if not launches:
        return []
    adder = _Adder(program, positions)
    for node in launches:
        adder.add(node)
    return adder.warnings


class _Adder:
    def __init__(self, program: Program, positions: PositionMap) -> None:
        self.program = program
        self.positions = positions
        self.frames = Frames(program)
        self.warnings: list[LaunchWarning] = []
        self.number = 0

    def add(self, node: Node) -> None:
        """All launches that one place in the file means."""
        frames = self.frames.of(node)
        if len(frames) > MOST_FRAMES:
            message = f"more than {MOST_FRAMES} calls lead to this launch; the others are left out"
            self._warn(LostError(node.start_byte, message), "", "")
        made: set[str] = set()
        for frame in frames[:MOST_FRAMES]:
            name = kernel = ""
            try:
                form = read_form(self.program.tree, node, frame.code)
                name = frame.draft.text_of(form.kernel)
                for target in targets(form.kernel, frame):
                    name = kernel = target.name
                    self._add_target(form, frame, target, made)
            except LostError as why:
                self._warn(why, name, kernel)
            except RecursionError:
                deep = LostError(node.start_byte, "this launch is nested too deeply", TOO_LARGE)
                self._warn(deep, name, kernel)

    def _warn(self, why: LostError, name: str, kernel: str) -> None:
        position = self.positions.position(why.offset)
        shown = name if name.isidentifier() else "NAME"
        option = f"Give it: --launch '{shown}: grid=(…) block=(…)'."
        warning = diagnose(LAUNCH_UNREADABLE, position, why.message, option)
        self.warnings.append(LaunchWarning(kernel, warning))

    def _add_target(self, form: LaunchForm, frame: Frame, target: Target, made: set[str]) -> None:
        arguments = _arguments(form, frame)
        kernel: Function | None = None
        key: Key = ()
        if is_kernel(target):
            found = instance(target, arguments, form.node)
            if found is None:
                return
            kernel, key = found
            name = self.program.require_function(kernel, key)
        else:
            name = target.name  # a kernel of another file, it may be
        slices = Slices(frame)
        own = parameters_of(kernel, key) if kernel is not None else None
        is_whole = own is not None and len(arguments) == len(own)
        numbers = _numbers(kernel, key, arguments, slices)
        nulls = _nulls(own, arguments)
        objects = _given_names(own or (), arguments, numbers, frame)
        values = _values(target, kernel, key, slices) if kernel is not None and is_whole else []
        pieces = self._pieces(form, slices, name, [*numbers, *values], nulls, objects)
        text = "".join(piece.text for piece in pieces)
        if text in made:
            return
        made.add(text)
        attributes = self._attributes(form, frame, target, name, slices)
        if any(objects):
            listed = ", ".join(f'"{name}"' for name in objects)
            attributes += f" [[cuda::given({listed})]]"
        self.number += 1
        at = form.node.start_byte
        head = Piece(f"{attributes} void launch__{self.number}", at, False)
        item = f"launch__{self.number}"
        self.program.made.append(Made(ItemKind.LAUNCH, item, at, (head, *pieces), name))

    def _pieces(
        self,
        form: LaunchForm,
        slices: Slices,
        name: str,
        arguments: list[Argument],
        nulls: set[int],
        objects: list[str],
    ) -> list[Piece]:
        """The text of a launch function, from its parameters on."""
        own = slices.of(slices.own)
        kernel = name.partition("__")[0] or name
        grid = self._known(form.grid, own, "grid", kernel)
        block = self._known(form.block, own, "block", kernel)
        shared = form.shared
        if shared is not None and own.evaluator.names_in(shared) is None:
            shared = None
        given = [(node, slices.of(at)) if node is not None else None for node, at in arguments]
        sizes = [*(grid.parts if grid else ()), *(block.parts if block else ())]
        direct = [(node, own) for node in (*sizes, *([shared] if shared is not None else []))]
        direct += [one for one in given if one is not None]
        for node, part in direct:
            part.need(part.evaluator.names_in(node) or set())
        for extent in (grid, block):
            if extent is not None and not extent.is_split:
                own.is_extent(extent.parts[0])
        at = form.node.start_byte
        related = relations(slices, objects)
        direct += [(relation.value, relation.source) for relation in related]
        text = LaunchText(slices, direct, at)
        body = text.statements()
        for relation in related:
            body += text.assumption(relation)
        body.append(Piece(f"    {name}__launch(", at, False))
        body += [*text.extent(grid, own), Piece(", ", at, False), *text.extent(block, own)]
        body.append(Piece(", ", at, False))
        body += (
            text.expression(shared, own)
            if shared is not None
            else [Piece("0" if form.shared is None else UNKNOWN, at, False)]
        )
        for index, one in enumerate(given):
            body.append(Piece(", ", at, False))
            unread = Piece("nullptr" if index in nulls else UNKNOWN, at, False)
            body += text.expression(*one) if one is not None else [unread]
        body.append(Piece(");\n}", at, False))
        return [Piece(f"({text.parameters()})\n{{\n", at, False), *body]

    def _attributes(
        self, form: LaunchForm, frame: Frame, target: Target, name: str, slices: Slices
    ) -> str:
        """What is launched and where, and by which calls if these say anything of it."""
        place = self.positions.position(form.node.start_byte)
        display = name
        if target.explicit and not is_kernel(target):
            display = f"{name}<{', '.join(target.explicit)}>".replace('"', "'")
        text = f'[[cuda::launch("{display}", {place.line}, {place.column})]]'
        if not target.is_own or slices.says_more or frame.open:
            calls = [self.positions.position(call.start_byte) for call in frame.calls]
            where = ", ".join(_place(call, place.path) for call in calls)
            text += f" [[cuda::called({where})]]" if where else ""
        return text

    def _known(self, extent: Extent | None, own: Slice, what: str, kernel: str) -> Extent | None:
        """A grid or block that can be computed; the others are warned of."""
        message = f"the {what} of the launch of '{kernel}' cannot be computed"
        if extent is None:
            self._warn(LostError(own.frame.node.start_byte, message), kernel, kernel)
            return None
        for node in extent.parts:
            result = _part_of_result(node, own.frame)
            if own.evaluator.names_in(node) is None or result:
                why = (
                    f"{message}: '{result}' gives it as a part of its result" if result else message
                )
                self._warn(LostError(node.start_byte, why), kernel, kernel)
                return None
        return extent


def _part_of_result(node: Node, frame: Frame) -> str:
    """The function of the file of whose result a grid or block is a part; empty where it is none.

    `auto c = size(n); k<<<c.grid, c.block>>>(x)`, `auto [g, b] = size(n);`
    """
    draft, code = frame.draft, frame.code
    value = code.bound.get(draft.text_of(node))
    if node.type == "field_expression":
        inner = node.child_by_field_name("argument")
        known = code.variables.get(draft.text_of(inner)) if inner is not None else None
        is_object = known is not None and known.type.base == "auto" and len(known.events) == 1
        value = known.events[0].value if known is not None and is_object else None
        member = node.child_by_field_name("field")
        if member is not None and draft.text_of(member) in {"x", "y", "z"}:
            return ""
    function = value.child_by_field_name("function") if value is not None else None
    if function is None:
        return ""
    scope = function.child_by_field_name("scope")
    name = draft.text_of(function)
    is_own = name.rpartition("::")[2] in draft.program.symbols.functions
    is_method = scope is not None and class_named(draft.text_of(scope), draft) is not None
    return name if is_own or is_method else ""


def _place(position: Position, path: str) -> str:
    """`12, 5`, with the file's name before it where that is not `path`."""
    text = f"{position.line}, {position.column}"
    if position.path == path:
        return text
    quoted = position.path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}", {text}'


def _arguments(form: LaunchForm, frame: Frame) -> list[Argument]:
    """The kernel's arguments as written; packs are what a call gives for them."""
    found: list[Argument] = []
    for node in form.arguments or ():
        if node.type == "parameter_pack_expansion":
            found += frame.packs.get(pack_name(node), [])
        else:
            found.append((node, frame))
    return found


def _is_object(base: str, frame: Frame) -> bool:
    """Whether a parameter's type is a class: `View`, `View<const float>`."""
    draft = frame.draft
    return draft.is_aggregate(base) or draft.is_class_template(base.partition("<")[0].strip())


def _single(node: Node) -> Node | None:
    """What stands in the braces of `{n}`; None where a list makes an object."""
    while node.type == "initializer_list":
        inside = [one for one in node.named_children if one.type != "comment"]
        if len(inside) != 1:
            return None
        node = inside[0]
    return node


def _given_names(
    known: Sequence[Parameter], arguments: list[Argument], numbers: list[Argument], frame: Frame
) -> list[str]:
    """The structures that a launch passes, by name: `a` has the members that it calls `a_w`.

    A name for each argument, empty for others.
    """
    passed = zip_longest(arguments, (node for node, _ in numbers), known[: len(arguments)])
    return [
        _variable_name(argument[0], frame)
        if argument[0] is not None
        and number is None
        and argument[1] is frame
        and (parameter is None or not (parameter.depth or "*" in parameter.base))
        else ""
        for argument, number, parameter in passed
    ]


def _variable_name(node: Node, frame: Frame) -> str:
    """`a`, `*a` → a; `s.part` → s_part; anything else has no name."""
    text = "".join(frame.draft.text_of(node).split()).lstrip("*&")
    words = text.replace("->", ".").split(".")
    return "_".join(words) if all(word.isidentifier() for word in words) else ""


def _values(target: Target, kernel: Function, key: Key, slices: Slices) -> list[Argument]:
    """The kernel's template values that the launch knows only as names, behind its arguments."""
    found: list[Argument] = []
    part = slices.of(target.frame)
    for node in template_values(target, kernel, key):
        is_known = node is not None and part.evaluator.names_in(node) is not None
        found.append((node if is_known else None, target.frame))
        name = part.plain_variable(node) if node is not None and is_known else ""
        if name and name not in part.variables:
            part.hand(name, "int")
    return found if any(node is not None for node, _ in found) else []


def _numbers(
    kernel: Function | None, key: Key, arguments: list[Argument], slices: Slices
) -> list[Argument]:
    """The arguments that are numbers; None for pointers and what cannot be computed.

    Those that are a variable's plain name are handed to the slices.
    """
    template = kernel.template if kernel is not None else ()
    types = {
        parameter.name: argument for parameter, argument in zip(template or (), key, strict=False)
    }
    parameters = parameters_of(kernel, key) if kernel is not None else (None,) * len(arguments)
    found: list[Argument] = []
    for (node, frame), parameter in zip(arguments, parameters, strict=False):
        base, is_number = "int", True
        if parameter is not None:
            base = str(types.get(parameter.base, parameter.base))
            is_number = not parameter.depth and "*" not in base
            is_number = is_number and not _is_object(base, frame)
        node = _single(node) if node is not None else None
        part = slices.of(frame)
        if node is None or not is_number or part.evaluator.names_in(node) is None:
            found.append((None, frame))
            continue
        name = part.plain_variable(node)
        if name:
            part.hand(name, base)
        found.append((node, frame))
    return found


def _nulls(own: Sequence[Parameter] | None, arguments: list[Argument]) -> set[int]:
    """The places of pointers that are null. What may be a number, `0`, is none."""
    parameters = own if own is not None else (None,) * len(arguments)
    return {
        index
        for index, ((node, frame), parameter) in enumerate(zip(arguments, parameters, strict=False))
        if node is not None
        and (node.type == "null" if parameter is None else _is_pointer(parameter))
        and is_null(node, frame)
    }


def _is_pointer(parameter: Parameter) -> bool:
    return bool(parameter.depth) or "*" in parameter.base
