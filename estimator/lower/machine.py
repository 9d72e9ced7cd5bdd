"""The state of one symbolic execution: variables, the live domain, and what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Condition, negate
from estimator.algebra.poly import Poly
from estimator.immutable import immutable
from estimator.ir.kernel import (
    Access,
    AccessKind,
    ArrayObject,
    Domain,
    KernelIR,
    Note,
    Operation,
    Space,
    Sync,
    SyncKind,
    UnknownCost,
    UnknownInfo,
)
from estimator.lower.events import are_taken_apart, event_of, events_in, settled
from estimator.lower.pieces import narrowed, union
from estimator.lower.values import Place, PointerValue, Value, Variable
from estimator.parse.types import CType, Scalar
from estimator.parse.unit import Function, Unit
from estimator.source import codes
from estimator.source.diagnostics import Code, Diagnostic, InputError, diagnose
from estimator.source.position import Position

# Statements and expressions executed for one kernel before it counts as too large.
STEP_LIMIT = 250_000
EMPTY = Domain((), ())
CellKey = Variable | tuple[ArrayObject, int]


@immutable(slots=False)
class Exit:
    """Where a `return` (with its value) or a `goto` (to its label) leaves, and with what store."""

    domain: Domain
    value: Value | None = None
    label: str = ""
    store: dict[CellKey, Value] = field(default_factory=dict)


@dataclass
class Frame:
    """A function being executed: where its returns go, and the gotos until their labels come.

    `call` is what it is executed for; `labels` has, for each open block, the labels that are
    still ahead in it.
    """

    function: Function
    call: c_ast.Node | None = None
    exits: list[Exit] = field(default_factory=list)
    labels: list[list[str]] = field(default_factory=list)
    types: dict[str, CType] = field(default_factory=dict)


@dataclass
class LoopFrame:
    """A loop or switch being executed: who left it or went on early, and with which values."""

    breaks: list[Domain] = field(default_factory=list)
    continues: list[Domain] = field(default_factory=list)
    stores: list[dict[CellKey, Value]] = field(default_factory=list)  # of the breaks
    continued: list[dict[CellKey, Value]] = field(default_factory=list)
    is_loop: bool = True


class Machine:
    """Everything that executing a statement reads and writes.

    `store` maps variables (and elements of local arrays at known offsets) to values; `live`
    is the domain that the next statement runs in. With `dry` above 0 nothing is recorded.
    """

    def __init__(
        self,
        unit: Unit,
        kernel: KernelIR,
        given: Mapping[str, int] | None = None,
        step_limit: int = STEP_LIMIT,
    ) -> None:
        self.unit = unit
        self.kernel = kernel
        # Numbers that parameters and global variables have, by name.
        self.given = given or {}
        self.step_limit = step_limit
        self.store: dict[CellKey, Value] = {}
        self.scopes: list[dict[str, Variable]] = [{}]
        self._declared: list[Variable] = []
        self.live = Domain()
        self.frames: list[Frame] = []
        self.loops: list[LoopFrame] = []
        self.dry = 0
        self.depth = 0
        self.steps = 0
        self.escapes = 0
        self.wants_numbers = False
        # Code of the host: what is converted to a type is taken to fit it, and listed here.
        self.fitted: dict[tuple[Poly, Scalar], None] | None = None
        # Loops, by their path, that only an unknown trip count was found to suit.
        self.unsuited: set[tuple[int, ...]] = set()
        # Integers that are not known although no data decides them.
        self.lost: set[Symbol] = set()
        self.globals: dict[str, Variable | ArrayObject] = {}
        self.global_types: dict[str, CType] = {}
        self.statics: dict[int, ArrayObject] = {}
        self.textures: dict[str, ArrayObject] = {}
        self.aliases: dict[Variable, Place] = {}
        self.uniforms: dict[tuple[ArrayObject, Poly], Symbol] = {}
        self.indirect: dict[tuple[ArrayObject, Poly], ArrayObject] = {}
        self.known_arrays: set[ArrayObject] = set()
        # Where the pointers lead that were put into an array.
        self.pointed_spaces: dict[ArrayObject, set[Space]] = {}
        # What stands for one of two pointers, by a condition.
        self.choices: dict[ArrayObject, tuple[Condition, PointerValue, PointerValue]] = {}
        # What stands for a pointer to one of several variables, whose values it may change.
        self.ambiguous: set[ArrayObject] = set()
        self.indices: dict[str, tuple[Poly, Poly, Poly]] = {}
        self._numbers = 0
        self._counters = 0
        self._named: dict[tuple[str, Position, str], Symbol] = {}
        self._under: dict[Symbol, frozenset[Symbol]] = {}  # what decided that an event came up
        self._names: set[str] = set()
        self.evaluate: Callable[[c_ast.Node], Value]
        self.execute: Callable[[c_ast.Node | None], None]

    # -- names -----------------------------------------------------------------------------

    def position(self, node: c_ast.Node) -> Position:
        return self.unit.position(node)

    def fail(
        self, code: Code, node: c_ast.Node, message: str, help: str | None = None
    ) -> InputError:
        """The error that loses this kernel, at a node."""
        return InputError(diagnose(code, self.position(node), message, help))

    def step(self, node: c_ast.Node | Position, work: int = 1) -> None:
        """Count steps of work; raises InputError when a kernel takes too many."""
        self.steps += work
        if self.steps > self.step_limit:
            place = node if isinstance(node, Position) else self.position(node)
            message = f"more than {self.step_limit:,} steps to execute"
            raise InputError(diagnose(codes.TOO_LARGE, place, message))

    def lookup(self, name: str) -> Variable | ArrayObject | None:
        """The variable that a name means here."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.globals.get(name)

    def declare(self, name: str, ctype: CType, value: Value | None) -> Variable:
        """A new variable in the innermost scope."""
        variable = Variable(name, ctype)
        self.scopes[-1][name] = variable
        self._declared.append(variable)
        if value is not None:
            self.store[variable] = value
        return variable

    def declare_alias(self, name: str, ctype: CType, place: Place) -> None:
        """A name for another place: a reference, or a shared variable."""
        variable = Variable(name, ctype)
        self.scopes[-1][name] = variable
        self.aliases[variable] = place

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        known = len(self._declared)
        try:
            yield
        finally:
            self.scopes.pop()
            # Each iteration of a loop has variables of its own: their values are given up here.
            while len(self._declared) > known:
                self.store.pop(self._declared.pop(), None)

    # -- fresh things ----------------------------------------------------------------------

    def fresh_number(self) -> int:
        """A value number that no value has yet."""
        self._numbers += 1
        return self._numbers

    def fresh_counter(self) -> Symbol:
        """A loop counter."""
        self._counters += 1
        return Symbol(f"#{self._counters}", Role.COUNTER)

    def unknown(
        self,
        prefix: str,
        node: c_ast.Node,
        meaning: str,
        *,
        role: Role = Role.UNKNOWN,
        lower: Poly | None = None,
        upper: Poly | None = None,
        others: tuple[Symbol, ...] = (),
    ) -> Symbol:
        """The unknown of that kind at a node: `trips@12`; the second on a line is `trips@12.2`."""
        # A uniform is the same when the code is executed to see what it does, and afterwards.
        if self.dry and role is not Role.UNIFORM:
            return Symbol(f"?{self.fresh_number()}", role)
        position = self.position(node)
        known = self._named.get((prefix, position, meaning))
        if known is not None and known in self.kernel.unknowns:
            return known
        name, count = f"{prefix}@{position.line}", 1
        while name in self._names:
            count += 1
            name = f"{prefix}@{position.line}.{count}"
        symbol = known or Symbol(name, role)
        self._names.add(symbol.name)
        self._named[prefix, position, meaning] = symbol
        self.kernel.unknowns[symbol] = UnknownInfo(symbol, position, meaning, lower, upper, others)
        return symbol

    def event(self, share: Symbol) -> Symbol:
        """One evaluation of a condition on data, here and now."""
        event = event_of(share, self.fresh_number())
        self._under[event] = events_in(self.live)
        return event

    def settle_events(self) -> None:
        """Name all events by their conditions: the kernel is lowered."""
        if any(are_taken_apart(domain, self._under) for domain in self.kernel.domains()):
            self.note("independent", "conditions on data hold independently of each other")
        self.rewrite((0, 0, 0, 0), settled)

    def reuse_names(self, kernel: KernelIR) -> None:
        """Give unknowns the names that they have in another lowering of the same kernel."""
        for symbol, info in kernel.unknowns.items():
            self._named[symbol.name.partition("@")[0], info.position, info.meaning] = symbol
            self._names.add(symbol.name)

    # -- the live domain -------------------------------------------------------------------

    def narrow(self, condition: Condition) -> None:
        """Go on only where `condition` holds."""
        self.live = narrowed(self.live, condition)

    def rejoin(self, before: Domain, *ends: Domain) -> None:
        """Go on where any of `ends` arrived; all of `before`, if none of it was lost."""
        living = [end for end in ends if not end.is_empty]
        self.live = union(before, living)

    # -- recording -------------------------------------------------------------------------

    def record_operation(
        self,
        name: str,
        precision: str,
        node: c_ast.Node,
        operands: tuple[int, ...],
        *,
        flops: int = 0,
        special: int = 0,
    ) -> int:
        """Note a floating-point operation; gives its result's value number."""
        value = self.fresh_number()
        if not self.dry and not self.live.is_empty:
            self.kernel.operations.append(
                Operation(
                    name, precision, flops, special, operands, value, self.live, self.position(node)
                )
            )
        return value

    def record_access(
        self,
        kind: AccessKind,
        array: ArrayObject,
        offset: Poly,
        width: int,
        node: c_ast.Node,
        value: int = 0,
    ) -> None:
        """Note a memory access."""
        if not self.dry:
            self.record_access_at(kind, array, offset, width, self.position(node), value)

    def record_access_at(
        self,
        kind: AccessKind,
        array: ArrayObject,
        offset: Poly,
        width: int,
        position: Position,
        value: int = 0,
    ) -> None:
        """Note a memory access that stands at a position."""
        if array in self.choices and not self._is_shared_anyway(array):
            live, (condition, *pointers) = self.live, self.choices[array]
            for taken, pointer in zip((condition, negate(condition)), pointers, strict=True):
                assert isinstance(pointer.base, ArrayObject)
                self.live = narrowed(live, taken)
                place = pointer.offset + offset
                self.record_access_at(kind, pointer.base, place, width, position, value)
            self.live = live
        elif not self.dry and not self.live.is_empty and not array.member:
            self.kernel.accesses.append(
                Access(kind, array, offset, width, value, self.live, position)
            )

    def _is_shared_anyway(self, array: ArrayObject) -> bool:
        """Whether all that a pointer may lead to is shared memory, where only accesses count."""
        if array not in self.choices:
            return array.space is Space.SHARED
        return all(
            isinstance(one.base, ArrayObject) and self._is_shared_anyway(one.base)
            for one in self.choices[array][1:]
        )

    def record_sync(self, kind: SyncKind, node: c_ast.Node) -> None:
        """Note a barrier or shuffle."""
        if not self.dry and not self.live.is_empty:
            self.kernel.syncs.append(Sync(kind, self.live, self.position(node)))

    def record_unknown_call(
        self, function: str, cost: Symbol, node: c_ast.Node, moved: Symbol | None = None
    ) -> None:
        """Note a call whose cost nobody knows, nor the bytes `moved` if it gets pointers."""
        if not self.dry and not self.live.is_empty:
            self.kernel.unknown_costs.append(
                UnknownCost(function, cost, self.live, self.position(node), moved)
            )

    def note(self, code: str, message: str) -> None:
        """Note an assumption, once."""
        note = Note(code, message)
        if note not in self.kernel.notes:
            self.kernel.notes.append(note)

    def note_integer_work(self, name: str) -> None:
        """Note that the products of an integer instruction are in no count and no verdict."""
        self.note("integer-work", f"integer work such as {name} takes no time: it is not modelled")

    def warn(self, diagnostic: Diagnostic) -> None:
        """Note a diagnostic, once."""
        if not self.dry and diagnostic not in self.kernel.diagnostics:
            self.kernel.diagnostics.append(diagnostic)

    def marks(self) -> tuple[int, int, int, int]:
        """How much has been recorded, for `rollback` and `rewrite`."""
        kernel = self.kernel
        return (
            len(kernel.operations),
            len(kernel.accesses),
            len(kernel.syncs),
            len(kernel.unknown_costs),
        )

    def rewrite(self, marks: tuple[int, int, int, int], change: Callable[[Domain], Domain]) -> None:
        """Give everything recorded since another domain."""
        done: dict[int, Domain] = {}

        def changed(domain: Domain) -> Domain:
            if id(domain) not in done:
                done[id(domain)] = change(domain)
            return done[id(domain)]

        kernel = self.kernel
        lists: tuple[list[Any], ...] = (
            kernel.operations,
            kernel.accesses,
            kernel.syncs,
            kernel.unknown_costs,
        )
        for things, mark in zip(lists, marks, strict=True):
            things[mark:] = [
                replace(thing, domain=changed(thing.domain)) for thing in things[mark:]
            ]

    def rollback(self, marks: tuple[int, int, int, int]) -> None:
        """Forget what was recorded since."""
        kernel = self.kernel
        del kernel.operations[marks[0] :]
        del kernel.accesses[marks[1] :]
        del kernel.syncs[marks[2] :]
        del kernel.unknown_costs[marks[3] :]
