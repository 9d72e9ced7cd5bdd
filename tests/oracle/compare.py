"""The product against the oracle: the same kernel, launch and sizes, every count compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from estimator.algebra.poly import Poly
from estimator.algebra.walk import Undecided, evaluate
from estimator.analysis import analyze
from estimator.options import Options
from estimator.parse.parser import parse
from estimator.report.model import Count, KernelReport
from estimator.simplify.simplify import simplify
from estimator.source.preprocess import preprocess
from estimator.source.read import read_source
from oracle.counts import OracleCounts
from oracle.launch import read_launch
from oracle.run import Elements, run_kernel


@dataclass
class Comparison:
    """Where the two differ (`name: product, oracle`), and what depends on data."""

    differences: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def compare(
    path: Path,
    kernel: str,
    launch: str,
    values: Mapping[str, int],
    arrays: Mapping[str, Elements] | None = None,
) -> Comparison:
    """Analyse and run a kernel of a file, and compare all that both count."""
    values = {**_other_integers(path, kernel), **values}
    options = Options(launches=(launch,), kernels=(kernel,), values=dict(values))
    report = analyze([str(path)], options)
    assert report.kernels, [str(d) for file in report.files for d in file.diagnostics]
    product = report.kernels[0]
    unit = parse(simplify(preprocess(read_source(str(path)))))
    (found,) = [k for k in unit.kernels if kernel in (k.name, k.display_name)]
    grid, block = read_launch(launch, values)
    truth = run_kernel(unit, found.name, grid, block, values=values, arrays=arrays)
    return _compared(product, truth, values)


def _other_integers(path: Path, kernel: str) -> dict[str, int]:
    """Integer parameters that no size is given for are 1."""
    report = analyze([str(path)], Options(kernels=(kernel,)))
    whole = ("int", "unsigned", "long", "short", "char", "size_t")
    return {
        parameter.name: 1
        for found in report.kernels
        for parameter in found.parameters
        if "*" not in parameter.type and parameter.type.startswith(whole)
    }


def _compared(product: KernelReport, truth: OracleCounts, values: Mapping[str, int]) -> Comparison:
    result = Comparison()

    def same(name: str, count: Count | None, right: int) -> None:
        try:
            left = number(count, values)
        except Undecided:
            result.skipped.append(name)
            return
        if left != right:
            result.differences.append(f"{name}: {left}, {right}")

    counts = product.grid
    groups = {"flops": counts.flops, "loads": counts.loads, "stores": counts.stores}
    groups["atomics"] = counts.atomics
    for group, mapping in groups.items():
        names = {key.partition(".")[2] for key in truth.totals if key.startswith(f"{group}.")}
        for key in sorted(names | set(mapping)):
            same(f"{group}.{key}", mapping.get(key), truth.totals.get(f"{group}.{key}", 0))
    for name in ("special", "barriers", "shuffles"):
        same(name, getattr(counts, name), truth.totals.get(name, 0))
    same("threads", product.threads, truth.threads)
    same("active threads", product.active_threads, truth.active_threads)
    same("requested", product.bytes.requested, truth.requested)
    same("compulsory", product.bytes.compulsory, truth.compulsory)
    for name, array in product.bytes.by_array.items():
        if name in truth.by_array:
            same(f"compulsory of {name}", array.compulsory, truth.by_array[name].compulsory)
    if all(value % 32 == 0 for value in values.values()):
        # Rows of other lengths do not start at sectors, which the report assumes and says.
        same("sectors", product.bytes.compulsory_sectors, truth.compulsory_sectors)
    return result


def number(count: Count | None, values: Mapping[str, int]) -> Fraction | int:
    """The exact value of a count. Raises Undecided where it depends on data."""
    if count is None:
        return 0
    if isinstance(count.exact, Poly):
        return evaluate(count.exact, values)
    return count.exact.evaluate(values)
