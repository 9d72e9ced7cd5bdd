"""The block of a kernel that no host code launches.

The kernel's own constants (`blockIdx.x*16 + threadIdx.x`, `i += 32`), the lengths of shared
arrays with an element for each thread, else a common size.
"""

from __future__ import annotations

from collections import Counter
from math import prod

from estimator.algebra.atoms import Floor, Role, Symbol
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import symbols
from estimator.ir.kernel import KernelIR, Note
from estimator.memory.inferred_launch import AXES, Triple, polys_of, used_axes, with_parts
from estimator.memory.shared_extents import shared_extents

_COMMON_THREADS, _WARP = 256, 32
_MOST_ALONG_Z, _MOST_THREADS = 64, 1024


def infer_block(
    kernel: KernelIR, bound: int | None, guess: int | None = None
) -> tuple[Triple, list[Note]]:
    """Block extents for a kernel lowered under `open_launch()`; `bound` is __launch_bounds__.

    A kernel that needs a block of known size was lowered with `guess` threads along x.
    """
    used = used_axes(kernel)
    active = [axis for axis in AXES if used[axis] & {"threadIdx", "blockDim"}]
    polys = with_parts(polys_of(kernel))
    known = _indexed_sizes(polys, active)
    if guess is not None and known.get("x") == guess:
        del known["x"]
    why = "as its indices say" if known else ""
    held = {axis: n for axis, n in shared_extents(kernel).items() if axis not in known}
    threads = prod((*known.values(), *held.values()))
    if held and threads <= (bound or _MOST_THREADS):
        known.update(held)
        why = why or "as its shared arrays have room for"
    why = why or ("as __launch_bounds__ says" if bound else "a common size")
    if not active:
        why = "as nothing depends on the thread's index"
    warps = {axis for axis in active if _counts_warps(polys, axis)}
    sizes = _completed(active, known, bound, warps)
    x, y, z = (Poly.of(sizes.get(axis, 1)) for axis in AXES)
    listed = ", ".join(str(sizes.get(axis, 1)) for axis in AXES).removesuffix(", 1")
    return (x, y, z), [Note("block", f"block = ({listed.removesuffix(', 1')}), {why}")]


def _indexed_sizes(polys: list[Poly], active: list[str]) -> dict[str, int]:
    """The extents that constants in the kernel's indices stand for."""
    counters = sorted({s for poly in polys for s in symbols(poly) if s.role is Role.COUNTER})
    known: dict[str, int] = {}
    for axis in active:
        size = _block_constant(polys, axis)
        if size is not None:
            size = _rows_at_a_time(polys, axis, size, counters)
        else:
            size = _stride_constant(polys, axis, counters)
        if size is not None:
            known[axis] = size
    return known


def _completed(
    active: list[str], known: dict[str, int], bound: int | None, warps: set[str]
) -> dict[str, int]:
    """Sizes for all axes in use; the unknown ones fill a block of a common size, or the bound.

    An axis in `warps` has whole warps.
    """
    missing = [axis for axis in active if axis not in known]
    room = max(1, (bound or _COMMON_THREADS) // prod(known.values()))
    sizes = dict(known)
    if len(missing) == 3:
        sizes[missing.pop()] = max(1, min(4, room // 64))
        room //= sizes["z"]
    if len(missing) == 2:
        first = _WARP if missing[0] in warps else 16 if len(active) == 2 or known else 8
        sizes[missing[0]] = min(first, room)
        room = max(1, room // sizes[missing.pop(0)])
    if missing:
        sizes[missing[0]] = min(room, _MOST_ALONG_Z) if missing[0] == "z" else room
    return sizes


def _counts_warps(polys: list[Poly], axis: str) -> bool:
    """Whether a kernel divides its threads along an axis by the size of a warp."""
    inner = Symbol(f"threadIdx.{axis}", Role.THREAD)
    return any(
        isinstance(atom, Floor)
        and atom.numerator.coefficient(inner) == ONE
        and (atom.denominator.integer or 1) % _WARP == 0
        for poly in polys
        for atom in poly.atoms()
    )


def _block_constant(polys: list[Poly], axis: str) -> int | None:
    """c where a kernel computes c*blockIdx + threadIdx."""
    inner, outer = Symbol(f"threadIdx.{axis}", Role.THREAD), Symbol(f"blockIdx.{axis}", Role.THREAD)
    return _most_frequent(polys, inner, outer)


def _rows_at_a_time(polys: list[Poly], axis: str, tile: int, counters: list[Symbol]) -> int:
    """c where a tile's rows are covered in steps of c: blockIdx*32 + threadIdx + 8*k."""
    inner, outer = Symbol(f"threadIdx.{axis}", Role.THREAD), Symbol(f"blockIdx.{axis}", Role.THREAD)
    across = [poly for poly in polys if poly.coefficient(inner) and poly.coefficient(outer)]
    for counter in counters:
        step = _most_frequent(across, inner, counter)
        if step is not None and step < tile and tile % step == 0:
            return step
    return tile


def _most_frequent(polys: list[Poly], inner: Symbol, outer: Symbol) -> int | None:
    votes: Counter[int] = Counter()
    for poly in polys:
        small, large = poly.coefficient(inner), poly.coefficient(outer)
        if not small or not large:
            continue
        ratio = divide_exactly(large, small)
        size = None if ratio is None else ratio.integer
        if size is not None and 1 < size <= 1024:
            votes[size] += 1
    return _chosen(votes)


def _chosen(votes: Counter[int]) -> int | None:
    """The size with the most votes; of several the largest."""
    return max(votes, key=lambda size: (votes[size], size), default=None)


def _stride_constant(polys: list[Poly], axis: str, counters: list[Symbol]) -> int | None:
    """c where a loop goes from threadIdx on in steps of c."""
    inner = Symbol(f"threadIdx.{axis}", Role.THREAD)
    guards = [poly for poly in polys if poly.coefficient(inner).integer == -1]
    votes: Counter[int] = Counter()
    for counter in counters:
        size = _most_frequent(guards, inner, counter)
        if size is not None:
            votes[size] += 1
    return _chosen(votes)
