"""The ways through host code to a launch: who calls the function that it stands in, with what."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.declarators import declared_name, declared_parameter, function_declarator
from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.hostcode import HostCode, HostReader
from estimator.simplify.hostmethods import class_binding, class_instances, template_method
from estimator.simplify.hosttemplates import host_binding, instantiations, outer_types
from estimator.simplify.localaliases import with_aliases
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.symbols import Function, FunctionKind, Parameter
from estimator.simplify.tree import TopNode

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.program import Program

# More calls on the way to a launch than this are not followed.
_DEEPEST = 5
MOST_FRAMES = 64
_PACK = re.compile(r"\.\.\.\s*(\w+)\s*$")
_QUALIFIED = re.compile(r"__(global|device)__")


@dataclass(slots=True, eq=False)
class Frame:
    """A function of the host as one call enters it, read up to `node`.

    `arguments` are the expressions that its parameters stand for, each with the frame that it
    stands in; `packs` the same for parameter packs. Type parameters in `open` are not known.
    """

    node: Node
    code: HostCode
    draft: Draft
    name: str = ""
    arguments: dict[str, tuple[Node, Frame]] = field(default_factory=dict)
    packs: dict[str, list[tuple[Node, Frame]]] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    caller: Frame | None = None
    lambda_start: int = -1  # of the lambda that was called; what is declared before is captured

    @property
    def calls(self) -> list[Node]:
        """The calls that lead here, the nearest first."""
        found: list[Node] = []
        frame = self.caller
        while frame is not None:
            found.append(frame.node)
            frame = frame.caller
        return found


@immutable()
class _Callee:
    """What is called: a function, a method, or a lambda with a name."""

    name: str
    node: Node
    parameters: tuple[Parameter, ...]
    pack: str = ""
    function: Function | None = None
    is_lambda: bool = False
    is_method: bool = False

    def takes(self, count: int) -> bool:
        least = sum(one.default is None for one in self.parameters)
        return least <= count and (bool(self.pack) or count <= len(self.parameters))


class Frames:
    """Finds the frames of the launches of one file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.reader = HostReader(program.tree, _references(program))
        self.outer = outer_types(program)
        self._starts = [top.node.start_byte for top in program.tree.top]
        self._calls: dict[str, list[Node]] | None = None
        self._functions = {
            function.node.id: function
            for named in program.symbols.functions.values()
            for function in named
        }

    def of(self, node: Node) -> list[Frame]:
        """The frames that a launch is executed in; none for code of the GPU.

        At most one more than MOST_FRAMES, which says that there are too many.
        """
        return list(islice(self._frames(node, ()), MOST_FRAMES + 1))

    def _frames(self, node: Node, through: tuple[int, ...]) -> Iterator[Frame]:
        index = bisect_right(self._starts, node.start_byte) - 1
        if index < 0:
            return
        top = self.program.tree.top[index]
        code = self.reader.before(top.node, node)
        if code.function is not None and self._is_device(code.function):
            return
        known: set[int] = set()
        callee: _Callee | None = None
        for callee in self._callees(code):
            if callee.node.id in through or len(through) >= _DEEPEST:
                continue
            for call in self._calls_of(callee):
                if callee.node.start_byte <= call.start_byte < callee.node.end_byte:
                    continue  # its own call of itself says nothing new
                for caller in self._frames(call, (*through, callee.node.id)):
                    frame = self._entered(node, code, top, callee, caller)
                    if frame is not None:
                        known.add(call.id)
                        yield frame
            if known:
                return
        yield from self._uncalled(node, code, top, callee)

    # --- what is called ------------------------------------------------------------------

    def _is_device(self, node: Node) -> bool:
        declarator = function_declarator(node)
        end = declarator.start_byte if declarator is not None else node.start_byte
        return _QUALIFIED.search(self.program.tree.parsed, node.start_byte, end) is not None

    def _callees(self, code: HostCode) -> list[_Callee]:
        """What a call could enter: the lambda around the launch, the function around both."""
        found: list[_Callee] = []
        holder = code.inner.parent if code.inner is not None else None
        if code.inner is not None and holder is not None and holder.type == "init_declarator":
            declarator = code.inner.child_by_field_name("declarator")
            found += self._callee(code.inner, declarator, declared_name(holder), True)
        if code.function is not None:
            declarator = function_declarator(code.function)
            name_node = declarator.child_by_field_name("declarator") if declarator else None
            name_node = last_name(name_node) if name_node is not None else None
            found += self._callee(code.function, declarator, name_node, False)
        return found

    def _callee(
        self, node: Node, declarator: Node | None, name_node: Node | None, is_lambda: bool
    ) -> list[_Callee]:
        tree = self.program.tree
        if name_node is None:
            return []
        name = tree.text_of(name_node)
        listed = declarator.child_by_field_name("parameters") if declarator is not None else None
        children = listed.named_children if listed is not None else []
        parameters = tuple(
            declared_parameter(tree, child)
            for child in children
            if child.type in {"parameter_declaration", "optional_parameter_declaration"}
        )
        if len(parameters) == 1 and parameters[0].base == "void" and not parameters[0].depth:
            parameters = ()
        packs = [one for one in children if one.type == "variadic_parameter_declaration"]
        found = _PACK.search(tree.text_of(packs[0])) if packs else None
        if not is_lambda:
            parameters = self._with_defaults(name, parameters)
        pack = found.group(1) if found else ""
        function = self._functions.get(node.id)
        if function is None and not is_lambda:
            draft = Draft(self.program, Binding(), "", FunctionKind.HOST)
            function = template_method(node, declarator, name, parameters, draft)
            return [_Callee(name, node, parameters, pack, function, is_method=True)]
        return [_Callee(name, node, parameters, pack, function, is_lambda)]

    def _with_defaults(self, name: str, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        """Parameters with the defaults that an earlier declaration of the function gives."""
        for declared in self.program.symbols.declared.get(name, ()):
            if len(declared) == len(parameters):
                parameters = tuple(
                    replace(own, default=own.default or other.default)
                    for own, other in zip(parameters, declared, strict=True)
                )
        return parameters

    def _calls_of(self, callee: _Callee) -> list[Node]:
        if self._calls is None:
            self._calls = {}
            for node in self.program.tree.constructs:
                if node.type == "call_expression":
                    name = self._called_name(node)
                    if name:
                        self._calls.setdefault(name, []).append(node)
        calls = self._calls.get(callee.name, [])
        if not callee.is_lambda:
            return calls
        return [one for one in calls if one.start_byte > callee.node.end_byte]

    def _called_name(self, call: Node) -> str:
        function = call.child_by_field_name("function")
        if function is None:
            return ""
        last = last_name(function)
        if last.type == "field_expression":
            last = last.child_by_field_name("field") or last
        if last.type in {"template_function", "template_method", "dependent_name"}:
            last = last.child_by_field_name("name") or last
        return self.program.tree.text_of(last)

    # --- frames ----------------------------------------------------------------------------

    def _draft(self, code: HostCode, top: TopNode, binding: Binding) -> Draft:
        draft = Draft(self.program, binding, top.scope, FunctionKind.HOST)
        own = {name: known.type for name, known in code.variables.items()}
        draft.locals = {**self.outer, **own}
        return draft

    def _uncalled(
        self, node: Node, code: HostCode, top: TopNode, callee: _Callee | None
    ) -> Iterator[Frame]:
        """A function that nothing in the file calls, once for each explicit instantiation."""
        function = callee.function if callee is not None else None
        found = list(instantiations(function, self.program)) if function is not None else []
        for binding in found:
            yield self._alone(node, code, top, callee, binding)
        if not found:
            draft = self._draft(code, top, Binding())
            instances = list(class_instances(code.function, draft))
            for binding, unknown in instances:
                yield self._alone(node, code, top, callee, binding, unknown)
            if not instances:
                yield self._alone(node, code, top, callee)

    def _alone(
        self,
        node: Node,
        code: HostCode,
        top: TopNode,
        callee: _Callee | None,
        instance: Binding | None = None,
        unknown: frozenset[str] = frozenset(),
    ) -> Frame:
        """A function that nothing in the file calls: its parameters are not known."""
        binding = instance or Binding()
        function = callee.function if callee is not None else None
        is_open = instance is None or (callee is not None and callee.is_method)
        if is_open and function is not None and function.template:
            own, open_ = host_binding(function, [], None, None)
            binding, unknown = binding.joined(own), unknown | open_
        name = callee.name if callee is not None else ""
        frame = Frame(node, code, self._draft(code, top, binding), name, open=unknown)
        frame.draft.open = unknown
        frame.draft.binding = with_aliases(node, frame.draft)
        return frame

    def _entered(
        self, node: Node, code: HostCode, top: TopNode, callee: _Callee, caller: Frame
    ) -> Frame | None:
        """The frame for one call; None if the call means another function."""
        call = caller.node
        listed = call.child_by_field_name("arguments")
        given = [one for one in listed.named_children if one.type != "comment"] if listed else []
        flat = list(_expanded(given, caller))
        if not callee.takes(len(flat)) or not self._means(call, callee, caller):
            return None
        binding, unknown = Binding(), frozenset[str]()
        if callee.function is not None and callee.function.template:
            binding, unknown = host_binding(callee.function, flat, call, caller)
        draft = self._draft(code, top, Binding())
        if not callee.is_lambda:
            around, open_ = class_binding(code.function, call, caller, draft)
            binding, unknown = around.joined(binding), unknown | open_
        frame = Frame(node, code, self._draft(code, top, binding), callee.name, open=unknown)
        if callee.is_lambda:
            frame.lambda_start = callee.node.start_byte
            frame.draft.binding, frame.open = caller.draft.binding, caller.open
        frame.draft.open = frame.open
        frame.draft.binding = with_aliases(node, frame.draft)
        for index, parameter in enumerate(callee.parameters):
            if index < len(flat):
                frame.arguments[parameter.name] = flat[index]
            elif parameter.default is not None:
                default = self._default(parameter)
                if default is not None:
                    frame.arguments[parameter.name] = (default, frame)
        if callee.pack:
            frame.packs[callee.pack] = flat[len(callee.parameters) :]
        frame.caller = caller
        return frame

    def _default(self, parameter: Parameter) -> Node | None:
        span = parameter.default
        if span is None:
            return None
        for top in self.program.tree.top:
            if top.node.start_byte <= span.start < top.node.end_byte:
                return top.node.descendant_for_byte_range(span.start, span.end)
        return None

    def _means(self, call: Node, callee: _Callee, caller: Frame) -> bool:
        """Whether a call of that name is one of this function."""
        if callee.is_lambda:
            return callee.name in caller.code.variables
        if callee.name in caller.code.variables:
            return False
        if callee.function is None or callee.is_method:
            return True
        function = call.child_by_field_name("function")
        if function is None or function.type == "field_expression":
            return False
        if callee.function.kind is not FunctionKind.HOST:
            return False
        listed = call.child_by_field_name("arguments")
        count = listed.named_child_count if listed is not None else 0
        scopes = scopes_of(function, caller.draft)
        same = self.program.symbols.functions.get(callee.name, [])
        if len(same) == 1:
            return True
        try:
            found = self.program.find_function(callee.name, scopes, count, call, caller.draft)
        except LostError:
            return False
        return found is callee.function


def _references(program: Program) -> dict[str, frozenset[int]]:
    """Which arguments the functions of the host may change, by their place."""
    found: dict[str, frozenset[int]] = {}
    for name, named in program.symbols.functions.items():
        places = {
            index
            for function in named
            if function.kind is FunctionKind.HOST
            for index, parameter in enumerate(function.parameters)
            if parameter.is_reference and not parameter.is_const
        }
        if places:
            found[name] = frozenset(places)
    return found


def _expanded(given: list[Node], caller: Frame) -> Iterator[tuple[Node, Frame]]:
    """Arguments with `args...` replaced by what the pack stands for."""
    for node in given:
        if node.type == "parameter_pack_expansion":
            name = pack_name(node)
            yield from caller.packs.get(name, [])
        else:
            yield node, caller


def pack_name(node: Node) -> str:
    """`args`, of `args...` and of `std::forward<Args>(args)...`."""
    text = node.text.decode() if node.text is not None else ""
    found = re.findall(r"[A-Za-z_]\w*", text.split("...")[0])
    return found[-1] if found else ""
