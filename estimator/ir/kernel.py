"""The kernel IR: what a kernel does, each thing with the set of threads and iterations that do it.

A list of operations, accesses and barriers in program order. Nothing in it knows which
language the kernel was written in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from estimator.algebra.atoms import Symbol
from estimator.algebra.condition import TRUE, Condition
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import is_nonnegative
from estimator.immutable import immutable
from estimator.source.diagnostics import Diagnostic
from estimator.source.position import Position


class Space(str, Enum):
    """Memory spaces of CUDA's programming model."""

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    TEXTURE = "texture"  # textures and surfaces: device memory through the texture units


class AccessKind(str, Enum):
    """What an access does to its element."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"


@immutable()
class Piece:
    """Where `condition` holds, `weight` times: a factor of unknowns, 1 without any."""

    condition: Condition = TRUE
    weight: Poly = ONE


@immutable(eq=False)
class Domain:
    """Who does something, how often: blocks × threads × `counters`, in disjoint pieces.

    Domains are compared by identity: lowering gives one object to all that share it.
    """

    counters: tuple[Symbol, ...] = ()
    pieces: tuple[Piece, ...] = (Piece(),)

    @property
    def is_empty(self) -> bool:
        return not self.pieces


@immutable(eq=False)
class ArrayObject:
    """Something that addresses point into: a kernel's pointer argument, a shared array, ...

    `indirect` arrays are reached through a pointer that was itself read from memory. A
    `member` array lies in a parameter or a fragment: reaching into it is no access. `size` is in
    bytes, 0 where the declaration does not say it. A `null` one is launched with a null pointer.
    """

    name: str
    space: Space
    position: Position
    restrict: bool = False
    const: bool = False
    indirect: bool = False
    member: bool = False
    size: int = 0
    null: bool = False


@immutable()
class Operation:
    """A floating-point operation; `value` and `operands` are value numbers.

    `flops` is its work (1, or 2 for a fused multiply-add, times the width of packed types),
    0 for the special functions, whose work `special` counts in calls.
    """

    name: str
    precision: str
    flops: int
    special: int
    operands: tuple[int, ...]
    value: int
    domain: Domain
    position: Position


@immutable()
class Access:
    """One memory access; `offset` in bytes from the array's start, `width` in bytes."""

    kind: AccessKind
    array: ArrayObject
    offset: Poly
    width: int
    value: int
    domain: Domain
    position: Position


class SyncKind(str, Enum):
    """What threads wait for, or exchange."""

    BARRIER = "barrier"
    SHUFFLE = "shuffle"


@immutable()
class Sync:
    """A barrier of the block, or a warp's shuffle."""

    kind: SyncKind
    domain: Domain
    position: Position


@immutable()
class UnknownCost:
    """A call of a function that nobody knows: its FLOPs are the unknown `cost`.

    `moved` is the unknown for its bytes of global memory, None where it cannot get there.
    """

    function: str
    cost: Symbol
    domain: Domain
    position: Position
    moved: Symbol | None = None


@immutable()
class UnknownInfo:
    """What an unknown symbol stands for; bounds where there are any.

    `others` are shares of the same whole: with them it is at most 1.
    """

    symbol: Symbol
    position: Position
    meaning: str
    lower: Poly | None = None
    upper: Poly | None = None
    others: tuple[Symbol, ...] = ()


@immutable()
class Note:
    """An assumption that lowering made, by code and message."""

    code: str
    message: str


@immutable(slots=False)
class LaunchShape:
    """Extents of grid and block along x, y, z, in the kernel's parameters and launch symbols.

    `nulls` are the kernel's pointers that are null in it.
    """

    grid: tuple[Poly, Poly, Poly]
    block: tuple[Poly, Poly, Poly]
    nulls: frozenset[str] = frozenset()

    def is_no_step_back(self, step: Poly) -> bool:
        """Whether a step cannot be negative where the kernel runs: n - 2 with as many blocks."""
        if is_nonnegative(step):
            return True
        quotients = (divide_exactly(step, extent) for extent in (*self.grid, *self.block))
        return any(one is not None and is_nonnegative(one) for one in quotients)


@immutable()
class ParameterInfo:
    """A kernel parameter as declared; `symbol` where it is an integer that formulas can name."""

    name: str
    type: str
    symbol: Symbol | None


@dataclass
class KernelIR:
    """One kernel under one launch."""

    name: str
    position: Position
    parameters: tuple[ParameterInfo, ...]
    launch: LaunchShape
    operations: list[Operation] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    syncs: list[Sync] = field(default_factory=list)
    unknown_costs: list[UnknownCost] = field(default_factory=list)
    unknowns: dict[Symbol, UnknownInfo] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    index_names: dict[str, Poly] = field(default_factory=dict)
    # Conditions as the source has them, by their keys.
    condition_texts: dict[str, str] = field(default_factory=dict)
    # Known numbers that did not fit their types, before they wrapped around.
    wrapped: set[int] = field(default_factory=set)
    # Null pointers of the launch that something was decided by.
    nulls_met: set[str] = field(default_factory=set)

    def domains(self) -> Iterator[Domain]:
        """The domain of everything recorded; shared ones come up again."""
        yield from (operation.domain for operation in self.operations)
        yield from (access.domain for access in self.accesses)
        yield from (sync.domain for sync in self.syncs)
        yield from (call.domain for call in self.unknown_costs)
