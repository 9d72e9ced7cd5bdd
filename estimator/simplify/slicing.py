"""The backward slice of a launch: the statements that its expressions need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from estimator.simplify.declarators import is_const
from estimator.simplify.draft import LostError
from estimator.simplify.evaluable import Evaluator, member_call
from estimator.simplify.fold import fold
from estimator.simplify.frames import Frame
from estimator.simplify.hostcode import Event, Known
from estimator.simplify.lookup import nearest
from estimator.simplify.members import member_type, member_value

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.symbols import Variable


_ALONE = frozenset({"identifier", "field_expression"})
_NAMES = frozenset({"identifier", "type_identifier"})  # as template arguments names look like types


@dataclass(slots=True)
class Slice:
    """What is needed of one frame: statements, and variables that become parameters.

    `kept` are statements by where they stand; `parameters` are declarations by name, of
    variables whose value is not known before run time; `passed` are the arguments, with the
    slice of their frame, of parameters whose value the caller says, `aliases` those that are
    just a variable of the caller; `handed` are the types of variables that are arguments of the
    kernel by their plain name, which become parameters too; `untyped` are parameters of which
    nobody says what they are.
    """

    frame: Frame
    evaluator: Evaluator
    slice_of: Callable[[Frame], Slice]
    kept: dict[int, Event] = field(default_factory=dict)
    parameters: dict[str, str] = field(default_factory=dict)
    passed: dict[str, tuple[Node, Slice]] = field(default_factory=dict)
    aliases: dict[str, tuple[str, Slice]] = field(default_factory=dict)
    handed: dict[str, str] = field(default_factory=dict)
    untyped: set[str] = field(default_factory=set)
    _seen: set[str] = field(default_factory=set)
    _values: dict[str, int | None] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, Known]:
        """The variables of the frame."""
        return self.frame.code.variables

    def hand(self, name: str, type_text: str) -> None:
        """A variable that is an argument of the kernel by its plain name is a parameter."""
        self.handed[name] = type_text
        found = self.same_in_caller(name)
        if found is not None:
            found[1].hand(found[0], type_text)

    def plain_variable(self, node: Node) -> str:
        """The variable whose plain name an expression is; empty if it is more."""
        while node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        draft = self.frame.draft
        name = draft.text_of(node)
        if node.type not in _NAMES or name in draft.binding.names:
            return ""
        if name not in self.variables and name in draft.program.symbols.constants:
            return ""
        return name

    def is_extent(self, node: Node) -> None:
        """A grid or block that is one parameter alone, of no known type, may have three axes."""
        names = self.evaluator.names_in(node) or set()
        if len(names) == 1 and (node.type in _ALONE or member_call(node)):
            self._has_axes(names.pop())

    def _has_axes(self, name: str) -> None:
        if name in self.aliases:
            outer, part = self.aliases[name]
            part._has_axes(outer)
        elif name in self.untyped:
            self.parameters[name] = "dim3 "

    def need(self, names: set[str]) -> None:
        """Follow variables back to where their values come from."""
        stack = sorted(names, reverse=True)
        while stack:
            name = stack.pop()
            if name in self._seen:
                continue
            self._seen.add(name)
            stack.extend(sorted(self._follow(name), reverse=True))

    def same_in_caller(self, name: str) -> tuple[str, Slice] | None:
        """The caller's variable that a parameter, or a variable of a lambda, is."""
        frame, known = self.frame, self.variables.get(name)
        if known is None or frame.caller is None:
            return None
        if known.declared_at < frame.lambda_start:
            return name, self.slice_of(frame.caller)
        found = self.argument(name)
        if found is None or found[1] is self:
            return None
        inner = found[1].plain_variable(found[0])
        alike = inner and found[1].evaluator.type_of(inner) == self.evaluator.type_of(name)
        return (inner, found[1]) if alike else None

    def argument(self, name: str) -> tuple[Node, Slice] | None:
        """What a call passes for a parameter that keeps its value."""
        known = self.variables.get(name)
        if known is None or not known.is_parameter or known.is_changed or known.events:
            return None
        found = self.frame.arguments.get(name)
        return None if found is None else (found[0], self.slice_of(found[1]))

    def _follow(self, name: str) -> set[str]:
        known = self.variables.get(name)
        if known is not None and known.fixed is not None:
            names = self.evaluator.names_in(known.fixed)
            if names is not None and not names & self.variables.keys():
                self.passed[name] = (known.fixed, self)
                return names
        same = self.same_in_caller(name)
        if same is not None:
            self.aliases[name] = same
            same[1].need({same[0]})
            return set()
        found = self.argument(name)
        if found is not None:
            return self._follow_argument(name, *found)
        if name in self.handed or (known is not None and (known.is_parameter or known.is_changed)):
            self._parameter(name, known)
            return set()
        if known is None:
            return self._follow_outside(name)
        needed = self.needs(name, known)
        if needed is None:
            self._parameter(name, known)
            return set()
        for event in known.events:
            self.kept[(event.declarator or event.node).start_byte] = event
        return needed

    def _follow_outside(self, name: str) -> set[str]:
        """A name that the function does not declare: of its class, of the file, or unknown."""
        value = member_value(self.frame, name)
        names = self.evaluator.names_in(value) if value is not None else None
        if value is not None and names is not None:
            self.passed[name] = (value, self)
            return names
        if not self.is_constant(name):
            self._parameter(name, None)
        return set()

    def _follow_argument(self, name: str, node: Node, other: Slice) -> set[str]:
        if other is self:  # a default argument, which names nothing of the function
            names = self.evaluator.names_in(node)
            is_known = names is not None and not names & self.variables.keys()
        else:
            names = other.evaluator.names_in(node)
            is_known = names is not None
        if name in self.handed:
            is_known = False  # a formula in the parameter is worth more than its value
        if not is_known or names is None or not self.evaluator.type_of(name):
            self._parameter(name, self.variables.get(name))
            return set()
        self.passed[name] = (node, other)
        if other is self:
            return names
        other.need(names)
        return set()

    def needs(self, name: str, known: Known) -> set[str] | None:
        """The variables that a variable's statements read; None if they are not computable."""
        needed: set[str] = set()
        if not self.evaluator.type_of(name):
            return None
        for event in known.events:
            own: set[str] = set()
            for node in event.reads:
                names = self.evaluator.names_in(node)
                if names is None:
                    return None
                own |= names
            if event.is_conditional and not own <= needed | {name}:
                return None  # as good as run time
            needed |= own
        is_unset = len(known.events) == 1 and not known.events[0].reads
        if is_unset and self.evaluator.type_of(name) != "dim3":
            return None
        return needed

    def is_constant(self, name: str) -> bool:
        """A constant of the file, which is an item of its own."""
        program = self.frame.draft.program
        if name in program.symbols.constants:
            return True
        found = program.symbols.variables.get(name)
        if not found:
            return False
        return is_const(program.tree, nearest(found, self.frame.draft.scope)[0].node)

    def _parameter(self, name: str, known: Known | None) -> None:
        type_text = self.handed.get(name, "int")
        draft = self.frame.draft
        outer = draft.program.symbols.variables.get(name)
        if known is not None and known.type.base != "auto" and self.evaluator.type_of(name):
            type_text = draft.resolved_type(known.type.base)
        elif known is None and outer:
            declared = outer[0].node.child_by_field_name("type")
            if declared is not None:
                type_text = draft.text_of(declared)
        elif known is None:
            found = self.evaluator.members.get(name) or member_type(draft, self.frame.code, name)
            type_text = found if found in {"dim3", "float", "double"} else type_text
            is_value = name in draft.program.symbols.parameter_names  # of a template
            if not found and name not in self.handed and not is_value:
                self.untyped.add(name)
        elif name not in self.handed:
            self.untyped.add(name)
        type_text = type_text.removeprefix("std::")
        value = self.start_value(name)
        mark = f"[[cuda::value({value})]] " if value else ""
        self.parameters[name] = f"{mark}{type_text} "

    # --- values ----------------------------------------------------------------------------

    def start_value(self, name: str) -> str:
        """The number that a variable is declared with; empty where it is none."""
        known = self.variables.get(name)
        same, found = self.same_in_caller(name), self.argument(name)
        node: Node | None = None
        if same is not None:
            return same[1].start_value(same[0])
        if found is not None:
            node, other = found
            return other.number(node)
        if known is None:
            node = self._outer_value(name)
        else:
            sure = [event for event in known.events if not event.is_conditional]
            if len(sure) == 1 and not known.is_overwritten and not known.is_parameter:
                node = sure[0].value
        return "" if node is None else self.number(node, name)

    def number(self, node: Node, name: str = "") -> str:
        """An expression's value as a number's text; empty where it is not known."""
        found = self._float_literal(node)
        if found:
            return found
        value = self._value(name, 0) if name else self._fold(node, 0)
        return "" if value is None else str(value)

    def _float_literal(self, node: Node) -> str:
        if node.type in {"argument_list", "initializer_list"} and node.named_child_count == 1:
            node = node.named_children[0]
        text = self.frame.draft.text_of(node)
        literal = node.named_children[0] if node.type == "unary_expression" else node
        is_float = literal.type == "number_literal" and "." in text
        return text if is_float else ""

    def _outer_value(self, name: str) -> Node | None:
        found = self.frame.draft.program.symbols.variables.get(name)
        variable: Variable | None = found[0] if found else None
        return variable.declarator.child_by_field_name("value") if variable is not None else None

    def _value(self, name: str, deep: int) -> int | None:
        if name in self._values or deep > 20:
            return self._values.get(name)
        self._values[name] = None
        known = self.variables.get(name)
        same, passed = self.same_in_caller(name), self.argument(name)
        node: Node | None = None
        if same is not None:
            self._values[name] = same[1]._value(same[0], deep + 1)
        elif passed is not None:
            self._values[name] = passed[1]._fold(passed[0], deep + 1)
        elif known is None:
            node = self._outer_value(name)
        elif not known.is_parameter and known.events:
            node = known.events[0].value
        if node is not None:
            self._values[name] = self._fold(node, deep)
        return self._values[name]

    def _fold(self, node: Node, deep: int) -> int | None:
        names = self.evaluator.names_in(node)
        if names is None or deep > 20:
            return None
        values = {one: value for one in names if (value := self._value(one, deep + 1)) is not None}
        try:
            text = self.frame.draft.rendered(node.start_byte, node.end_byte).strip()
        except LostError:
            return None
        if node.type in {"argument_list", "initializer_list", "parameter_list"}:
            text = f"({text[1:-1]})"
        return fold(text, values)


class Slices:
    """The slices of all frames that one launch goes through."""

    def __init__(self, own: Frame) -> None:
        self.own = own
        self._slices: dict[int, Slice] = {}

    def of(self, frame: Frame) -> Slice:
        """The slice of a frame."""
        found = self._slices.get(id(frame))
        if found is None:
            found = Slice(frame, Evaluator(frame.draft, frame.code), self.of)
            self._slices[id(frame)] = found
        return found

    @property
    def says_more(self) -> bool:
        """Whether a call says more of the launch than the launch's own function does."""
        return any(
            part.passed or any(name not in at.parameters for name, at in part.aliases.values())
            for part in self._slices.values()
        )

    def outermost_first(self) -> Iterator[Slice]:
        """The slices in the order in which their statements are executed."""
        found = list(self._slices.values())
        return iter(sorted(found, key=lambda one: -_depth(one.frame, self.own)))


def _depth(frame: Frame, own: Frame) -> int:
    depth, at = 0, own
    while at is not frame and at.caller is not None:
        depth, at = depth + 1, at.caller
    return depth
