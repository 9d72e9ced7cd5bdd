"""What happens in host code before a launch, as far as straight-line code says it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from estimator.simplify.declarators import declarators_of, declared_name, function_declarator
from estimator.simplify.inference import CType, declared_type
from estimator.simplify.tree import Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = frozenset({"function_definition", "lambda_expression"})
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement", "for_range_loop"})
_TRANSPARENT = frozenset(
    {"compound_statement", "for_statement", "if_statement", "labeled_statement", "case_statement"}
)
# An assignment, increment, address or stream extraction, whatever the statement around it.
_CHANGE = re.compile(
    r"(?P<assigned>\b[A-Za-z_]\w*)(?:\s*(?:\.|->)\s*\w+)*\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)"
    r"|(?:\+\+|--)\s*(?P<stepped>[A-Za-z_]\w*)"
    r"|(?:[(,=]|\breturn\b)\s*(?:\([^()]*\)\s*)?&\s*(?P<addressed>[A-Za-z_]\w*)"
    r"|>>\s*(?P<read>[A-Za-z_]\w*)\s*(?=>>|;)"
)


@dataclass(frozen=True, slots=True)
class Event:
    """A statement that sets a variable: a declaration's declarator, or an assignment."""

    node: Node
    declarator: Node | None
    value: Node | None


@dataclass(frozen=True, slots=True)
class _Declared:
    name: str
    type: CType
    start: int
    event: Event


@dataclass(frozen=True, slots=True)
class _Facts:
    """What one statement does: declare variables, assign one, change others unclearly."""

    declared: tuple[_Declared, ...] = ()
    assigned: tuple[str, Event] | None = None
    changed: tuple[str, ...] = ()
    is_straight: bool = False


@dataclass(slots=True)
class Known:
    """What is known of a variable where the launch stands."""

    type: CType
    declared_at: int
    events: list[Event] = field(default_factory=list)
    is_parameter: bool = False
    is_changed: bool = False  # in a loop, a branch, or through its address
    is_overwritten: bool = False  # through its address, whatever happens


@dataclass(slots=True)
class HostCode:
    """The variables that a launch can see."""

    function: Node | None
    variables: dict[str, Known] = field(default_factory=dict)


@dataclass(slots=True)
class HostReader:
    """Reads host code; what a statement does is found once, however many launches follow it."""

    tree: Tree
    _facts: dict[int, _Facts] = field(default_factory=dict)

    def before(self, top: Node, launch: Node) -> HostCode:
        """Follow the code from the start of the launch's function to the launch."""
        path = _path_to(top, launch)
        functions = [node for node in path if node.type == "function_definition"]
        code = HostCode(functions[-1] if functions else None)
        start = path.index(functions[-1]) if functions else 0
        for node, below in zip(path[start:], path[start + 1 :], strict=False):
            if node.type in _FUNCTIONS:
                self._parameters(node, code)
            elif node.type in _TRANSPARENT:
                for child in node.children:
                    if child.start_byte >= below.start_byte:
                        break
                    _apply(self._facts_of(child), code)
            if node.type in _LOOPS or node.type == "lambda_expression":
                _change(_changes(self.tree, node), code, always=False)
        return code

    def _parameters(self, node: Node, code: HostCode) -> None:
        outer = node.child_by_field_name("declarator")
        declarator = function_declarator(node) or outer
        listed = declarator.child_by_field_name("parameters") if declarator is not None else None
        for child in listed.named_children if listed is not None else []:
            name = declared_name(child)
            if name is not None:
                inner = child.child_by_field_name("declarator")
                declared = declared_type(self.tree, child, inner)
                known = Known(declared, child.start_byte, is_parameter=True)
                code.variables[self.tree.text_of(name)] = known

    def _facts_of(self, node: Node) -> _Facts:
        facts = self._facts.get(node.id)
        if facts is None:
            facts = _read_statement(self.tree, node)
            self._facts[node.id] = facts
        return facts


def _path_to(top: Node, target: Node) -> list[Node]:
    """The nodes from `top` down to `target`."""
    found = [top]
    node = top
    while node.id != target.id:
        below = node.child_with_descendant(target)
        if below is None:
            break
        node = below
        found.append(node)
    return found


def _apply(facts: _Facts, code: HostCode) -> None:
    for one in facts.declared:
        code.variables[one.name] = Known(one.type, one.start, [one.event])
    if facts.assigned is not None:
        name, event = facts.assigned
        known = code.variables.get(name)
        if known is not None:
            known.events.append(event)
    _change(facts.changed, code, always=facts.is_straight)


def _change(names: tuple[str, ...], code: HostCode, *, always: bool) -> None:
    for name in names:
        known = code.variables.get(name)
        if known is not None:
            known.is_changed = True
            known.is_overwritten |= always


def _read_statement(tree: Tree, node: Node) -> _Facts:
    if node.type == "declaration":
        declared = _declarations(tree, node)
        own = {one.name for one in declared}
        changed = tuple(name for name in _changes(tree, node) if name not in own)
        return _Facts(declared, None, changed, True)
    if node.type == "expression_statement" and node.named_children:
        inner = node.named_children[0]
        if inner.type == "assignment_expression":
            name = _assigned_name(tree, inner)
            if name:
                event = Event(node, None, inner.child_by_field_name("right"))
                return _Facts((), (name, event))
    is_straight = node.type == "expression_statement"
    return _Facts((), None, _changes(tree, node), is_straight)


def _declarations(tree: Tree, node: Node) -> tuple[_Declared, ...]:
    found: list[_Declared] = []
    for declarator in declarators_of(node):
        name = declared_name(declarator)
        if name is None:
            continue
        declared = declared_type(tree, node, declarator)
        value = declarator.child_by_field_name("value")
        function = function_declarator(declarator)
        if function is not None:  # `dim3 grid(n, m);`, read as a function's declaration
            value = function.child_by_field_name("parameters")
            declared = declared_type(tree, node, name)
        event = Event(node, declarator, value)
        found.append(_Declared(tree.text_of(name), declared, declarator.start_byte, event))
    return tuple(found)


def _assigned_name(tree: Tree, node: Node) -> str:
    """The variable of `x = e` or `grid.x = e`; empty for other assignments."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and left.type == "field_expression":
        left = left.child_by_field_name("argument")
    if left is None or right is None or left.type != "identifier":
        return ""
    return "" if right.type == "assignment_expression" else tree.text_of(left)


def _changes(tree: Tree, node: Node) -> tuple[str, ...]:
    """The names that a statement may change in a way that is no straight line."""
    found = _CHANGE.finditer(tree.parsed, node.start_byte, node.end_byte)
    return tuple({match.group(match.lastgroup or 0) for match in found})
