"""How many threads a kernel's shared arrays are for: `s[threadIdx.x]` of `float s[128]`."""

from __future__ import annotations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import ZERO, Poly
from estimator.algebra.walk import condition_symbols, symbols
from estimator.count.peel import bounds_of
from estimator.count.shares import parts_of
from estimator.ir.kernel import Access, KernelIR, Space

_AXES = "xyz"
_WARP = 32
_MOST = {"x": 1024, "y": 1024, "z": 64}


def shared_extents(kernel: KernelIR) -> dict[str, int]:
    """The largest block, by axis, whose threads all stay inside the shared arrays.

    For a kernel lowered under an open launch. Only accesses count that every thread of a block
    makes; rows may be padded, `float tile[32][33]`.
    """
    limits: dict[str, int] = {}
    started: set[str] = set()
    for access in kernel.accesses:
        if access.array.space is not Space.SHARED or not access.array.size:
            continue
        if not _every_thread_makes(access):
            continue
        for axis, (first, limit) in _limits(access).items():
            limits[axis] = min(limit, limits.get(axis, limit))
            if first == 0:  # else the first elements are for other threads: a halo
                started.add(axis)
    sizes = {axis: _without_padding(n) for axis, n in limits.items() if axis in started}
    return {axis: n for axis, n in sizes.items() if 1 < n <= _MOST[axis]}


def _every_thread_makes(access: Access) -> bool:
    """Whether no condition chooses among a block's threads; those at the grid's edge are fine."""
    if len(access.domain.pieces) != 1:
        return False
    for part in parts_of(access.domain.pieces[0].condition):
        names = {symbol.name.partition(".")[0] for symbol in condition_symbols(part)}
        if "threadIdx" in names and "blockIdx" not in names:
            return False
    return True


def _limits(access: Access) -> dict[str, tuple[int, int]]:
    """By axis: the first thread's index into its dimension, and the most threads."""
    offset = access.offset
    strides: dict[str, int] = {}
    for axis in _AXES:
        index = Poly.of(Symbol(f"threadIdx.{axis}", Role.THREAD))
        stride = offset.coefficient(Symbol(f"threadIdx.{axis}", Role.THREAD)).integer
        if stride is None or stride < 0:
            return {}
        if stride:
            strides[axis] = stride
            offset = offset - stride * index
    if len(strides) == 1:
        ((axis, stride),) = strides.items()
        return _along_one(access, offset, axis, stride)
    range_ = _range(access, offset)
    if range_ is None:
        return {}
    low, high = range_
    found: dict[str, tuple[int, int]] = {}
    row: int = access.array.size
    for axis in sorted(strides, key=lambda axis: -strides[axis]):
        stride = strides[axis]
        found[axis] = (low % row // stride, row // stride - high % row // stride)
        row = stride
    return found


def _along_one(access: Access, offset: Poly, axis: str, stride: int) -> dict[str, tuple[int, int]]:
    """The limit along the only axis, also for `s[threadIdx.x + blockDim.x]`."""
    block = Symbol(f"blockDim.{axis}", Role.LAUNCH)
    more = offset.coefficient(block).integer
    range_ = _range(access, offset - offset.coefficient(block) * Poly.of(block))
    if more is None or more < 0 or range_ is None:
        return {}
    low, high = range_
    room = access.array.size - access.width - high
    return {axis: (low // stride + more, (room + stride) // (stride + more))}


def _range(access: Access, rest: Poly) -> tuple[int, int] | None:
    """The least and the most that the rest of an offset can be, over loops of known length."""
    counters = sorted(symbols(rest))
    if any(symbol.role is not Role.COUNTER for symbol in counters):
        return None
    parts = list(parts_of(access.domain.pieces[0].condition))
    bounds = bounds_of(counters, parts)
    start = rest.constant_term
    if not isinstance(start, int):
        return None
    low = high = start
    left = rest - start
    for counter in counters:
        slope = left.coefficient(counter)
        ends = [end.integer for end in bounds.get(counter, ())]
        reached = [
            slope.integer * end for end in ends if end is not None and slope.integer is not None
        ]
        if len(reached) < 2:
            return None
        low, high = low + min(reached), high + max(reached)
        left = left - slope * Poly.of(counter)
    return (low, high) if left == ZERO else None


def _without_padding(size: int) -> int:
    """33 → 32, 68 → 64: rows are padded so that columns lie in different banks."""
    power: int = 1 << (size.bit_length() - 1)
    is_padded = size % _WARP != 0 and size - power <= power // 4
    return power if is_padded else size
