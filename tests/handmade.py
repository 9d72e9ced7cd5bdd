"""Kernel reports made by hand, for what prints them and what judges them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from fractions import Fraction

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, ZERO, Poly, symbol
from estimator.algebra.printing import Formula
from estimator.algebra.ratio import Ratio, reduce
from estimator.gpus import find_gpu
from estimator.report import model
from estimator.roofline.verdict import Work, judge
from estimator.roofline.work import value_of
from estimator.source.position import Position

N = symbol("N")
I = Poly.of(Symbol("i", Role.THREAD))  # noqa: E741
ROWS, NNZ = symbol("n_rows"), Poly.of(Symbol("trips@8", Role.UNKNOWN))
G = Poly.of(Symbol("G", Role.LAUNCH))
NONE = model.Count(ZERO, ZERO)


def count(formula: Formula | int, exact: Formula | int | None = None, value=None) -> model.Count:
    even = Poly.of(formula) if isinstance(formula, int) else formula
    whole = even if exact is None else Poly.of(exact) if isinstance(exact, int) else exact
    return model.Count(even, whole, value)


def counts(
    flops: Mapping[str, Formula | int] | None = None,
    loads: Mapping[str, Formula | int] | None = None,
    stores: Mapping[str, Formula | int] | None = None,
    **others,
) -> model.Counts:
    kinds = [{key: count(value) for key, value in (kind or {}).items()} for kind in
             (flops, loads, stores, others.get("atomics"))]  # fmt: skip
    single = [count(others.get(name, 0)) for name in ("special", "shuffles", "barriers")]
    return model.Counts(
        flops=kinds[0],
        special=single[0],
        loads=kinds[1],
        stores=kinds[2],
        atomics=kinds[3],
        shuffles=single[1],
        barriers=single[2],
    )


def launch(grid: Poly, block: int = 256, origin=model.LaunchOrigin.SOURCE, line: int = 20):
    position = Position("kernel.cu", line, 5) if origin is model.LaunchOrigin.SOURCE else None
    return model.Launch((grid, ONE, ONE), (Poly.of(block), ONE, ONE), origin, position)


def array(requested, compulsory, sectors=None) -> model.ArrayBytes:
    exact = compulsory if sectors is None else sectors
    return model.ArrayBytes(count(requested), count(compulsory), count(exact))


def intensities(flops: Poly, requested: Poly, compulsory: Poly, limits) -> model.Intensity:
    def ratio(below: Poly) -> model.Count | None:
        return count(reduce(flops, below)) if below else None

    return model.Intensity(ratio(requested), ratio(compulsory), ratio(compulsory), limits)


def matmul() -> model.KernelReport:
    blocks = floor_divide(N + 15, Poly.of(16))
    threads = model.Count(N**2, 256 * blocks**2)
    requested, compulsory = 8 * N**3 + 4 * N**2, 12 * N**2
    return model.KernelReport(
        name="matmul",
        position=Position("matmul.cu", 3, 1),
        parameters=(
            model.Parameter("A", "const float *"),
            model.Parameter("B", "const float *"),
            model.Parameter("C", "float *"),
            model.Parameter("N", "int"),
        ),
        launch=model.Launch(
            (blocks, blocks, ONE),
            (Poly.of(16), Poly.of(16), ONE),
            model.LaunchOrigin.SOURCE,
            Position("matmul.cu", 24, 5),
        ),
        assumptions=(),
        per_thread=counts({"fp32": 2 * N}, {"global": 2 * N}, {"global": 1}),
        variation=None,
        grid=counts({"fp32": 2 * N**3}, {"global": 2 * N**3}, {"global": N**2}),
        threads=threads,
        active_threads=count(N**2),
        bytes=model.Bytes(
            count(requested),
            count(compulsory),
            model.Count(compulsory, 96 * floor_divide(N**2 + 7, Poly.of(8))),
            {
                "A": array(4 * N**3, 4 * N**2),
                "B": array(4 * N**3, 4 * N**2),
                "C": array(4 * N**2, 4 * N**2),
            },
        ),
        intensities=intensities(
            2 * N**3,
            requested,
            compulsory,
            {"requested": Ratio(ONE, Poly.of(4)), "compulsory": None},
        ),
        unknowns=(),
    )


def vector_add() -> model.KernelReport:
    return model.KernelReport(
        name="vector_add",
        position=Position("vector_add.cu", 4, 1),
        parameters=(model.Parameter("N", "int"),),
        launch=launch(floor_divide(N + 255, Poly.of(256)), origin=model.LaunchOrigin.ASSUMED),
        assumptions=(
            model.Assumption(
                "A401",
                "no launch was found: blocks of 256 threads, and as many blocks as cover "
                "blockIdx.x*blockDim.x + threadIdx.x < N",
            ),
        ),
        per_thread=counts({"fp32": 1}, {"global": 2}, {"global": 1}),
        variation=None,
        grid=counts({"fp32": N}, {"global": 2 * N}, {"global": N}),
        threads=model.Count(N, 256 * floor_divide(N + 255, Poly.of(256))),
        active_threads=count(N),
        bytes=model.Bytes(count(12 * N), count(12 * N), count(12 * N), {}),
        intensities=intensities(
            N, 12 * N, 12 * N, dict.fromkeys(("requested", "compulsory"), Ratio(ONE, Poly.of(12)))
        ),
        unknowns=(),
    )


def dot() -> model.KernelReport:
    flops, moved = 2 * N + 255 * G, 8 * N + 8
    return model.KernelReport(
        name="dot",
        position=Position("dot.cu", 7, 1),
        parameters=(model.Parameter("n", "int"),),
        launch=launch(G, origin=model.LaunchOrigin.OPTION),
        assumptions=(),
        per_thread=counts(
            {"fp32": floor_divide(N, 256 * G) + 1},
            {"global": 2, "shared": 2},
            {"shared": 2},
            atomics={"global": Fraction(1, 256) * ONE},
            barriers=9,
        ),
        variation=model.ThreadVariation(
            {"i": "threadIdx.x", "b": "blockIdx.x"},
            {"flops.fp32": 2 * I + 2, "loads.shared": 2 * I},
        ),
        grid=counts(
            {"fp32": flops},
            {"global": 2 * N, "shared": 511 * G},
            {"shared": 511 * G},
            atomics={"global": G},
            barriers=2304 * G,
        ),
        threads=count(256 * G),
        active_threads=count(256 * G),
        bytes=model.Bytes(
            count(8 * N + 8 * G),
            count(moved),
            count(8 * N + 64),
            {"a": array(4 * N, 4 * N), "b": array(4 * N, 4 * N), "s": array(8 * G, 8, 64)},
        ),
        intensities=intensities(
            flops,
            8 * N + 8 * G,
            moved,
            dict.fromkeys(("requested", "compulsory"), Ratio(ONE, Poly.of(4))),
        ),
        unknowns=(),
    )


def spmv() -> model.KernelReport:
    flops, moved = 2 * ROWS * NNZ, 12 * ROWS * NNZ + 12 * ROWS
    return model.KernelReport(
        name="spmv_csr_with_a_name_that_is_longer_than_most_terminals_are_wide_by_some_characters",
        position=Position("spmv.cu", 3, 1),
        parameters=(model.Parameter("n_rows", "int"),),
        launch=launch(floor_divide(ROWS + 255, Poly.of(256))),
        assumptions=(),
        per_thread=counts({"fp32": 2 * NNZ}, {"global": 3 * NNZ + 2}, {"global": 1}),
        variation=None,
        grid=counts({"fp32": flops}, {"global": ROWS * (3 * NNZ + 2)}, {"global": ROWS}),
        threads=model.Count(ROWS, 256 * floor_divide(ROWS + 255, Poly.of(256))),
        active_threads=count(ROWS),
        bytes=model.Bytes(count(moved), count(moved), count(moved), {}),
        intensities=intensities(
            flops, moved, moved, {"requested": Ratio(NNZ, 6 * NNZ + 6), "compulsory": None}
        ),
        unknowns=(
            model.Unknown(
                "trips@8",
                "trips@8",
                Position("spmv.cu", 8, 5),
                "iterations of the loop over row_ptr[row] to row_ptr[row + 1]",
                ZERO,
                None,
            ),
        ),
    )


def hash_int() -> model.KernelReport:
    base = vector_add()
    return replace(
        base,
        name="hash_int",
        position=Position("hash_int.cu", 5, 1),
        assumptions=(),
        per_thread=counts({}, {"global": 1}, {"global": 1}),
        grid=counts({}, {"global": N}, {"global": N}),
        bytes=model.Bytes(count(8 * N), count(8 * N), count(8 * N), {}),
        intensities=intensities(
            ZERO, 8 * N, 8 * N, dict.fromkeys(("requested", "compulsory"), Ratio(ZERO))
        ),
    )


def judged(kernel: model.KernelReport, *gpus: str, **values: int) -> model.KernelReport:
    """The kernel with its verdicts on shipped GPUs."""
    work = Work(
        kernel.grid.flops, kernel.grid.special, kernel.bytes.requested, kernel.bytes.compulsory
    )
    bounds = {unknown.symbol: (unknown.lower, unknown.upper) for unknown in kernel.unknowns}
    verdicts = {gpu: judge(work, find_gpu(gpu), values, bounds) for gpu in gpus}
    return replace(kernel, gpus=verdicts)


def valued(kernel: model.KernelReport, **values: int) -> model.KernelReport:
    """The kernel with values in place, in every count that has one."""
    return with_values(kernel, values)


def with_values(item, values):
    if isinstance(item, model.Count):
        return replace(item, value=value_of(item.exact, values))
    if isinstance(item, Mapping):
        return {key: with_values(inner, values) for key, inner in item.items()}
    if isinstance(item, tuple) and item and isinstance(item[0], model.Parameter):
        return tuple(replace(p, value=values.get(p.name)) for p in item)
    if isinstance(item, (model.KernelReport, model.Counts, model.Bytes, model.ArrayBytes,
                         model.Intensity)):  # fmt: skip
        changed = {f.name: with_values(getattr(item, f.name), values) for f in fields(item)}
        return replace(item, **changed)
    return item
