"""The text of a launch function: its slices' statements, and the launch itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from estimator.simplify.declarators import declarators_of
from estimator.simplify.draft import Binding, Draft, Piece
from estimator.simplify.evaluable import member_call
from estimator.simplify.launchforms import Extent
from estimator.simplify.rounding import rounding
from estimator.simplify.slicing import Slice, Slices

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.helpers import Helper
    from estimator.simplify.hostcode import Event
    from estimator.simplify.relations import Relation

UNKNOWN = "unknown__"
ASSUME = "assume__"
_NOTHING: Mapping[str, str] = {}
_STRONG = frozenset({"+", "-", "*", "/", "%", "<<", ">>"})
_NAMES = frozenset({"identifier", "type_identifier"})


class LaunchText:
    """Writes the slices of one launch; names of outer frames make way for inner ones.

    `direct` are the launch's own expressions, each with its slice; `at` is where it stands.
    """

    def __init__(self, slices: Slices, direct: list[tuple[Node, Slice]], at: int) -> None:
        self.slices = list(slices.outermost_first())
        self.direct = direct
        self.at = at
        self._names: dict[int, dict[str, str]] = {id(part): {} for part in self.slices}
        self._name()

    # --- names -----------------------------------------------------------------------------

    def _name(self) -> None:
        taken: set[str] = set()
        for part in reversed(self.slices):
            own = self._names[id(part)]
            for name in sorted({*part.parameters, *part.passed, *_kept_names(part)}):
                text = self._wanted(part, name)
                prefix = part.frame.name or "outer"
                number = 1
                while text in taken:
                    number += 1
                    text = f"{prefix}__{name}" if number == 2 else f"{prefix}__{name}_{number}"
                own[name] = text
                taken.add(text)

    def _wanted(self, part: Slice, name: str) -> str:
        """The name of a parameter that is nothing but one parameter of what it is passed to."""
        if name not in part.parameters:
            return name
        inner = [
            alias
            for other in self.slices
            for alias, (variable, source) in other.aliases.items()
            if source is part and variable == name and other.frame.lambda_start < 0
        ]
        return inner[0] if len(inner) == 1 and not self._is_read(part, name) else name

    def _is_read(self, part: Slice, name: str) -> bool:
        nodes = [read for event in part.kept.values() for read in event.reads]
        nodes += [node for node, source in self.direct if source is part]
        for other in self.slices:
            nodes += [node for node, source in other.passed.values() if source is part]
        return any(name in (part.evaluator.names_in(node) or ()) for node in nodes)

    def _text_of(self, part: Slice, name: str) -> str:
        while name in part.aliases:
            name, part = part.aliases[name]
        return self._names[id(part)].get(name, name)

    # --- text ------------------------------------------------------------------------------

    def parameters(self) -> str:
        """The parameters of the launch function, those of the innermost function first."""
        found = [
            part.parameters[name] + self._text_of(part, name)
            for part in reversed(self.slices)
            for name in sorted(part.parameters, key=lambda name: _declared_at(part, name))
        ]
        return ", ".join(found) or "void"

    def statements(self) -> list[Piece]:
        """All that is executed before the launch, a statement a line."""
        body: list[Piece] = []
        for part in self.slices:
            for name in sorted(part.passed, key=lambda name: _declared_at(part, name)):
                body.append(Piece("    ", self.at, False))
                body.extend(on_one_line(self._passed(part, name)))
                body.append(Piece(";\n", self.at, False))
            for _, event in sorted(part.kept.items()):
                body.append(Piece("    ", self.at, False))
                body.extend(on_one_line(self._statement(part, event)))
                body.append(Piece("\n", self.at, False))
        return body

    def assumption(self, relation: Relation) -> list[Piece]:
        """What a parameter is in others, as a statement."""
        name = self._text_of(relation.part, relation.name)
        value = on_one_line(self.expression(relation.value, relation.source))
        left, right = ("(", ")") if _binds_weakly(relation.value) else ("", "")
        head = Piece(f"    {ASSUME}({name} == {left}", self.at, False)
        return [head, *value, Piece(f"{right});\n", self.at, False)]

    def extent(self, extent: Extent | None, part: Slice) -> list[Piece]:
        """A grid or block as an argument of the launch."""
        if extent is None:
            return [Piece(UNKNOWN, self.at, False)]
        if not extent.is_split:
            return self._size(extent.parts[0], part)
        pieces = [Piece("(dim3){", self.at, False)]
        for index, node in enumerate(extent.parts):
            pieces.append(Piece(", " if index else "", self.at, False))
            pieces.extend(self.expression(node, part))
        return [*pieces, Piece("}", self.at, False)]

    def _size(self, node: Node, part: Slice) -> list[Piece]:
        pieces = self.expression(node, part)
        if node.type == "initializer_list":
            return [Piece("(dim3)", self.at, False), *pieces]
        return pieces

    def _passed(self, part: Slice, name: str) -> list[Piece]:
        """A parameter of a host function, as a variable with the value that a call gives it."""
        node, source = part.passed[name]
        known = part.variables.get(name)
        base = known.type.base if known is not None else "int"
        type_text = part.frame.draft.resolved_type(base).removeprefix("std::")
        value = self.expression(node, source)
        if type_text == "dim3" and _is_number(node, source):
            value = [Piece("{", self.at, False), *value, Piece("}", self.at, False)]
        head = f"{type_text} {self._text_of(part, name)} = "
        return [Piece(head, self.at, False), *value]

    def expression(
        self, node: Node, part: Slice, bound: Mapping[str, str] = _NOTHING
    ) -> list[Piece]:
        """An expression's pieces, members as variables of their own.

        `bound` names are replaced by their text.
        """
        draft = self._draft(part)
        self._name_members(node, part, draft, bound)
        draft.run(node.start_byte, node.end_byte)
        return on_one_line(draft.pieces(node.start_byte, node.end_byte))

    def _statement(self, part: Slice, event: Event) -> list[Piece]:
        """A kept statement's pieces: one declarator of a declaration, or an assignment."""
        node, declarator = event.node, event.declarator
        draft = self._draft(part)
        if declarator is None:
            self._name_members(node, part, draft)
        else:
            siblings = declarators_of(node)
            if len(siblings) > 1:
                draft.skip(siblings[0].start_byte, declarator.start_byte)
                draft.skip(declarator.end_byte, node.end_byte - 1)
            self._name_members(declarator, part, draft)
            if event.value is None and part.evaluator.type_of(draft.text_of(declarator)) == "dim3":
                draft.after(declarator.end_byte, " = {1, 1, 1}")
        draft.run(node.start_byte, node.end_byte)
        return draft.pieces(node.start_byte, node.end_byte)

    def _draft(self, part: Slice) -> Draft:
        outer = part.frame.draft
        binding = Binding(outer.binding.names, outer.binding.symbolic | part.parameters.keys())
        draft = Draft(outer.program, binding, outer.scope, outer.kind)
        draft.locals = outer.locals
        return draft

    def _text(self, node: Node, part: Slice, bound: Mapping[str, str]) -> str:
        return "".join(piece.text for piece in self.expression(node, part, bound))

    def _written_out(self, node: Node, part: Slice, bound: Mapping[str, str]) -> str:
        """A call that is written out: a rounded quotient, a lambda's result."""
        if node.type != "call_expression":
            return ""
        rounded = rounding(node, part.evaluator)
        if rounded is not None:
            above, *below = (
                one if isinstance(one, str) else _grouped(self._text(one, part, bound))
                for one in (rounded.above, *rounded.below)
            )
            divisor = " * ".join(below)
            divisor = f"({divisor})" if len(below) > 1 else divisor
            if not divisor:
                return above
            added = f"{above} + {divisor} - 1" if rounded.up else above
            return f"(({added}) / {divisor})"
        helper = part.evaluator.called_helper(node)
        if helper is not None:
            return self._helped(helper[0], part, bound)
        called = part.evaluator.called_lambda(node)
        if called is None:
            return ""
        given = {
            name: _grouped(self._text(argument, part, bound))
            for name, argument in called.arguments.items()
        }
        return f"({self._text(called.result, part, given)})"

    def _helped(self, helper: Helper, part: Slice, bound: Mapping[str, str]) -> str:
        """The result of a function of objects, in the caller's names."""
        given = {
            name: _grouped(self._text(argument, part, bound))
            for name, argument in helper.arguments.items()
        }
        given |= {name: self._text_of(part, member) for name, member in helper.members.items()}
        for name, value in helper.inner.items():
            given[name] = _grouped(self._text(value, part, given))
        text = self._text(helper.result, part, given)
        is_list = helper.result.type == "initializer_list"
        is_number = helper.gives_dim3 and _is_arithmetic(helper.result)
        head = "(dim3)" if helper.gives_dim3 and (is_list or is_number) else ""
        return f"({head}{{{text}}})" if is_number else f"({head}{text})"

    def _name_members(
        self, node: Node, part: Slice, draft: Draft, bound: Mapping[str, str] = _NOTHING
    ) -> None:
        """`v.size()` → `v_size`, which is a parameter; variables get the names they have here."""
        stack = [node]
        while stack:
            at = stack.pop()
            if at.type in _NAMES:
                name = draft.text_of(at)
                text = bound[name] if name in bound else self._text_of(part, name)
                if text != name:
                    draft.skip(at.start_byte, at.end_byte, text)
                continue
            written = self._written_out(at, part, bound)
            if written:
                draft.skip(at.start_byte, at.end_byte, written)
                continue
            whole = "".join(draft.text_of(at).split()).replace("->", ".")
            if at.type == "field_expression" and whole in bound:
                draft.skip(at.start_byte, at.end_byte, bound[whole])
                continue
            if at.type == "field_expression" or member_call(at):
                names = part.evaluator.names_in(at)
                name = next(iter(names or ()), "")
                is_whole = name in part.evaluator.members
                if is_whole and name in part.parameters and name not in part.variables:
                    draft.skip(at.start_byte, at.end_byte, self._text_of(part, name))
                    continue
            stack.extend(at.named_children)


def _grouped(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _is_arithmetic(node: Node) -> bool:
    return node.type in {"number_literal", "binary_expression", "unary_expression"}


def _binds_weakly(node: Node) -> bool:
    """Whether an expression needs parentheses beside `==`."""
    if node.type != "binary_expression":
        return node.type == "conditional_expression"
    operator = node.child_by_field_name("operator")
    return operator is None or operator.type not in _STRONG


def _kept_names(part: Slice) -> set[str]:
    kept = {id(event) for event in part.kept.values()}
    return {
        name
        for name, known in part.variables.items()
        if any(id(event) in kept for event in known.events)
    }


def _declared_at(part: Slice, name: str) -> int:
    known = part.variables.get(name)
    return known.declared_at if known is not None else 1 << 60


def _is_number(node: Node, part: Slice) -> bool:
    """Whether an expression is a number rather than a dim3."""
    if node.type == "identifier":
        return part.evaluator.type_of(part.frame.draft.text_of(node)) in {"int", "float"}
    return node.type in {"number_literal", "binary_expression", "unary_expression"}


def on_one_line(pieces: list[Piece]) -> list[Piece]:
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
