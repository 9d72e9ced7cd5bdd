"""The counts of a kernel under the names that people read, in one order."""

from __future__ import annotations

from collections.abc import Iterator

from estimator.algebra.poly import ZERO
from estimator.gpus.kinds import unit_label
from estimator.immutable import immutable
from estimator.report.model import Count, Counts, KernelReport

_NONE = Count(ZERO, ZERO)
_SPACES = ("global", "texture", "shared", "local", "constant")


@immutable()
class CountRow:
    """One kind of count: its key in JSON (`flops.fp32`), its name, per thread and in all."""

    key: str
    name: str
    per_thread: Count | None
    grid: Count | None


def count_rows(kernel: KernelReport) -> Iterator[CountRow]:
    """What the kernel executes; kinds that never occur are left out, FLOPs never."""
    thread, grid = named_counts(kernel.per_thread), named_counts(kernel.grid)
    for key, name in _order(kernel):
        row = CountRow(key, name, thread.get(key), grid.get(key))
        if key == "flops":
            yield CountRow(key, name, _NONE, _NONE)
        elif _occurs(row):
            yield row


def _order(kernel: KernelReport) -> Iterator[tuple[str, str]]:
    precisions = list(dict.fromkeys([*kernel.per_thread.flops, *kernel.grid.flops]))
    for precision in precisions:
        yield f"flops.{precision}", name_of(f"flops.{precision}")
    if not precisions:
        yield "flops", "FLOPs"
    yield "special", "special functions"
    for space in _SPACES:
        for kind in ("loads", "stores", "atomics"):
            yield f"{kind}.{space}", f"{space} {kind}"
    yield "shuffles", "warp shuffles"
    yield "barriers", "barriers"


def named_counts(counts: Counts) -> dict[str, Count]:
    """The counts by dotted key: `flops.fp32`, `special`, `loads.global`, ..."""
    named = {f"flops.{precision}": count for precision, count in counts.flops.items()}
    for kind in ("loads", "stores", "atomics"):
        by_space = getattr(counts, kind)
        named.update({f"{kind}.{space}": count for space, count in by_space.items()})
    for kind in ("special", "shuffles", "barriers"):
        named[kind] = getattr(counts, kind)
    return named


def name_of(key: str) -> str:
    """`flops.fp32` → `FP32 FLOPs`, `loads.shared` → `shared loads`."""
    kind, _, what = key.partition(".")
    if kind == "flops":
        # Integer work of the tensor cores is no floating-point work.
        work = "operations" if what.startswith(("tensor_int", "tensor_b1")) else "FLOPs"
        return f"{unit_label(what)} {work}".strip()
    names = {"special": "special functions", "shuffles": "warp shuffles"}
    return f"{what} {kind}" if what else names.get(kind, kind)


def _occurs(row: CountRow) -> bool:
    return any(count is not None and not count.is_zero for count in (row.per_thread, row.grid))
