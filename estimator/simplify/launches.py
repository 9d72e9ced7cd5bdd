"""Launches: each becomes a function with the statements that its sizes need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import LostError, Piece
from estimator.simplify.frames import MOST_FRAMES, Frame, Frames, pack_name
from estimator.simplify.instances import Key
from estimator.simplify.launchforms import Extent, LaunchForm, find_launches, read_form
from estimator.simplify.launchtext import UNKNOWN, LaunchText
from estimator.simplify.program import Made, Program
from estimator.simplify.slicing import Slice, Slices
from estimator.simplify.symbols import Function
from estimator.simplify.targets import Target, instance, is_kernel, targets
from estimator.simplify.unit import ItemKind
from estimator.source.codes import LAUNCH_UNREADABLE
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.position import PositionMap

if TYPE_CHECKING:
    from tree_sitter import Node

# An argument of the kernel, with the frame that it stands in.
Argument = tuple["Node | None", Frame]


def add_launches(program: Program, positions: PositionMap) -> list[Diagnostic]:
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
        self.warnings: list[Diagnostic] = []
        self.number = 0

    def add(self, node: Node) -> None:
        """All launches that one place in the file means."""
        frames = self.frames.of(node)
        if len(frames) > MOST_FRAMES:
            message = f"more than {MOST_FRAMES} calls lead to this launch; the others are left out"
            self._warn(LostError(node.start_byte, message), "")
        made: set[str] = set()
        for frame in frames[:MOST_FRAMES]:
            name = ""
            try:
                form = read_form(self.program.tree, node, frame.code)
                name = frame.draft.text_of(form.kernel)
                for target in targets(form.kernel, frame):
                    name = target.name
                    self._add_target(form, frame, target, made)
            except LostError as why:
                self._warn(why, name)

    def _warn(self, why: LostError, name: str) -> None:
        position = self.positions.position(why.offset)
        shown = name if name.isidentifier() else "NAME"
        option = f"Give it: --launch '{shown}: grid=(…) block=(…)'."
        self.warnings.append(diagnose(LAUNCH_UNREADABLE, position, why.message, option))

    def _add_target(self, form: LaunchForm, frame: Frame, target: Target, made: set[str]) -> None:
        if not is_kernel(target):
            return
        arguments = _arguments(form, frame)
        found = instance(target, arguments, form.node)
        if found is None:
            return
        kernel, key = found
        name = self.program.require_function(kernel, key)
        attributes, pieces = self._pieces(form, frame, kernel, key, name, arguments)
        text = "".join(piece.text for piece in pieces)
        if text in made:
            return
        made.add(text)
        self.number += 1
        at = form.node.start_byte
        head = Piece(f"{attributes} void launch__{self.number}", at, False)
        item = f"launch__{self.number}"
        self.program.made.append(Made(ItemKind.LAUNCH, item, at, (head, *pieces), name))

    def _pieces(
        self,
        form: LaunchForm,
        frame: Frame,
        kernel: Function,
        key: Key,
        name: str,
        arguments: list[Argument],
    ) -> tuple[str, list[Piece]]:
        """The attributes of a launch function, and its text from its parameters on."""
        slices = Slices(frame)
        own = slices.of(frame)
        grid = self._known(form.grid, own, "grid", kernel)
        block = self._known(form.block, own, "block", kernel)
        if grid is None and block is None:
            raise LostError(form.node.start_byte, f"the launch of '{kernel.name}' has no sizes")
        shared = form.shared
        if shared is not None and own.evaluator.names_in(shared) is None:
            shared = None
        given = [
            (node, slices.of(at)) if node is not None else None
            for node, at in _numbers(kernel, key, arguments, slices)
        ]
        sizes = [*(grid.parts if grid else ()), *(block.parts if block else ())]
        direct = [(node, own) for node in (*sizes, *([shared] if shared is not None else []))]
        direct += [one for one in given if one is not None]
        for node, part in direct:
            part.need(part.evaluator.names_in(node) or set())
        at = form.node.start_byte
        text = LaunchText(slices, direct, at)
        body = text.statements()
        body.append(Piece(f"    {name}__launch(", at, False))
        body += [*text.extent(grid, own), Piece(", ", at, False), *text.extent(block, own)]
        body.append(Piece(", ", at, False))
        body += (
            text.expression(shared, own)
            if shared is not None
            else [Piece("0" if form.shared is None else UNKNOWN, at, False)]
        )
        for one in given:
            body.append(Piece(", ", at, False))
            body += text.expression(*one) if one is not None else [Piece(UNKNOWN, at, False)]
        body.append(Piece(");\n}", at, False))
        position = self.positions.position(at)
        attributes = f'[[cuda::launch("{name}", {position.line}, {position.column})]]'
        return attributes, [Piece(f"({text.parameters()})\n{{\n", at, False), *body]

    def _known(
        self, extent: Extent | None, own: Slice, what: str, kernel: Function
    ) -> Extent | None:
        """A grid or block that can be computed; the others are warned of."""
        message = f"the {what} of the launch of '{kernel.name}' cannot be computed"
        if extent is None:
            self._warn(LostError(own.frame.node.start_byte, message), kernel.name)
            return None
        for node in extent.parts:
            if own.evaluator.names_in(node) is None:
                self._warn(LostError(node.start_byte, message), kernel.name)
                return None
        return extent


def _arguments(form: LaunchForm, frame: Frame) -> list[Argument]:
    """The kernel's arguments as written; packs are what a call gives for them."""
    found: list[Argument] = []
    for node in form.arguments or ():
        if node.type == "parameter_pack_expansion":
            found += frame.packs.get(pack_name(node), [])
        else:
            found.append((node, frame))
    return found


def _numbers(
    kernel: Function, key: Key, arguments: list[Argument], slices: Slices
) -> list[Argument]:
    """The arguments that are numbers; None for pointers and what cannot be computed.

    Those that are a variable's plain name are handed to the slices.
    """
    types = {
        parameter.name: argument
        for parameter, argument in zip(kernel.template or (), key, strict=False)
    }
    found: list[Argument] = []
    for (node, frame), parameter in zip(arguments, kernel.parameters, strict=False):
        base = str(types.get(parameter.base, parameter.base))
        part = slices.of(frame)
        is_number = not parameter.depth and "*" not in base
        is_number = is_number and not frame.draft.is_aggregate(base)
        if node is None or not is_number or part.evaluator.names_in(node) is None:
            found.append((None, frame))
            continue
        name = part.plain_variable(node)
        if name:
            part.hand(name, base)
        found.append((node, frame))
    return found
