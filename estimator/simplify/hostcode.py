"""What happens in host code before a launch, as far as straight-line code says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.branchvalues import bindings, values_in
from estimator.simplify.declarators import (
    declarators_of,
    declared_name,
    function_declarator,
    is_const,
    reference_layer,
)
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
    r"|(?:(?<=[(,=])|\breturn\b)\s*(?:\([^()]*\)\s*)?&\s*(?P<addressed>[A-Za-z_]\w*)"
    r"|>>\s*(?P<read>[A-Za-z_]\w*)\s*(?=>>|;)"
)


_OF_MEMBER = re.compile(r"\s*\.\s*(\w+)")
# Structures of which every member is a part of a launch.
_WHOLE = frozenset({"dim3", "uint3", "cudaLaunchConfig_t"})
_ARGUMENTS = re.compile(r"(?:const\s+)?void\s*\*\s*\w+\s*\[")
_SETTERS = frozenset({"swap", "exchange", "tie"})
# Calls that take an address and change nothing behind it.
_READ_ONLY = re.compile(r"\bcudaLaunchKernelExC?\s*(?:<[^;()]*>)?\s*\(\s*$")


@immutable()
class Event:
    """A statement that sets a variable: a declaration's declarator, or an assignment.

    An `if` that only assigns is one event of every variable that it sets; `others` are then its
    condition and all that it assigns from and to.
    """

    node: Node
    declarator: Node | None
    value: Node | None
    others: tuple[Node, ...] = ()
    is_conditional: bool = False

    @property
    def reads(self) -> list[Node]:
        """The expressions that the statement needs."""
        return [node for node in (self.value, *self.others) if node is not None]


@immutable()
class _Declared:
    name: str
    type: CType
    start: int
    event: Event


@immutable()
class _Facts:
    """What one statement does: declare variables, assign one, change others unclearly."""

    declared: tuple[_Declared, ...] = ()
    assigned: tuple[tuple[str, Event], ...] = ()
    changed: tuple[str, ...] = ()
    is_straight: bool = False
    bound: tuple[tuple[str, Node], ...] = ()
    element: tuple[str, Event] | None = None  # `a[0] = &x;`, which changes `changed` too
    passed: tuple[str, ...] = ()  # handed to a function, which may set what has no value yet

    @property
    def says_anything(self) -> bool:
        return self != _Facts(is_straight=self.is_straight)


@dataclass(slots=True)
class Known:
    """What is known of a variable where the launch stands."""

    type: CType
    declared_at: int
    events: list[Event] = field(default_factory=list)
    is_parameter: bool = False
    is_changed: bool = False  # in a loop, a branch, or through its address
    is_overwritten: bool = False  # through its address or by a loop, whatever happens
    changed_members: set[str] = field(default_factory=set)  # through their own addresses
    fixed: Node | None = None  # its value, as a branch around the launch says: `case 512:`


@dataclass(slots=True)
class HostCode:
    """The variables that a launch can see."""

    function: Node | None
    inner: Node | None = None  # the lambda in it that the launch stands in
    variables: dict[str, Known] = field(default_factory=dict)
    bound: dict[str, Node] = field(default_factory=dict)  # by `auto [a, b] = value;`


@dataclass(slots=True)
class HostReader:
    """Reads host code; what a statement does is found once, however many launches follow it.

    `references` are the parameters, by their place, that a function of the file may change.
    """

    tree: Tree
    references: Mapping[str, frozenset[int]]
    _facts: dict[int, list[tuple[int, _Facts]]] = field(default_factory=dict)

    def before(self, top: Node, launch: Node) -> HostCode:
        """Follow the code from the start of the launch's function to the launch."""
        path = _path_to(top, launch)
        functions = [node for node in path if node.type == "function_definition"]
        inner = [node for node in path if node.type in _FUNCTIONS]
        is_lambda = bool(inner) and inner[-1].type == "lambda_expression"
        code = HostCode(functions[-1] if functions else None, inner[-1] if is_lambda else None)
        start = path.index(functions[-1]) if functions else 0
        for node, below in zip(path[start:], path[start + 1 :], strict=False):
            for name, value in values_in(self.tree, node, below):
                if name in code.variables:
                    code.variables[name].fixed = value
            if node.type in _FUNCTIONS:
                self._parameters(node, code)
            elif node.type in _TRANSPARENT:
                for start, facts in self._facts_in(node):
                    if start >= below.start_byte:
                        break
                    _apply(facts, code)
            if node.type in _LOOPS or node.type == "lambda_expression":
                # What a loop around the launch steps has no one value there.
                _change(_changes(self.tree, node), code, always=node.type in _LOOPS)
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

    def _facts_in(self, node: Node) -> list[tuple[int, _Facts]]:
        """What the statements of a block do, those that do nothing left out."""
        found = self._facts.get(node.id)
        if found is None:
            read = ((child.start_byte, self._read(child)) for child in node.children)
            found = [(start, facts) for start, facts in read if facts.says_anything]
            self._facts[node.id] = found
        return found

    def _read(self, node: Node) -> _Facts:
        facts = _read_statement(self.tree, node)
        passed: list[str] = []
        changed: list[str] = []
        for call in self.tree.constructs_in(node.start_byte, node.end_byte):
            if call.type != "call_expression" or _is_launch(call):
                continue
            function = call.child_by_field_name("function")
            arguments = call.child_by_field_name("arguments")
            name = self._name(function)
            by_reference = self.references.get(name, frozenset())
            given = arguments.named_children if arguments is not None else []
            for index, argument in enumerate(given):
                if argument.type == "identifier":
                    sets = index in by_reference or name in _SETTERS
                    listed = changed if sets else passed
                    listed.append(self.tree.text_of(argument))
        if not passed and not changed:
            return facts
        return replace(facts, changed=(*facts.changed, *changed), passed=tuple(passed))

    def _name(self, function: Node | None) -> str:
        text = self.tree.text_of(function) if function is not None else ""
        return text.partition("<")[0].rpartition("::")[2].strip()


def _is_launch(call: Node) -> bool:
    return any(child.type == "kernel_call_syntax" for child in call.children)


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
    code.bound.update(facts.bound)
    for one in facts.declared:
        code.variables[one.name] = Known(one.type, one.start, [one.event])
    for name, event in facts.assigned:
        known = code.variables.get(name)
        if known is not None:
            known.fixed = None
            known.events.append(event)
    for name in facts.passed:
        known = code.variables.get(name)
        if known is not None and not known.is_parameter and not any(e.reads for e in known.events):
            known.is_changed = known.is_overwritten = True
    if facts.element is not None:
        name, event = facts.element
        array = code.variables.get(name)
        if array is not None and array.type.base == "void":  # the arguments of a launch
            array.events.append(event)
            return
    _change(facts.changed, code, always=facts.is_straight)


def _change(names: tuple[str, ...], code: HostCode, *, always: bool) -> None:
    for changed in names:
        name, _, member = changed.partition(".")
        known = code.variables.get(name)
        if known is None:
            continue
        if member and known.type.base not in _WHOLE:
            known.changed_members.add(member)
        else:
            known.fixed = None
            known.is_changed = True
            known.is_overwritten |= always


def _read_statement(tree: Tree, node: Node) -> _Facts:
    if node.type == "declaration":
        declared = _declarations(tree, node)
        own = {one.name for one in declared}
        changed = tuple(name for name in _changes(tree, node) if name not in own)
        changed = (*changed, *_referred(tree, node))
        return _Facts(declared, (), changed, True, tuple(bindings(tree, node)))
    if node.type == "expression_statement":
        assigned = _assigned(tree, node)
        if assigned is not None:
            name, reads = assigned
            return _Facts((), ((name, Event(node, None, reads[0])),), _elsewhere(tree, node))
        element = _element(tree, node)
        if element is not None:
            return _Facts((), (), _changes(tree, node), True, (), element)
    if node.type == "if_statement":
        conditional = _conditional(tree, node)
        if conditional is not None:
            return conditional
    is_straight = node.type == "expression_statement"
    return _Facts((), (), _changes(tree, node), is_straight)


def _referred(tree: Tree, node: Node) -> list[str]:
    """The variables that a declaration gives another name: `int &r = t;`."""
    if is_const(tree, node):
        return []
    return [
        tree.text_of(value)
        for declarator in declarators_of(node)
        if reference_layer(declarator) is not None
        and (value := declarator.child_by_field_name("value")) is not None
        and value.type == "identifier"
    ]


def _assigned(tree: Tree, node: Node) -> tuple[str, list[Node]] | None:
    """The variable that a statement such as `x = e;` or `x++;` sets, and what it reads."""
    inner = node.named_children[0] if node.named_children else None
    if inner is None:
        return None
    if inner.type == "update_expression":
        target = inner.child_by_field_name("argument")
        if target is not None and target.type == "identifier":
            return tree.text_of(target), [target, target]
    if inner.type == "assignment_expression":
        name, right = assigned_name(tree, inner), inner.child_by_field_name("right")
        left = inner.child_by_field_name("left")
        if name and right is not None and left is not None:
            return name, [right, left]
    return None


def _element(tree: Tree, node: Node) -> tuple[str, Event] | None:
    """The array of `args[2] = &n;`."""
    inner = node.named_children[0] if node.named_children else None
    left = inner.child_by_field_name("left") if inner is not None else None
    if left is None or left.type != "subscript_expression":
        return None
    array = left.child_by_field_name("argument")
    right = inner.child_by_field_name("right") if inner is not None else None
    if array is None or right is None or array.type != "identifier":
        return None
    return tree.text_of(array), Event(node, None, right)


def _elsewhere(tree: Tree, node: Node) -> tuple[str, ...]:
    """What an assignment changes besides its variable: `x = f(&y);` changes y."""
    inner = node.named_children[0]
    right = inner.child_by_field_name("right")
    return () if right is None else _changes(tree, right)


def _conditional(tree: Tree, node: Node) -> _Facts | None:
    """`if (n % t) nb++;`: an `if` of assignments and nothing else, without `else`."""
    condition, then = (node.child_by_field_name(name) for name in ("condition", "consequence"))
    if condition is None or then is None or node.child_by_field_name("alternative") is not None:
        return None
    value = condition.child_by_field_name("value")
    is_block = then.type == "compound_statement"
    statements = then.named_children if is_block else [then]
    reads = [value] if value is not None else []
    names: list[str] = []
    for statement in statements:
        if statement.type == "comment":
            continue
        assigned = _assigned(tree, statement) if statement.type == "expression_statement" else None
        if assigned is None or _elsewhere(tree, statement):
            return None
        names.append(assigned[0])
        reads += assigned[1]
    if not names or not reads or _changes(tree, condition):
        return None
    event = Event(node, None, None, tuple(reads), is_conditional=True)
    return _Facts((), tuple((name, event) for name in dict.fromkeys(names)))


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


def assigned_name(tree: Tree, node: Node) -> str:
    """The variable of `x = e`, `grid.x = e` or `c.gridDim.x = e`; empty for other assignments."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    while left is not None and left.type == "field_expression":
        left = left.child_by_field_name("argument")
    if left is None or right is None or left.type != "identifier":
        return ""
    return "" if right.type == "assignment_expression" else tree.text_of(left)


def _changes(tree: Tree, node: Node) -> tuple[str, ...]:
    """The names that a statement may change in a way that is no straight line."""
    found = []
    for match in _CHANGE.finditer(tree.parsed, node.start_byte, node.end_byte):
        if match.lastgroup == "addressed":
            before = tree.parsed[max(node.start_byte, match.start() - 80) : match.start()]
            if _READ_ONLY.search(before) or _is_argument_array(tree, node):
                continue
            member = _OF_MEMBER.match(tree.parsed, match.end(), node.end_byte)
            if member is not None:
                found.append(f"{match['addressed']}.{member[1]}")
                continue
        found.append(match.group(match.lastgroup or 0))
    return tuple(dict.fromkeys(found))


def _is_argument_array(tree: Tree, node: Node) -> bool:
    """`void *args[] = {&x, &n};`: the addresses of a launch's arguments, which it only reads."""
    return node.type == "declaration" and _ARGUMENTS.match(tree.text_of(node)) is not None
