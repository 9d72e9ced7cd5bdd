"""Running a kernel: arguments and global variables in, counts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from estimator.parse.types import (
    Array,
    CType,
    Kind,
    Pointer,
    Scalar,
    Struct,
    builtin,
    type_text,
)
from estimator.parse.unit import Function, Unit
from oracle.arithmetic import rounder, wrapper
from oracle.contents import Filler, given, leaves, values_of
from oracle.counts import OracleCounts, ThreadIndex, collect
from oracle.errors import OracleError
from oracle.memory import Block, Form, Memory, Space
from oracle.operand import decay, is_integer
from oracle.program import FILE_NAME, Program, Translator
from oracle.schedule import BlockState, run_block
from oracle.thread import Thread, Triple

STEP_LIMIT = 2_000_000
DYNAMIC_BYTES = 48 * 1024

Elements = int | Sequence[Any]
"""How many elements an array has, or which."""


def run_kernel(
    unit: Unit,
    kernel: str,
    grid: Triple,
    block: Triple,
    *,
    values: Mapping[str, float] | None = None,
    arrays: Mapping[str, Elements] | None = None,
    dynamic_bytes: int = DYNAMIC_BYTES,
    seed: int = 0,
) -> OracleCounts:
    """Runs every thread of a grid and counts.

    `values` has the scalar arguments (floats may be left out), `arrays` the arrays that
    pointers lead to, by the names of parameters (`p.x` for members) and global variables.
    An array of which nothing is said holds pseudo-random numbers and is as long as needed.
    Raises OracleError for what cannot be run, or accesses memory out of bounds.
    """
    setup = _Setup(unit, values or {}, arrays or {}, seed)
    function = find_kernel(unit, kernel)
    program = setup.program
    instance = program.instance(function, {})
    setup.find_globals()
    program.load()
    steps_left = [STEP_LIMIT]
    scratch = BlockState(setup.memory, (1, 1, 1), 1, steps_left)
    index = ThreadIndex((0, 0, 0), (0, 0, 0))
    setup.fill_globals(Thread(index, grid, scratch))
    arguments = [
        setup.argument(parameter.name, decay(ctype))
        for parameter, ctype in zip(function.parameters, instance.parameters, strict=True)
    ]
    run = program.namespace[instance.name]
    per_thread: dict[ThreadIndex, Mapping[str, int]] = {}
    for place in _places(grid):
        state = BlockState(setup.memory, block, dynamic_bytes, steps_left)
        threads = [Thread(ThreadIndex(place, inner), grid, state) for inner in _places(block)]
        try:
            run_block([(thread, run(thread, *arguments)) for thread in threads])
        except Exception as error:
            raise _located(error, program) from error
        per_thread.update((thread.index, dict(thread.counts)) for thread in threads)
    return collect(per_thread, setup.global_arrays(), setup.contents())


def find_kernel(unit: Unit, name: str) -> Function:
    """The kernel of that name, as written or as an instance. Raises OracleError."""
    for kernel in unit.kernels:
        if name in (kernel.name, kernel.display_name):
            return kernel
    known = ", ".join(kernel.display_name for kernel in unit.kernels)
    reasons = "; ".join(str(diagnostic) for diagnostic in unit.diagnostics)
    raise OracleError(f"no kernel {name} among {known or 'none'}. {reasons}")


def _places(extents: Triple) -> list[Triple]:
    """All (x, y, z) within extents, x fastest."""
    ranges = (range(extent) for extent in reversed(extents))
    return [(x, y, z) for z, y, x in product(*ranges)]


def _located(error: Exception, program: Program) -> OracleError:
    """The error with the place of the innermost statement of the kernel."""
    position = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE_NAME:
            position = program.position_of_line(trace.tb_lineno)
        trace = trace.tb_next
    return OracleError(str(error) or type(error).__name__, position)


class _Setup:
    """Memory before the run: the kernel's arguments and the global variables."""

    def __init__(
        self, unit: Unit, values: Mapping[str, float], arrays: Mapping[str, Elements], seed: int
    ) -> None:
        self.program = Program(unit)
        self.memory = Memory()
        self._values = values
        self._arrays = arrays
        self._seed = seed
        self._types: dict[str, CType] = {}
        self._initialisers: list[tuple[str, list[str], Block, Space]] = []

    def array(self, name: str, element: CType, space: Space, count: int | None = None) -> Block:
        """A new array of elements; `count` is the length that its declaration gives."""
        if isinstance(element, Scalar) and element.kind in (Kind.VOID, Kind.OPAQUE):
            byte = builtin("unsigned char")
            assert byte is not None
            element = byte
        filler = Filler(element, f"{self._seed} {name}")
        wanted = self._arrays.get(name, count)
        self._types[name] = element
        if wanted is None:
            return Block(name, space, bytearray(), filler.grow)
        if isinstance(wanted, int):
            return Block(name, space, filler.elements(wanted))
        return Block(name, space, given(element, wanted))

    def argument(self, name: str, ctype: CType) -> object:
        """A value for a parameter. Raises OracleError for an integer that nobody gave."""
        match ctype:
            case Pointer(target=target):
                return self.memory.add(self.array(name, target, Space.GLOBAL))
            case Struct():
                return self._structure(name, ctype)
            case Scalar() if is_integer(ctype):
                if name not in self._values:
                    raise OracleError(f"no value for {name}")
                return wrapper(ctype)(int(self._values[name]))
            case Scalar():
                return rounder(ctype)(float(self._values.get(name, 0.75)))
        raise OracleError(f"no argument of type {type_text(ctype)}")

    def _structure(self, name: str, ctype: Struct) -> bytes:
        filler = Filler(ctype, f"{self._seed} {name}")
        data = bytearray(filler.element())
        for path, leaf, offset in _named_leaves(name, ctype, 0):
            if isinstance(leaf, Pointer) or path in self._values:
                Form(leaf).write(data, offset, self.argument(path, leaf))
        return bytes(data)

    def find_globals(self) -> None:
        """Gives addresses to the global variables in use; their initialisers may use more."""
        done: set[str] = set()
        program = self.program
        while todo := set(program.globals_used) - done:
            for name in sorted(todo):
                done.add(name)
                variable, ctype = program.globals_used[name]
                space = Space.CONSTANT if isinstance(ctype, Array) else Space.REGISTER
                space = {"constant": Space.CONSTANT, "device": Space.GLOBAL}.get(
                    variable.space, space
                )
                element, count = _flat(ctype)
                block = self.array(name, element, Space.REGISTER, count)
                program.namespace[f"G_{name}"] = self.memory.add(block)
                lines: list[str] = []
                init = variable.declaration.init
                if init is not None and name not in self._arrays:
                    writer = Translator(program, name, frozenset())
                    stores = writer.initialise(ctype, f"G_{name}", init, variable.declaration)
                    lines = writer.prologue + stores
                self._initialisers.append((name, lines, block, space))

    def fill_globals(self, thread: Thread) -> None:
        """Runs the initialisers, the last found first, and puts the variables in their spaces."""
        for _, lines, block, space in reversed(self._initialisers):
            for line in lines:
                exec(line, {**self.program.namespace, "T": thread})
            block.space = space

    def global_arrays(self) -> list[Block]:
        return [block for _, block in self.memory.blocks(Space.GLOBAL)]

    def contents(self) -> dict[str, list[Any]]:
        """What the global arrays hold, as numbers."""
        return {
            block.name: values_of(self._types[block.name], block.data)
            for block in self.global_arrays()
        }


def _flat(ctype: CType) -> tuple[CType, int]:
    """An array's innermost elements, and how many there are."""
    count = 1
    while isinstance(ctype, Array):
        count *= ctype.length or 0
        ctype = ctype.element
    return ctype, count


def _named_leaves(name: str, struct: Struct, offset: int) -> list[tuple[str, CType, int]]:
    """The numbers and pointers of a structure by their paths; arrays are left out."""
    found: list[tuple[str, CType, int]] = []
    for field in struct.fields:
        path, place = f"{name}.{field.name}", offset + field.offset
        if isinstance(field.type, Struct):
            found += _named_leaves(path, field.type, place)
        elif any(True for _ in leaves(field.type)) and not isinstance(field.type, Array):
            found.append((path, field.type, place))
    return found
