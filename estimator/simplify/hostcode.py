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


@dataclass(slots=True)
class Known:
    """What is known of a variable where the launch stands."""

    type: CType
    declared_at: int
    events: list[Event] = field(default_factory=list)
    is_parameter: bool = False
    is_changed: bool = False  # in a loop, a branch, or through its address


@dataclass(slots=True)
class HostCode:
    """The variables that a launch can see."""

    function: Node | None
    variables: dict[str, Known] = field(default_factory=dict)


def path_to(top: Node, target: Node) -> list[Node]:
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


def host_code(tree: Tree, top: Node, launch: Node) -> HostCode:
    """Follow the code from the start of the launch's function to the launch."""
    path = path_to(top, launch)
    functions = [node for node in path if node.type == "function_definition"]
    code = HostCode(functions[-1] if functions else None)
    start = path.index(functions[-1]) if functions else 0
    for node, below in zip(path[start:], path[start + 1 :], strict=False):
        if node.type in _FUNCTIONS:
            _parameters(tree, node, code)
        elif node.type in _TRANSPARENT:
            for child in node.children:
                if child.start_byte >= below.start_byte:
                    break
                _statement(tree, child, code)
        if node.type in _LOOPS or (node.type == "lambda_expression"):
            _region(tree, node, code)
    return code


def _parameters(tree: Tree, node: Node, code: HostCode) -> None:
    outer = node.child_by_field_name("declarator")
    declarator = function_declarator(node) or outer
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    for child in listed.named_children if listed is not None else []:
        name = declared_name(child)
        if name is not None:
            declared = declared_type(tree, child, child.child_by_field_name("declarator"))
            code.variables[tree.text_of(name)] = Known(
                declared, child.start_byte, is_parameter=True
            )


def _statement(tree: Tree, node: Node, code: HostCode) -> None:
    if node.type == "declaration":
        for declarator in declarators_of(node):
            name = declared_name(declarator)
            if name is None:
                continue
            value = declarator.child_by_field_name("value")
            function = function_declarator(declarator)
            if function is not None:
                value = function.child_by_field_name("parameters")
            known = Known(declared_type(tree, node, declarator), declarator.start_byte)
            if function is not None and function.child_by_field_name("declarator") is not None:
                known.type = declared_type(tree, node, name)
            known.events.append(Event(node, declarator, value))
            code.variables[tree.text_of(name)] = known
        _region(tree, node, code, declaring=True)
        return
    if node.type == "expression_statement" and node.named_children:
        inner = node.named_children[0]
        if inner.type == "assignment_expression" and _assign(tree, node, inner, code):
            return
    _region(tree, node, code)


def _assign(tree: Tree, statement: Node, node: Node, code: HostCode) -> bool:
    """`x = e;` or `grid.x = e;` in a straight line."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return False
    if left.type == "field_expression":
        left = left.child_by_field_name("argument")
    if left is None or left.type != "identifier" or right.type == "assignment_expression":
        return False
    known = code.variables.get(tree.text_of(left))
    if known is not None:
        known.events.append(Event(statement, None, right))
    return True


def _region(tree: Tree, node: Node, code: HostCode, *, declaring: bool = False) -> None:
    """Whatever a statement that is no straight line changes is not known behind it."""
    for match in _CHANGE.finditer(tree.parsed, node.start_byte, node.end_byte):
        name = match.group(match.lastgroup or 0)
        known = code.variables.get(name)
        if known is None or (declaring and match.lastgroup == "assigned"):
            continue
        known.is_changed = True
