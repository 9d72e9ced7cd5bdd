"""The backward slice of a launch: the statements that its expressions need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from estimator.simplify.declarators import declarators_of, is_const
from estimator.simplify.draft import Binding, Draft, LostError, Piece
from estimator.simplify.evaluable import Evaluator, member_call
from estimator.simplify.fold import fold
from estimator.simplify.hostcode import Event, HostCode, Known
from estimator.simplify.lookup import nearest
from estimator.simplify.symbols import Variable

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(slots=True)
class Slice:
    """Statements to keep and variables that become parameters, each with its declaration."""

    draft: Draft
    code: HostCode
    evaluator: Evaluator
    kept: dict[int, Event] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    handed: dict[str, str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _values: dict[str, int | None] = field(default_factory=dict)

    def hand(self, name: str, type_text: str) -> None:
        """A variable that is an argument of the kernel by its plain name is a parameter."""
        self.handed[name] = type_text

    def need(self, names: set[str]) -> None:
        """Follow variables back to where their values come from."""
        stack = sorted(names, reverse=True)
        while stack:
            name = stack.pop()
            if name in self._seen:
                continue
            self._seen.add(name)
            stack.extend(sorted(self._follow(name), reverse=True))

    def _follow(self, name: str) -> set[str]:
        known = self.code.variables.get(name)
        if name in self.handed or (known is not None and (known.is_parameter or known.is_changed)):
            self._parameter(name, known)
            return set()
        if known is None:
            if self._outer(name):
                return set()
            self._parameter(name, None)
            return set()
        needed: set[str] = set()
        for event in known.events:
            if event.value is None:
                continue
            names = self.evaluator.names_in(event.value)
            if names is None or not self.evaluator.type_of(name):
                self._parameter(name, known)
                return set()
            needed |= names
        is_unset = len(known.events) == 1 and known.events[0].value is None
        if is_unset and self.evaluator.type_of(name) != "dim3":
            self._parameter(name, known)
            return set()
        for event in known.events:
            start = (event.declarator or event.node).start_byte
            self.kept[start] = event
        return needed

    def _outer(self, name: str) -> bool:
        """A constant of the file, which is an item of its own."""
        program = self.draft.program
        if name in program.symbols.constants:
            return True
        found = program.symbols.variables.get(name)
        if not found:
            return False
        return is_const(program.tree, nearest(found, self.draft.scope)[0].node)

    def _parameter(self, name: str, known: Known | None) -> None:
        type_text = self.handed.get(name, "int")
        outer = self.draft.program.symbols.variables.get(name)
        if known is not None and known.type.base != "auto" and self.evaluator.type_of(name):
            type_text = self.draft.resolved_type(known.type.base)
        elif known is None and outer:
            declared = outer[0].node.child_by_field_name("type")
            if declared is not None:
                type_text = self.draft.text_of(declared)
        type_text = type_text.removeprefix("std::")
        value = self.start_value(name)
        mark = f"[[cuda::value({value})]] " if value else ""
        self.parameters[name] = f"{mark}{type_text} {name}"

    # --- values ----------------------------------------------------------------------------

    def start_value(self, name: str) -> str:
        """The number that a variable is declared with; empty where it is none."""
        known = self.code.variables.get(name)
        node: Node | None = None
        if known is None:
            node = self._outer_value(name)
        elif len(known.events) == 1 and not known.is_overwritten:
            node = known.events[0].value
        if node is None:
            return ""
        number = self._float_literal(node)
        if number:
            return number
        value = self._value(name, 0)
        return "" if value is None else str(value)

    def _float_literal(self, node: Node) -> str:
        if node.type in {"argument_list", "initializer_list"} and node.named_child_count == 1:
            node = node.named_children[0]
        text = self.draft.text_of(node)
        literal = node.named_children[0] if node.type == "unary_expression" else node
        is_float = literal.type == "number_literal" and "." in text
        return text if is_float else ""

    def _outer_value(self, name: str) -> Node | None:
        found = self.draft.program.symbols.variables.get(name)
        variable: Variable | None = found[0] if found else None
        return variable.declarator.child_by_field_name("value") if variable is not None else None

    def _value(self, name: str, deep: int) -> int | None:
        if name in self._values or deep > 20:
            return self._values.get(name)
        self._values[name] = None
        known = self.code.variables.get(name)
        node: Node | None = None
        if known is None:
            node = self._outer_value(name)
        elif not known.is_parameter and known.events:
            node = known.events[0].value
        if node is None:
            return None
        names = self.evaluator.names_in(node)
        if names is None:
            return None
        values = {one: value for one in names if (value := self._value(one, deep + 1)) is not None}
        try:
            text = self.draft.rendered(node.start_byte, node.end_byte).strip()
        except LostError:
            return None
        if node.type in {"argument_list", "initializer_list", "parameter_list"}:
            text = f"({text[1:-1]})"
        self._values[name] = fold(text, values)
        return self._values[name]

    # --- text ------------------------------------------------------------------------------

    def expression(self, node: Node) -> list[Piece]:
        """An expression's pieces, members as variables of their own."""
        draft = self._draft()
        self._name_members(node, draft)
        draft.run(node.start_byte, node.end_byte)
        return draft.pieces(node.start_byte, node.end_byte)

    def statement(self, event: Event) -> list[Piece]:
        """A kept statement's pieces: one declarator of a declaration, or an assignment."""
        node, declarator = event.node, event.declarator
        draft = self._draft()
        if event.value is not None:
            self._name_members(event.value, draft)
        if declarator is not None:
            siblings = declarators_of(node)
            if len(siblings) > 1:
                draft.skip(siblings[0].start_byte, declarator.start_byte)
                draft.skip(declarator.end_byte, node.end_byte - 1)
            if event.value is None and self.evaluator.type_of(draft.text_of(declarator)) == "dim3":
                draft.after(declarator.end_byte, " = {1, 1, 1}")
        draft.run(node.start_byte, node.end_byte)
        return draft.pieces(node.start_byte, node.end_byte)

    def _draft(self) -> Draft:
        outer = self.draft
        binding = Binding(outer.binding.names, outer.binding.symbolic | self.parameters.keys())
        draft = Draft(outer.program, binding, outer.scope, outer.kind)
        draft.locals = outer.locals
        return draft

    def _name_members(self, node: Node, draft: Draft) -> None:
        """`v.size()` → `v_size`, which is a parameter."""
        stack = [node]
        while stack:
            at = stack.pop()
            if at.type == "field_expression" or member_call(at):
                names = self.evaluator.names_in(at)
                name = next(iter(names or ()), "")
                if name in self.parameters and name not in self.code.variables:
                    draft.skip(at.start_byte, at.end_byte, name)
                continue
            stack.extend(at.named_children)
