"""Which expressions of host code the analysis can compute from integers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.declarators import base_type_text
from estimator.simplify.draft import Draft, LostError
from estimator.simplify.helpers import Helper, read_helper
from estimator.simplify.hostcode import HostCode
from estimator.simplify.instances import call_key
from estimator.simplify.lambdas import CalledLambda, read_lambda
from estimator.simplify.members import field_type, member_type
from estimator.simplify.names import CXX_CASTS, FLOAT_WORDS, HOST_FUNCTIONS, INTEGER_WORDS, words
from estimator.simplify.resolve import explicit_arguments
from estimator.simplify.rounding import rounding
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.symbols import Function, FunctionKind, ParameterKind

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN = words("""
    number_literal char_literal true false parenthesized_expression binary_expression
    unary_expression conditional_expression argument_list initializer_list sizeof_expression
    character comment
    """)
_TYPES = words("""
    type_descriptor primitive_type sized_type_specifier type_identifier type_qualifier
    template_argument_list namespace_identifier
    """)

_FLOATING = re.compile(r"\d\.|\.\d|\b(?:float|double)\b|\d[eE][-+\d]")


class Evaluator:
    """Decides for one host function, under one binding of its template parameters."""

    def __init__(self, draft: Draft, code: HostCode) -> None:
        self.draft = draft
        self.code = code
        # The types of members that count as variables; empty where they are not known.
        self.members: dict[str, str] = {}
        self.whole_members: dict[str, str] = {}  # `g_nx` as it is written, `g.nx`
        self._helpers: dict[int, tuple[Helper, Evaluator] | None] = {}

    def type_of(self, name: str) -> str:
        """`int`, `float` or `dim3` for variables that can be computed with, else `""`."""
        known = self.code.variables.get(name)
        if known is None:
            symbols = self.draft.program.symbols
            if member_type(self.draft, self.code, name) == "dim3":
                return "dim3"
            outer = symbols.variables.get(name)
            base = base_type_text(self.draft.tree, outer[0].node) if outer else ""
            if self.draft.resolved_type(base) in FLOAT_WORDS:
                return "float"
            return "int" if name in symbols.constants or name not in symbols.types else ""
        if known.type.depth:
            return ""
        base = self.draft.resolved_type(known.type.base.removeprefix("std::"))
        base = base.removeprefix("std::")
        if base in {"dim3", "auto"}:
            return base
        if all(word in INTEGER_WORDS for word in base.split()):
            return "int"
        return "float" if base in FLOAT_WORDS else ""

    def names_in(self, node: Node) -> set[str] | None:
        """The variables in an expression; None if the expression cannot be computed.

        Members such as `size.width` and `v.size()` count as variables, `size_width`.
        """
        names: set[str] = set()
        stack = [node]
        while stack:
            at = stack.pop()
            kind = at.type
            if kind == "identifier":
                name = self.draft.text_of(at)
                if name not in self.draft.binding.names:
                    if not self.type_of(name):
                        return None
                    names.add(name)
            elif kind == "call_expression" and (inside := self._names_in_helper(at)) is not None:
                names |= inside
            elif kind == "field_expression" or member_call(at):
                member = self._member(at)
                if member is None:
                    return None
                names.add(member)
            elif kind == "call_expression":
                inlined = self._inlined(at)
                if inlined is not None:
                    names |= inlined
                    continue
                if not self._is_computable_call(at):
                    return None
                arguments = at.child_by_field_name("arguments")
                if arguments is not None:
                    stack.extend(arguments.named_children)
            elif kind in {"cast_expression", "compound_literal_expression"}:
                target = at.child_by_field_name("type")
                if target is None or not self._is_number_type(target):
                    return None
                value = at.child_by_field_name("value")
                if value is not None:
                    stack.append(value)
            elif kind == "parameter_list" or kind in {"parameter_declaration"}:
                stack.extend(at.named_children)  # `dim3 grid(n, m)`, read as a declaration
            elif kind == "type_identifier":
                name = self.draft.text_of(at)
                if name not in self.draft.binding.names and not self.draft.is_type(name):
                    names.add(name)
            elif kind == "pointer_declarator":
                stack.extend(at.named_children)
            elif kind == "sizeof_expression" or kind == "qualified_identifier":
                continue
            elif kind in _PLAIN:
                stack.extend(at.named_children)
            elif kind not in _TYPES:
                return None
        return names

    def is_integer(self, node: Node) -> bool:
        """Whether an expression computes with integers only."""
        names = self.names_in(node)
        if names is None or not all(self._is_whole(name, node) for name in names):
            return False
        return _FLOATING.search(self.draft.text_of(node)) is None

    def _is_whole(self, name: str, node: Node) -> bool:
        """Whether a variable of an expression is an integer in it: `b.x` of a dim3 is one."""
        if self.members.get(name) in FLOAT_WORDS:
            return False
        kind = self.type_of(name)
        return kind == "int" or (kind == "dim3" and not self._stands_alone(name, node))

    def _stands_alone(self, name: str, node: Node) -> bool:
        """Whether an expression has an object itself, and not only its members."""
        if node.type == "field_expression":
            return False
        if node.type == "identifier":
            return self.draft.text_of(node) == name
        return any(self._stands_alone(name, child) for child in node.named_children)

    def _inlined(self, node: Node) -> set[str] | None:
        """The variables in a call that is written out: a rounded quotient, a lambda's result."""
        rounded = rounding(node, self)
        if rounded is not None:
            return self._names_of(rounded.nodes)
        called = self.called_lambda(node)
        if called is None:
            return None
        inside = self._names_of([called.result])
        given = self._names_of(list(called.arguments.values()))
        if inside is None or given is None:
            return None
        return (inside - called.arguments.keys()) | given

    def _names_of(self, nodes: list[Node]) -> set[str] | None:
        found: set[str] = set()
        for node in nodes:
            names = self.names_in(node)
            if names is None:
                return None
            found |= names
        return found

    def called_helper(self, node: Node) -> tuple[Helper, Evaluator] | None:
        """The function of objects that a call means, if it can be written out."""
        if node.id not in self._helpers:
            helper = read_helper(node, self.draft, self.code)
            self._helpers[node.id] = None  # where it calls itself
            if helper is not None:
                inner = Evaluator(self.draft, helper.code)
                inner._helpers = self._helpers  # what it calls is written out in the same text
                self._helpers[node.id] = helper, inner
        return self._helpers[node.id]

    def _names_in_helper(self, node: Node) -> set[str] | None:
        """The variables that a function of objects rests on; None if it is none, or more."""
        called = self.called_helper(node)
        if called is None:
            return None
        helper, inner = called
        names: set[str] = set()
        for part in (helper.result, *helper.inner.values()):
            own = inner.names_in(part)
            if own is None:
                return None
            for name in own:
                found = self._meant(inner.whole_members.get(name, name), helper)
                if found is None:
                    return None
                names |= found
        return names

    def _meant(self, name: str, helper: Helper) -> set[str] | None:
        """What a name of a function is in its caller's variables."""
        if name in helper.inner:
            return set()
        if name in helper.arguments:
            return self.names_in(helper.arguments[name])
        if name in helper.members:
            self.members.setdefault(helper.members[name], "")
            return {helper.members[name]}
        outer = self.draft.program.symbols
        is_known = name in outer.constants or name in outer.variables
        return {name} if is_known and name not in self.code.variables else None

    def called_lambda(self, node: Node) -> CalledLambda | None:
        """The lambda that a call means, if it only returns an expression."""
        function = node.child_by_field_name("function")
        known = None
        if function is not None and function.type == "identifier":
            known = self.code.variables.get(self.draft.text_of(function))
        if known is None or known.is_changed or len(known.events) != 1:
            return None
        return read_lambda(self.draft.tree, known.events[0].value, node)

    def _member(self, node: Node) -> str | None:
        field = node
        if node.type == "call_expression":
            field = node.child_by_field_name("function") or node
        inner = field.child_by_field_name("argument")
        member = field.child_by_field_name("field")
        if inner is None or member is None or inner.type not in {"identifier", "this"}:
            return None
        name = self.draft.text_of(inner)
        inside = self.draft.text_of(member)
        kind = self.type_of(name)
        is_axis = kind == "dim3" or (kind == "auto" and inside in {"x", "y", "z"})
        if is_axis and node.type != "call_expression":
            return name
        ctype = ""
        if inner.type == "this":
            ctype = member_type(self.draft, self.code, inside)
        elif node.type != "call_expression" and (known := self.code.variables.get(name)):
            ctype = field_type(self.draft, known.type.base, inside)
        self.members[f"{name}_{inside}"] = ctype
        self.whole_members[f"{name}_{inside}"] = f"{name}.{inside}"
        return f"{name}_{inside}"

    def _is_number_type(self, node: Node) -> bool:
        if node.type == "type_descriptor" and node.child_by_field_name("declarator") is not None:
            return False
        text = self.draft.text_of(node)
        if node.type == "type_descriptor":
            text = base_type_text(self.draft.tree, node)
        parts = self.draft.resolved_type(text.removeprefix("std::")).split()
        return bool(parts) and all(
            part in INTEGER_WORDS or part in FLOAT_WORDS or part == "dim3" for part in parts
        )

    def _is_computable_call(self, node: Node) -> bool:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return False
        if function.type in {"primitive_type", "sized_type_specifier"}:
            return self._is_number_type(function)
        last = last_name(function)
        name_node = last.child_by_field_name("name") if last.type == "template_function" else last
        if name_node is None or name_node.type != "identifier":
            return False
        name = self.draft.text_of(name_node)
        if name in CXX_CASTS:
            listed = last.child_by_field_name("arguments")
            return listed is not None and self._is_number_type(listed.named_children[0])
        if self.draft.is_type(name):
            return self._is_number_type(name_node)
        scopes = scopes_of(function, self.draft)
        try:
            count = len(arguments.named_children)
            found = self.draft.program.find_function(name, scopes, count, node, self.draft)
            if found is None:
                return name in HOST_FUNCTIONS
            return is_computable(found, last, arguments, self.draft)
        except LostError:
            return False


def member_call(node: Node) -> bool:
    """`v.size()`: a call of a member function without arguments."""
    if node.type != "call_expression":
        return False
    function = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    return (
        function is not None
        and function.type == "field_expression"
        and arguments is not None
        and not arguments.named_children
    )


def is_computable(
    function: Function, last: Node, arguments: Node, draft: Draft, deep: int = 0
) -> bool:
    """Whether a helper function of the host can be kept: it must call only known functions."""
    if function.kind is FunctionKind.KERNEL or function.fault is not None or deep > 10:
        return False
    if any(one.depth or one.base.startswith("std::") for one in function.parameters):
        return False
    key, runtime = (
        ((), [])
        if function.template is None
        else call_key(
            Callee(function),
            explicit_arguments(last, draft),
            arguments.named_children,
            [],
            draft,
            last,
        )
    )
    if runtime or any(one.kind is ParameterKind.PACK for one in function.template or ()):
        return False
    if not draft.program.is_simple(function, key):
        return False
    node = function.node
    for call in draft.tree.constructs_in(node.start_byte, node.end_byte):
        if call.type == "call_expression" and not _calls_known(call, draft, deep):
            return False
    return True


def _calls_known(call: Node, draft: Draft, deep: int) -> bool:
    function = call.child_by_field_name("function")
    arguments = call.child_by_field_name("arguments")
    if function is None or arguments is None:
        return False
    if function.type in {"primitive_type", "sized_type_specifier"}:
        return True
    last = last_name(function)
    name_node = last.child_by_field_name("name") if last.type == "template_function" else last
    if name_node is None:
        return False
    name = draft.text_of(name_node)
    if name in CXX_CASTS or name in HOST_FUNCTIONS or draft.is_type(name):
        return True
    if name in draft.program.symbols.parameter_names:
        return True
    count = len(arguments.named_children)
    found = draft.program.find_function(name, scopes_of(function, draft), count, call, draft)
    return found is not None and is_computable(found, last, arguments, draft, deep + 1)
