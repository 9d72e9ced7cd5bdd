"""One thread: where it stands in the grid, what it counted, and how it reaches memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracle.arithmetic import round_bf16, round_fp16, round_fp32
from oracle.counts import ThreadIndex
from oracle.errors import OracleError
from oracle.memory import Block, Form, Memory, Space

if TYPE_CHECKING:
    from oracle.schedule import BlockState

Triple = tuple[int, int, int]


class Thread:
    """Handed to every translated function; the names are those that translated code uses."""

    def __init__(self, index: ThreadIndex, grid: Triple, state: BlockState) -> None:
        self.index = index
        self.grid = grid
        self.state = state
        self.memory: Memory = state.memory
        self.counts: Counter[str] = Counter()
        block = state.extents
        self.geometry = {
            "threadIdx": index.thread,
            "blockIdx": index.block,
            "blockDim": block,
            "gridDim": grid,
        }
        x, y, z = index.thread
        self.flat = x + block[0] * (y + block[1] * z)
        self.lane = self.flat % 32
        self.warp = self.flat // 32

    def at(self, name: str, axis: int) -> int:
        """`threadIdx.y` as `at("threadIdx", 1)`."""
        return self.geometry[name][axis]

    def tick(self) -> None:
        """One more iteration of some loop; stops what does not end by itself."""
        self.state.steps_left[0] -= 1
        if self.state.steps_left[0] < 0:
            raise OracleError("the kernel runs too long")

    def count(self, key: str, value: object, amount: int = 1) -> object:
        """Counts something and hands a value through."""
        self.counts[key] += amount
        return value

    def fp64(self, value: float) -> float:
        self.counts["flops.fp64"] += 1
        return value

    def fp32(self, value: float) -> float:
        self.counts["flops.fp32"] += 1
        return round_fp32(value)

    def fp16(self, value: float) -> float:
        self.counts["flops.fp16"] += 1
        return round_fp16(value)

    def bf16(self, value: float) -> float:
        self.counts["flops.bf16"] += 1
        return round_bf16(value)

    def load(self, form: Form, address: int) -> object:
        """Reads a value."""
        block, offset = self.memory.find(address, form)
        space = block.space_of(form, offset)
        if space is not Space.REGISTER:
            self.counts["loads." + space.value] += 1
            self._touch(block, offset, form.size, reads=True)
        return form.read(block.data, offset)

    def store(self, form: Form, address: int, value: object) -> object:
        """Writes a value and gives it back."""
        block, offset = self.memory.find(address, form)
        if block.space is Space.CONSTANT:
            raise OracleError(f"{block.name} is constant")
        space = block.space_of(form, offset)
        if space is not Space.REGISTER:
            self.counts["stores." + space.value] += 1
            self._touch(block, offset, form.size, writes=True)
        form.write(block.data, offset, value)
        return value

    def atomic(self, form: Form, address: int, change: Callable[[object], object]) -> object:
        """Changes a value in one step and gives back the old one."""
        block, offset = self.memory.find(address, form)
        self.counts["atomics." + block.space.value] += 1
        self._touch(block, offset, form.size, reads=True, writes=True)
        old = form.read(block.data, offset)
        form.write(block.data, offset, change(old))
        return old

    def _touch(
        self, block: Block, offset: int, size: int, *, reads: bool = False, writes: bool = False
    ) -> None:
        if block.space is not Space.GLOBAL:
            return
        block.requested += size * (reads + writes)
        if reads:
            block.reads.add((offset, size))
        if writes:
            block.writes.add((offset, size))

    def variable(
        self, name: str, size: int, is_array: bool, arrays: tuple[tuple[int, int], ...] = ()
    ) -> int:
        """The address of a local variable that lies in memory; `arrays` are those inside it."""
        space = Space.LOCAL if is_array else Space.REGISTER
        return self.memory.add(Block(name, space, bytearray(size), arrays=arrays))

    def shared(self, key: str, size: int) -> int:
        """The address of a shared variable, the same for all threads of the block."""
        return self.state.shared(key, size)
