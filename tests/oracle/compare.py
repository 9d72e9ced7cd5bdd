"""The product against the oracle: the same kernel, launch and sizes, every count compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.poly import Poly
from estimator.algebra.printing import Formula
from estimator.analysis import analyze_files
from estimator.options import Options
from estimator.parse.unit import Function, Unit
from estimator.report.model import ArrayBytes, Bytes, Count, Counts, KernelReport
from oracle.counts import ArrayCounts, OracleCounts, ThreadIndex
from oracle.front import unit_of_file
from oracle.launch import evaluate as evaluate_text
from oracle.launch import read_launch
from oracle.operand import is_integer
from oracle.run import Elements, find_kernel, run_kernel
from oracle.thread import Triple

Number = Fraction | int


@dataclass
class Comparison:
    """Where the two differ (`name: product, oracle`), and what depends on data."""

    values: Mapping[str, int]
    differences: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def same(self, name: str, count: Count | None, truth: int) -> None:
        """Compares a count's exact formula and its value; what needs an unknown is skipped."""
        known = self.same_value(name, count, truth)
        try:
            value = number(count, self.values)
        except Undecided:
            if not known:
                self.skipped.append(name)
            return
        if value != truth:
            self.differences.append(f"{name}: {value}, {truth}")

    def same_value(self, name: str, count: Count | None, truth: int) -> bool:
        """Compares the number that the report itself gives; False if it gives none."""
        if count is None or count.value is None:
            return False
        if count.value != truth:
            self.differences.append(f"value of {name}: {count.value}, {truth}")
        return True


def compare(
    path: Path,
    kernel: str,
    launch: str,
    values: Mapping[str, int],
    arrays: Mapping[str, Elements] | None = None,
) -> Comparison:
    """Analyse and run a kernel of a file, and compare all that both count.

    Integer parameters that `values` has no number for are 1.
    """
    unit = unit_of_file(path)
    function = find_kernel(unit, kernel)
    values = {**dict.fromkeys(_integers(function, unit), 1), **values}
    options = Options(launches=(launch,), kernels=(kernel,), values=dict(values), exact=True)
    report = analyze_files([str(path)], options)
    assert report.kernels, [str(d) for file in report.files for d in file.diagnostics]
    product = report.kernels[0]
    grid, block = read_launch(launch, values)
    truth = run_kernel(unit, function.name, grid, block, values=values, arrays=arrays)
    result = Comparison(values)
    _totals(result, product, truth)
    _traffic(result, product.bytes, truth)
    _threads(result, product, truth, (grid, block))
    return result


def _integers(function: Function, unit: Unit) -> list[str]:
    """The names of the integer parameters."""
    named = [(p.name, unit.types.resolve(p.type)) for p in function.parameters]
    return [name for name, ctype in named if is_integer(ctype)]


def _by_name(counts: Counts) -> dict[str, Count]:
    """All counts by their dotted names."""
    found = {"special": counts.special, "barriers": counts.barriers, "shuffles": counts.shuffles}
    for group in ("flops", "loads", "stores", "atomics"):
        found |= {f"{group}.{key}": count for key, count in getattr(counts, group).items()}
    return found


def _totals(result: Comparison, product: KernelReport, truth: OracleCounts) -> None:
    counts = _by_name(product.grid)
    for name in sorted(counts.keys() | truth.totals.keys()):
        result.same(name, counts.get(name), truth.totals.get(name, 0))
    result.same("threads", product.threads, truth.threads)
    result.same("active threads", product.active_threads, truth.active_threads)


def _traffic(result: Comparison, product: Bytes, truth: OracleCounts) -> None:
    """Bytes of the grid and of each array.

    Formulas for sectors are compared where all sizes are multiples of 32: rows of other lengths
    do not start at sectors, which the report assumes and says. Its numbers take no such thing
    for granted.
    """
    sectors = all(value % 32 == 0 for value in result.values.values())
    nothing = ArrayCounts(0, 0, 0)
    pairs: list[tuple[str, Bytes | ArrayBytes | None, OracleCounts | ArrayCounts]] = [
        ("", product, truth)
    ]
    for name in sorted(product.by_array.keys() | truth.by_array.keys()):
        pairs.append((f" of {name}", product.by_array.get(name), truth.by_array.get(name, nothing)))
    for suffix, found, real in pairs:
        result.same(f"requested{suffix}", found.requested if found else None, real.requested)
        result.same(f"compulsory{suffix}", found.compulsory if found else None, real.compulsory)
        count = found.compulsory_sectors if found else None
        result.same_value(f"sectors{suffix}", count, real.compulsory_sectors)
        if sectors:
            result.same(f"sectors{suffix}", count, real.compulsory_sectors)


def _threads(
    result: Comparison, product: KernelReport, truth: OracleCounts, extents: tuple[Triple, Triple]
) -> None:
    """Each active thread on its own: by the formulas in its index, or the one for all.

    The one for all is meant for sizes that divide evenly, so it is compared only there.
    """
    uniform = _by_name(product.per_thread)
    formulas = product.variation.formulas if product.variation else {}
    index = product.variation.index if product.variation else {}
    active = {thread: counts for thread, counts in truth.per_thread.items() if any(counts.values())}
    for name in sorted(uniform.keys() | formulas.keys() | truth.totals.keys()):
        try:
            for thread, counts in active.items():
                value = _evaluate(uniform[name].formula, result.values) if name in uniform else 0
                if name in formulas:
                    places = _places(index, thread, extents, result.values)
                    value = _evaluate(formulas[name], {**result.values, **places})
                elif value != number(uniform.get(name), result.values):
                    break
                if value != counts.get(name, 0):
                    truth_text = f"{value}, {counts.get(name, 0)}"
                    result.differences.append(f"{name} of {thread}: {truth_text}")
                    break
        except Undecided:
            result.skipped.append(f"{name} of a thread")


def _places(
    index: Mapping[str, str],
    thread: ThreadIndex,
    extents: tuple[Triple, Triple],
    values: Mapping[str, int],
) -> dict[str, int]:
    """A thread's indices by their symbols."""
    return {name: _index_value(text, thread, extents, values) for name, text in index.items()}


def _index_value(
    meaning: str, thread: ThreadIndex, extents: tuple[Triple, Triple], values: Mapping[str, int]
) -> int:
    """A thread's index from what it stands for: `blockIdx.x*8 + threadIdx.x`."""
    known = {
        "threadIdx": thread.thread,
        "blockIdx": thread.block,
        "gridDim": extents[0],
        "blockDim": extents[1],
    }
    text = re.sub(
        r"\b(threadIdx|blockIdx|gridDim|blockDim)\.([xyz])",
        lambda found: str(known[found[1]]["xyz".index(found[2])]),
        meaning,
    )
    return evaluate_text(text, values)


def number(count: Count | None, values: Mapping[str, int]) -> Number:
    """The exact value of a count. Raises Undecided where it depends on data."""
    return 0 if count is None else _evaluate(count.exact, values)


def _evaluate(formula: Formula, values: Mapping[str, int]) -> Number:
    if isinstance(formula, Poly):
        return evaluate(formula, values)
    return formula.evaluate(values)
