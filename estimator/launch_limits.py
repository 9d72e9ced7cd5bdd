"""Launches that no GPU accepts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from estimator.algebra.evaluate import Undecided, evaluate
from estimator.ir.kernel import KernelIR
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.position import Position

# CUDA C++ Programming Guide, technical specifications per compute capability.
_MOST_BLOCK = {"x": 1024, "y": 1024, "z": 64}
_MOST_THREADS = 1024


def impossible_launch(
    ir: KernelIR, position: Position, values: Mapping[str, int | Fraction]
) -> list[Diagnostic]:
    """A warning for a launch that no GPU accepts, as far as its extents are known."""
    wrong: list[str] = []
    threads: int | Fraction = 1
    for what, extents in (("gridDim", ir.launch.grid), ("blockDim", ir.launch.block)):
        for axis, extent in zip("xyz", extents, strict=True):
            try:
                size = evaluate(extent, values)
            except (Undecided, KeyError, ZeroDivisionError):
                continue
            if size < 1:
                wrong.append(f"{what}.{axis} is {size}")
            if what == "blockDim":
                threads *= max(size, 1)
                if size > _MOST_BLOCK[axis]:
                    wrong.append(f"{what}.{axis} is {size}, more than {_MOST_BLOCK[axis]}")
    if threads > _MOST_THREADS and not wrong:
        wrong.append(f"a block has {threads} threads, more than {_MOST_THREADS}")
    if not wrong:
        return []
    message = f"{ir.name} cannot be launched so: {'; '.join(wrong)}"
    return [diagnose(codes.LAUNCH_IMPOSSIBLE, position, message)]
