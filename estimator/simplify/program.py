"""The work of simplifying one file: which items are needed, and what became of each."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from estimator.simplify import lookup
from estimator.simplify.classes import Callee, Record
from estimator.simplify.closures import Lambdas
from estimator.simplify.definitions import (
    constant_pieces,
    enumerator_pieces,
    type_pieces,
    variable_pieces,
)
from estimator.simplify.draft import Binding, Draft, LostError, Piece, Rule
from estimator.simplify.functions import (
    Wanted,
    function_draft,
    function_pieces,
    placeholder_names,
)
from estimator.simplify.inference import CType
from estimator.simplify.instances import Key, instance_name, word_of
from estimator.simplify.library import libraries_of
from estimator.simplify.made import Failed, Made
from estimator.simplify.opentypes import refuse_class
from estimator.simplify.records_table import RecordsTable
from estimator.simplify.signatures import Signatures
from estimator.simplify.specialisations import (
    choose_specialisation,
    specialisations,
    start_of,
    type_arguments,
    type_binding,
)
from estimator.simplify.symbols import (
    Function,
    FunctionKind,
    Span,
    Symbols,
    Type,
    TypeKind,
    Variable,
)
from estimator.simplify.synonyms import comparable
from estimator.simplify.tree import Tree
from estimator.simplify.unit import ItemKind
from estimator.source.codes import TOO_LARGE

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_MOST_ITEMS = 4000
_MOST_INSTANCES = 1000
# A type that names a larger instance of its own template would do so without end.
_LONGEST_NAME = 2500


class Program:
    """Items are asked for by what refers to them, and made from a queue, each once."""

    def __init__(self, tree: Tree, symbols: Symbols, rules: dict[str, Rule]) -> None:
        self.tree = tree
        self.symbols = symbols
        self.rules = rules
        self.made: list[Made] = []
        self.failed: list[Failed] = []
        self._names = lookup.function_names(symbols)
        self.instances: dict[tuple[int, Key, str, bool], Wanted] = {}
        self._count: dict[int, int] = {}
        self._made_count = 0
        self._orders: dict[str, int] = {}
        self._types: dict[tuple[int, tuple[str, ...]], str] = {}
        self._variables: set[int] = set()
        self.placeholders: dict[str, str] = {}  # the type parameters that they stand for
        self._simple: dict[tuple[int, Key], bool] = {}
        self._device_uses: set[int] = set()
        self.specialised: set[int] = set()  # where specialisations stand that were asked for
        self.libraries = libraries_of(tree.parsed)
        self._queue: deque[Callable[[], None]] = deque()
        self._taken = {word for word in _WORD.findall(tree.parsed) if "__" in word}
        self._asked: set[tuple[int, Key, str, bool]] = set()
        self._constants: set[str] = set()
        self.table = RecordsTable(self)
        self.records = self.table.by_name
        self.bindings: dict[str, Record] = {}
        self.signatures = Signatures(self)
        self.lambdas = Lambdas(self)
        self.is_typed = symbols.need_types() or any(
            node.type in {"lambda_expression", "decltype"} for node in tree.constructs
        )

    def drain(self) -> None:
        """Make everything that was asked for, and what that asks for in turn."""
        while self._queue:
            self._queue.popleft()()

    def find_function(
        self, name: str, scopes: list[str], count: int, call: Node, draft: Draft
    ) -> Function | None:
        return lookup.find_function(self.symbols, name, scopes, call, count, draft)

    def require_function(
        self,
        function: Function,
        key: Key = (),
        owner: Record | None = None,
        this: Record | None = None,
        *,
        is_init: bool = False,
    ) -> str:
        """Ask for a function or an instance of a template; gives its simplified name."""
        callee = Callee(function, owner, this)
        wanted = self.wanted(callee, key, is_init=is_init)
        at = (function.node.start_byte, key, callee.object_name, is_init)
        if at not in self._asked:
            self._asked.add(at)
            self._queue.append(lambda: self._make_function(wanted))
        return wanted.name

    def wanted(self, callee: Callee, key: Key, *, is_init: bool = False) -> Wanted:
        """A function or instance under its simplified name, without asking for it."""
        function, owner, this = callee.function, callee.owner, callee.this
        at = (function.node.start_byte, key, callee.object_name, is_init)
        if at not in self.instances:
            name = self._name(callee, key, is_init=is_init)
            self.instances[at] = Wanted(function, key, name, function.kind, owner, this, is_init)
        return self.instances[at]

    def _name(self, callee: Callee, key: Key, *, is_init: bool) -> str:
        function, owner = callee.function, callee.owner
        count = self._count.get(function.node.start_byte, 0) + 1
        self._count[function.node.start_byte] = count
        # What the file itself spells out ends with the file; instances may go on for ever.
        is_made = bool(key) or owner is not None
        self._made_count += is_made
        if is_made and (count > _MOST_INSTANCES or self._made_count > _MOST_ITEMS):
            raise LostError(
                function.node.start_byte,
                f"'{function.name}' has more than {_MOST_INSTANCES} instances",
                TOO_LARGE,
            )
        if owner is None:
            base = self._names[function]
        else:
            base = lookup.method_name(self.table, function, owner, callee.this, is_init=is_init)
        name = instance_name(base, function, key) if key else base
        if key or owner is not None:
            name = lookup.unused(name, count, self._taken)
        self._taken.add(name)
        for placeholder in placeholder_names(function, key, name):
            self.placeholders[placeholder] = placeholder.removeprefix(f"{name}__")
            self._orders[placeholder] = self._order(function.node.start_byte, key)
        return name

    def result_of(self, callee: Callee, key: Key) -> CType | None:
        """The type of what a function gives; None where it is not known."""
        return self.signatures.result(callee, key)

    def parameter_types(self, callee: Callee, key: Key) -> Sequence[CType | None]:
        """The types of a function's parameters."""
        return self.signatures.parameters(callee, key)

    def is_simple(self, function: Function, key: Key) -> bool:
        """Whether a host function has a rule for everything in it."""
        at = (function.node.start_byte, key)
        if at not in self._simple:
            try:
                wanted = Wanted(function, key, function.name, FunctionKind.HOST)
                function_pieces(self, wanted)
                self._simple[at] = True
            except LostError:
                self._simple[at] = False
        return self._simple[at]

    def is_specialised(self, function: Function) -> bool:
        """Whether the file has explicit specialisations of a function template."""
        return bool(specialisations(self, function))

    def use_on_device(self, function: Function) -> None:
        """Note that code of the GPU calls a function."""
        self._device_uses.add(function.node.start_byte)

    def instances_of(self, function: Function) -> int:
        """How many instances were asked for."""
        return self._count.get(function.node.start_byte, 0)

    def _make_function(self, wanted: Wanted) -> None:
        function, key, name = wanted.function, wanted.key, wanted.name
        kind = function.kind
        if kind is FunctionKind.HOST and function.node.start_byte in self._device_uses:
            kind = FunctionKind.DEVICE  # a constexpr function runs on both sides
        item_kind = ItemKind.KERNEL if kind is FunctionKind.KERNEL else ItemKind.FUNCTION
        texts = [one for one in key if isinstance(one, str)]
        if wanted.owner is not None:
            texts.extend(one.name for one in (wanted.owner, wanted.this) if one is not None)
        order = self._order(function.node.start_byte, texts)
        for placeholder in reversed(placeholder_names(function, key, name)):
            text = f"typedef deduced__ {placeholder};"
            piece = Piece(text, function.node.start_byte, False)
            # In front of the types of that order, which may be made of it.
            self.made.insert(0, Made(ItemKind.TYPE, placeholder, order, (piece,)))
        self._make(
            item_kind,
            name,
            order,
            lambda: function_pieces(self, replace(wanted, kind=kind)),
            is_host=kind is FunctionKind.HOST,
            is_instance=bool(key) or wanted.owner is not None,
        )

    def _order(self, start: int, key: Sequence[object]) -> int:
        """Behind the definition, and behind the types that an instance is made of."""
        texts = [one for one in key if isinstance(one, str)]
        return max([start, *(self._orders.get(text, 0) for text in texts)])

    def _make(
        self,
        kind: ItemKind,
        name: str,
        order: int,
        pieces: Callable[[], list[Piece]],
        *,
        is_host: bool = False,
        is_instance: bool = False,
    ) -> None:
        try:
            made = tuple(pieces())
            if is_instance:  # it may name types that are defined behind the template
                words = {word for piece in made for word in _WORD.findall(piece.text)}
                order = self._order(order, sorted(words & self._orders.keys()))
            self.made.append(Made(kind, name, order, made))
        except LostError as why:
            self.failed.append(Failed(kind, name, order, why, is_host))
        except RecursionError:
            deep = LostError(order, f"'{name}' is nested too deeply", TOO_LARGE)
            self.failed.append(Failed(kind, name, order, deep, is_host))

    def find_type(self, name: str, scope: str) -> Type | None:
        return lookup.find_type(self.symbols, name, scope)

    def alias_target(self, name: str, scope: str) -> str | None:
        return lookup.alias_target(self.symbols, name, scope, self.tree.text)

    def is_type_parameter(self, name: str) -> bool:
        """Whether a template parameter of this name stands for a type somewhere."""
        return name in self.symbols.type_parameters or name in self.symbols.local_aliases

    def is_placeholder(self, text: str) -> bool:
        """Whether a type's text is bound anew by every call."""
        return any(word in self.placeholders for word in text.split())

    def need_name(self, name: str, offset: int, draft: Draft) -> str | None:
        """Ask for the type, constant or variable that a word in an item names.

        Gives the name that it has in the simplified text, None where that is its own.
        """
        defined = self.find_type(name, draft.scope)
        if defined is not None and name == defined.name:
            if defined.template is not None:
                if name not in draft.locals:
                    raise LostError(
                        offset, f"the template '{name}' without arguments is not supported"
                    )
                return None
            return self.require_type(defined, ())
        constant = self.symbols.constants.get(name)
        if constant is not None:
            self.require_type(constant, ())
        found = self.symbols.variables.get(name)
        if found:
            self.require_variable(lookup.nearest(found, draft.scope)[0])
        return lookup.function_value(name, offset, draft)

    def require_type(self, defined: Type, arguments: tuple[str, ...]) -> str:
        """Ask for a type; gives its simplified name."""
        at = (defined.node.start_byte, arguments)
        known = self._types.get(at)
        if known is None and arguments:  # perhaps under other names of the same types
            seen = Draft(self, Binding(), defined.scope, None)
            at = (defined.node.start_byte, tuple(comparable(one, seen) for one in arguments))
        if (known := known or self._types.get(at)) is not None:
            return known
        name = defined.name
        if arguments:
            name = f"{name}__{'_'.join(word_of(argument) for argument in arguments)}"
        if name in self._types.values() and defined.kind in {TypeKind.RECORD, TypeKind.ALIAS}:
            name = f"{defined.scope.replace('::', '_')}__{name}"
        if len(name) > _LONGEST_NAME or len(self._types) > _MOST_ITEMS:
            message = f"'{defined.name}' has instances without end, each named by the one before"
            raise LostError(defined.node.start_byte, message, TOO_LARGE)
        self._types[at] = name
        binding = type_binding(defined, arguments)
        special = choose_specialisation(self, defined, arguments)
        if special is not None:
            defined, binding = special
        self.bindings[name] = Record(name, defined, binding, arguments)
        if defined.kind is TypeKind.RECORD:
            self.records[name] = self.bindings[name]
        order = self._order(start_of(defined), arguments)
        self._orders[name] = order
        record = self.bindings[name]
        self._queue.append(
            lambda: self._make(ItemKind.TYPE, name, order, lambda: type_pieces(self, record))
        )
        if defined.kind is TypeKind.RECORD:
            for constant in defined.constants:
                self.require_constant(record, constant)
        return name

    def make_type(
        self, name: str, start: int, parts: Sequence[str], pieces: Callable[[], list[Piece]]
    ) -> None:
        """Make a type of other types, in front of what uses it."""
        order = self._order(start, parts)
        self._orders[name] = order
        self._queue.append(lambda: self._make(ItemKind.TYPE, name, order, pieces))

    def make_once(
        self,
        kind: ItemKind,
        name: str,
        start: int,
        parts: Sequence[str],
        pieces: Callable[[], list[Piece]],
    ) -> None:
        """Make an item that no definition in the file stands for."""
        if name not in self._constants:
            self._constants.add(name)
            order = self._order(start, parts)
            self._queue.append(lambda: self._make(kind, name, order, pieces, is_instance=True))

    def require_constant(self, record: Record, constant: str) -> str:
        """Ask for a static constant of a class; gives its simplified name."""
        name = f"{record.name}__{constant}"
        if name in self._constants:
            return name
        self._constants.add(name)
        self._queue.append(
            lambda: self._make(
                ItemKind.VARIABLE,
                name,
                self._order(record.defined.node.start_byte, (record.name,)),
                lambda: constant_pieces(self, record, constant),
            )
        )
        return name

    def require_type_instance(
        self, defined: Type, arguments: list[str], at: Node, draft: Draft
    ) -> str:
        """Ask for an instance of a class template; gives its simplified name."""
        full = type_arguments(self, defined, arguments, at, draft)
        refuse_class(defined, full, at, draft)
        return self.require_type(defined, full)

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

    def require_enumerators(self, record: Record, name: str) -> str:
        """Ask for a class's own enumeration without a name; gives one constant's name."""
        node = self.table.members(record.defined).enumerators[name]
        start, key = record.defined.node.start_byte, f"{record.name}__{node.start_byte}"
        pieces = partial(enumerator_pieces, self, record, node)
        self.make_once(ItemKind.TYPE, key, start, (record.name,), pieces)
        return f"{record.name}__{name}"

    def require_lambda(self, node: Node, draft: Draft) -> Record:
        """The class of a lambda's objects."""
        return self.lambdas.require(node, draft)

    def rendered_with(self, start: int, end: int, binding: Binding, scope: str) -> str:
        """The simplified text of `[start, end)` on one line, under a binding."""
        draft = Draft(self, binding, scope, None)
        return " ".join(draft.rendered(start, end).split())

    def rendered_default(self, callee: Callee, key: Key, default: Span, caller: Draft) -> str:
        """A default argument of a function, in its own names."""
        draft = function_draft(self, self.wanted(callee, key))
        draft.binding = caller.binding.joined(draft.binding)
        draft.this = None
        return " ".join(draft.rendered(default.start, default.end).split())
