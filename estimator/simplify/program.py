"""The work of simplifying one file: which items are needed, and what became of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from estimator.simplify import lookup
from estimator.simplify.definitions import constant_pieces, type_pieces, variable_pieces
from estimator.simplify.draft import Binding, Draft, LostError, Piece, Rule
from estimator.simplify.functions import function_pieces, placeholder_names
from estimator.simplify.instances import (
    Key,
    Unbound,
    call_key,
    instance_name,
    normal_value,
    word_of,
)
from estimator.simplify.symbols import (
    Function,
    FunctionKind,
    ParameterKind,
    Span,
    Symbols,
    Type,
    TypeKind,
    Variable,
)
from estimator.simplify.tree import Tree
from estimator.simplify.unit import ItemKind
from estimator.source.codes import TOO_LARGE

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_ITEMS = 4000
_MOST_INSTANCES = 200


@dataclass(frozen=True, slots=True)
class Made:
    """An item as it was made. `order`: where in the source it belongs.

    `kernel`: the kernel that a launch launches.
    """

    kind: ItemKind
    name: str
    order: int
    pieces: tuple[Piece, ...]
    kernel: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """An item that was lost, and the exception that says why."""

    kind: ItemKind
    name: str
    order: int
    why: LostError
    is_host: bool = False


class Program:
    """Items are asked for by what refers to them, and made from a queue, each once."""

    def __init__(self, tree: Tree, symbols: Symbols, rules: dict[str, Rule]) -> None:
        self.tree = tree
        self.symbols = symbols
        self.rules = rules
        self.made: list[Made] = []
        self.failed: list[Failed] = []
        self._names = lookup.function_names(symbols)
        self._instances: dict[tuple[int, Key], str] = {}
        self._count: dict[int, int] = {}
        self._orders: dict[str, int] = {}
        self._types: dict[tuple[int, tuple[str, ...]], str] = {}
        self._variables: set[int] = set()
        self._placeholders: set[str] = set()
        self._simple: dict[tuple[int, Key], bool] = {}
        self._device_uses: set[int] = set()
        self._queue: deque[Callable[[], None]] = deque()

    def drain(self) -> None:
        """Make everything that was asked for, and what that asks for in turn."""
        while self._queue:
            self._queue.popleft()()

    # --- functions -------------------------------------------------------------------------

    def find_function(
        self, name: str, scopes: list[str], count: int, call: Node, draft: Draft
    ) -> Function | None:
        return lookup.find_function(self.symbols, name, scopes, call, count, draft)

    def require_function(self, function: Function, key: Key = ()) -> str:
        """Ask for a function or an instance of a template; gives its simplified name."""
        at = (function.node.start_byte, key)
        known = self._instances.get(at)
        if known is not None:
            return known
        count = self._count.get(function.node.start_byte, 0) + 1
        self._count[function.node.start_byte] = count
        if count > _MOST_INSTANCES or len(self._instances) > _MOST_ITEMS:
            raise LostError(
                function.node.start_byte,
                f"'{function.name}' has more than {_MOST_INSTANCES} instances",
                TOO_LARGE,
            )
        base = self._names[function]
        name = instance_name(base, function, key) if key else base
        if name in self._instances.values() and key:
            name = f"{name}__{count}"
        self._instances[at] = name
        for placeholder in placeholder_names(function, key, name):
            self._placeholders.add(placeholder)
            self._orders[placeholder] = self._order(function.node.start_byte, key)
        self._queue.append(lambda: self._make_function(function, name, key))
        return name

    def is_simple(self, function: Function, key: Key) -> bool:
        """Whether a host function has a rule for everything in it."""
        at = (function.node.start_byte, key)
        if at not in self._simple:
            try:
                function_pieces(self, function, function.name, key, FunctionKind.HOST)
                self._simple[at] = True
            except LostError:
                self._simple[at] = False
        return self._simple[at]

    def use_on_device(self, function: Function) -> None:
        """Note that code of the GPU calls a function."""
        self._device_uses.add(function.node.start_byte)

    def require_call(
        self, function: Function, last: Node, arguments: Node, draft: Draft
    ) -> tuple[str, list[str]]:
        """Ask for the instance that a call means: its name, and arguments to add to the call."""
        key, runtime = call_key(function, template_arguments(last, draft), arguments, draft, last)
        return self.require_function(function, key), runtime

    def instances_of(self, function: Function) -> int:
        """How many instances were asked for."""
        return self._count.get(function.node.start_byte, 0)

    def specialisation(self, function: Function, key: Key) -> Function | None:
        """The explicit specialisation that replaces an instance, if there is one."""
        if not key or any(isinstance(argument, Unbound) for argument in key):
            return None
        for other in self.symbols.functions.get(function.name, ()):
            if other.specialises is None or other.scope != function.scope:
                continue
            draft = Draft(self, Binding(), other.scope, None)
            texts = [draft.rendered_node(child) for child in other.specialises.named_children]
            given = [
                normal_value(parameter, text)
                for parameter, text in zip(function.template or (), texts, strict=False)
            ]
            if tuple(given) == key[: len(given)]:
                return other
        return None

    def _make_function(self, function: Function, name: str, key: Key) -> None:
        kind = function.kind
        if kind is FunctionKind.HOST and function.node.start_byte in self._device_uses:
            kind = FunctionKind.DEVICE  # a constexpr function runs on both sides
        item_kind = ItemKind.KERNEL if kind is FunctionKind.KERNEL else ItemKind.FUNCTION
        order = self._order(function.node.start_byte, key)
        for placeholder in placeholder_names(function, key, name):
            text = f"[[cuda::deduced]] typedef int {placeholder};"
            piece = Piece(text, function.node.start_byte, False)
            self.made.append(Made(ItemKind.TYPE, placeholder, order, (piece,)))
        self._make(
            item_kind,
            name,
            order,
            lambda: function_pieces(self, function, name, key, kind),
            is_host=kind is FunctionKind.HOST,
        )

    def _order(self, start: int, key: Sequence[str]) -> int:
        """Behind the definition, and behind the types that an instance is made of."""
        return max([start, *(self._orders.get(argument, 0) for argument in key)])

    def _make(
        self,
        kind: ItemKind,
        name: str,
        order: int,
        pieces: Callable[[], list[Piece]],
        *,
        is_host: bool = False,
    ) -> None:
        try:
            self.made.append(Made(kind, name, order, tuple(pieces())))
        except LostError as why:
            self.failed.append(Failed(kind, name, order, why, is_host))
        except RecursionError:
            deep = LostError(order, f"'{name}' is nested too deeply", TOO_LARGE)
            self.failed.append(Failed(kind, name, order, deep, is_host))

    # --- types and variables ---------------------------------------------------------------

    def find_type(self, name: str, scope: str) -> Type | None:
        return lookup.find_type(self.symbols, name, scope)

    def alias_target(self, name: str, scope: str) -> str | None:
        return lookup.alias_target(self.symbols, name, scope, self.tree.text)

    def is_type_parameter(self, name: str) -> bool:
        """Whether a template parameter of this name stands for a type somewhere."""
        return name in self.symbols.type_parameters

    def is_placeholder(self, text: str) -> bool:
        """Whether a type's text is bound anew by every call."""
        return any(word in self._placeholders for word in text.split())

    def need_name(self, name: str, offset: int, draft: Draft) -> None:
        """Ask for the type, constant or variable that a word in an item names."""
        defined = self.find_type(name, draft.scope)
        if defined is not None and name == defined.name:
            if defined.template is not None:
                if name not in draft.locals:
                    raise LostError(
                        offset, f"the template '{name}' without arguments is not supported"
                    )
                return
            self.require_type(defined, ())
            return
        constant = self.symbols.constants.get(name)
        if constant is not None:
            self.require_type(constant, ())
        found = self.symbols.variables.get(name)
        if found:
            self.require_variable(lookup.nearest(found, draft.scope)[0])

    def require_type(self, defined: Type, arguments: tuple[str, ...]) -> str:
        """Ask for a type; gives its simplified name."""
        at = (defined.node.start_byte, arguments)
        known = self._types.get(at)
        if known is not None:
            return known
        name = defined.name
        if arguments:
            name = f"{name}__{'_'.join(word_of(argument) for argument in arguments)}"
        self._types[at] = name
        order = self._order(defined.node.start_byte, arguments)
        self._orders[name] = order
        self._queue.append(
            lambda: self._make(
                ItemKind.TYPE, name, order, lambda: type_pieces(self, defined, name, arguments)
            )
        )
        if defined.kind is TypeKind.RECORD:
            for constant in defined.constants:
                self._require_constant(defined, constant)
        return name

    def _require_constant(self, defined: Type, constant: str) -> None:
        name = f"{defined.name}__{constant}"
        self._queue.append(
            lambda: self._make(
                ItemKind.VARIABLE,
                name,
                defined.node.start_byte,
                lambda: constant_pieces(self, defined, constant),
            )
        )

    def require_type_instance(
        self, defined: Type, arguments: list[str], at: Node, draft: Draft
    ) -> str:
        """Ask for an instance of a class template; gives its simplified name."""
        full: list[str] = []
        for index, parameter in enumerate(defined.template or ()):
            if index < len(arguments):
                text = arguments[index]
            elif parameter.default is not None:
                span = parameter.default
                text = self.rendered_with(span.start, span.end, Binding(), defined.scope)
            else:
                raise draft.lose(at, f"the type '{defined.name}' with these arguments")
            if parameter.kind in {ParameterKind.TYPE, ParameterKind.VALUE}:
                text = normal_value(parameter, text)
            full.append(text)
        return self.require_type(defined, tuple(full))

    def require_variable(self, variable: Variable) -> None:
        """Ask for a variable outside every function."""
        if variable.declarator.start_byte in self._variables:
            return
        self._variables.add(variable.declarator.start_byte)
        self._queue.append(
            lambda: self._make(
                ItemKind.VARIABLE,
                variable.name,
                variable.declarator.start_byte,
                lambda: variable_pieces(self, variable),
            )
        )

    # --- text ------------------------------------------------------------------------------

    def rendered_with(self, start: int, end: int, binding: Binding, scope: str) -> str:
        """The simplified text of `[start, end)` on one line, under a binding."""
        draft = Draft(self, binding, scope, None)
        return " ".join(draft.rendered(start, end).split())

    def rendered_default(self, function: Function, default: Span, draft: Draft) -> str:
        """A default argument; template parameters in it are those of the caller."""
        return self.rendered_with(default.start, default.end, draft.binding, function.scope)


def template_arguments(node: Node, draft: Draft) -> list[str]:
    """The explicit template arguments behind a name, simplified."""
    listed = node.child_by_field_name("arguments") if node.type == "template_function" else None
    if listed is None:
        return []
    return [draft.rendered_node(child) for child in listed.named_children]
