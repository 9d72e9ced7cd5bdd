"""Every kernel of the samples against its hand-derived values, with its launch and without."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from cases.load import Case, cases

from estimator.algebra.evaluate import evaluate
from estimator.algebra.poly import Poly
from estimator.algebra.printing import sympy_text
from estimator.algebra.to_sympy import parse
from estimator.analysis import analyze_files
from estimator.options import Options
from estimator.report.model import Count, KernelReport

NOT_YET = ("compiled", "sectors_per_request")
COUNTED = {
    "flops": lambda counts: _total(counts.flops),
    "tensor_flops": lambda counts: _total(
        {key: count for key, count in counts.flops.items() if key.startswith("tensor_")}
    ),
    "fp32": lambda counts: counts.flops.get("fp32"),
    "special": lambda counts: counts.special,
    "loads": lambda counts: counts.loads.get("global"),
    "stores": lambda counts: counts.stores.get("global"),
    "atomics": lambda counts: counts.atomics.get("global"),
    "barriers": lambda counts: counts.barriers,
    "shuffles": lambda counts: counts.shuffles,
    **{
        f"flops_{p}": lambda counts, p=p: counts.flops.get(p)
        for p in ("fp64", "fp32", "fp16", "bf16")
    },
    **{
        f"{space}_{kind}": lambda counts, s=space, k=kind: getattr(counts, k).get(s)
        for space in ("shared", "local", "constant", "global")
        for kind in ("loads", "stores", "atomics")
    },
}


def _total(counts):
    values = [expression(count) for count in counts.values()]
    return sum(values, sympy.Integer(0))


def expression(count):
    if count is None:
        return sympy.Integer(0)
    if isinstance(count, Count):
        return parse(sympy_text(count.formula))
    return count


def measured(report: KernelReport, key: str):
    """What the report says for a key of the table; None for keys that are not formulas."""
    if key.startswith("per_thread."):
        name = key.removeprefix("per_thread.")
        return expression(COUNTED["fp32" if name == "flops" else name](report.per_thread))
    if key.startswith("total_") and key.endswith("_per_thread"):
        name = key.removeprefix("total_").removesuffix("_per_thread")
        return expression(COUNTED[name](report.per_thread))
    if key.startswith("total_"):
        return expression(COUNTED[key.removeprefix("total_")](report.grid))
    if key.endswith("_total"):
        return expression(COUNTED[key.removesuffix("_total")](report.grid))
    match key:
        case "requested_bytes":
            return expression(report.bytes.requested)
        case "compulsory_bytes":
            return expression(report.bytes.compulsory)
        case "compulsory_sector_bytes":
            return expression(report.bytes.compulsory_sectors)
        case "intensity":
            return expression(report.intensities.compulsory)
        case "requested_intensity":
            return expression(report.intensities.requested)
        case "intensity_limit" | "requested_intensity_limit":
            kind = "requested" if key.startswith("requested") else "compulsory"
            limit = report.intensities.limits[kind]
            return None if limit is None else parse(sympy_text(limit))
    if key.endswith("_of_thread"):
        assert report.variation is not None
        name = key.removesuffix("_of_thread")
        formulas = {k: v for k, v in report.variation.formulas.items() if k.startswith(name)}
        ((_, formula),) = formulas.items()
        return parse(sympy_text(formula))
    raise KeyError(key)


def wanted(text: str):
    """The expected expression. E is the number of stored elements: rows × their average."""
    expression_ = parse(text.replace("@", "_"))
    return expression_.subs(sympy.Symbol("E"), parse("rows*trips_15"))


def equal(left, right) -> bool:
    return left is not None and sympy.simplify(left - right) == 0


def exact_count(report: KernelReport, key: str) -> Count | None:
    """The count behind a key, for those that have one."""
    if key.startswith("per_thread."):
        counts, name = report.per_thread, key.removeprefix("per_thread.")
    elif key.startswith("total_"):
        counts, name = report.grid, key.removeprefix("total_").removesuffix("_per_thread")
        counts = report.per_thread if key.endswith("_per_thread") else counts
    elif key.endswith("_total"):
        counts, name = report.grid, key.removesuffix("_total")
    else:
        return {
            "requested_bytes": report.bytes.requested,
            "compulsory_bytes": report.bytes.compulsory,
            "compulsory_sector_bytes": report.bytes.compulsory_sectors,
            "intensity": report.intensities.compulsory,
            "requested_intensity": report.intensities.requested,
        }.get(key)
    if name == "flops" and len(counts.flops) == 1:
        return next(iter(counts.flops.values()))
    found = COUNTED[name](counts) if name not in ("flops", "tensor_flops", "atomics") else None
    return found if isinstance(found, Count) else None


def equal_at(count: Count, text: str, sizes: dict[str, int]) -> bool:
    """Whether the exact formula gives the expected number at some sizes."""
    exact = count.exact
    number = evaluate(exact, sizes) if isinstance(exact, Poly) else exact.evaluate(sizes)
    right = wanted(text).subs({sympy.Symbol(name): value for name, value in sizes.items()})
    return sympy.Rational(Fraction(number).numerator, Fraction(number).denominator) == right


def report_of(case: Case, launch: bool) -> KernelReport:
    launches = (case.launch,) if launch else ()
    return _analyzed(str(case.file), case, launches)


def _analyzed(path: str, case: Case, launches: tuple[str, ...] = ()) -> KernelReport:
    names = (case.symbol or case.kernel,)
    report = analyze_files([path], Options(launches=launches, kernels=names))
    if not report.kernels:
        pytest.skip("a template that only its launch instantiates")
    (kernel,) = report.kernels
    return kernel


def names_in(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


KEYS = [
    pytest.param(case, key, id=f"{case.name}-{key}")
    for case in cases()
    for key in case.formulas
    if not any(word in key for word in NOT_YET)
]
_cache: dict[tuple[str, str], KernelReport] = {}


def check(report: KernelReport, case: Case, key: str) -> None:
    text = case.formulas[key]
    found = measured(report, key)
    if key in case.facts.get("unknown", ()):
        names = {unknown.symbol for unknown in report.unknowns}
        assert names & {symbol.name for symbol in found.free_symbols}
        return
    if key.endswith("_of_thread") and not equal(found, wanted(text)):
        assert_same_for_every_thread(found, wanted(text), case.sizes)
    elif not equal(found, wanted(text)):
        # Formulas for people leave roundings and small sizes out; the exact one may not.
        count = exact_count(report, key)
        assert count is not None, f"{found} is not {text}"
        assert equal_at(count, text, case.sizes), f"{found} is not {text}"


def assert_same_for_every_thread(found, right, sizes: dict[str, int]) -> None:
    values = {sympy.Symbol(name): value for name, value in sizes.items()}
    for i in range(max(sizes.values())):
        index = {sympy.Symbol("i"): i}
        left = found.subs(values).subs(index)
        assert left in (0, right.subs(values).subs(index)), i


@pytest.mark.parametrize(("case", "key"), KEYS)
def test_with_its_launch(case: Case, key: str) -> None:
    if ("option", case.name) not in _cache:
        _cache["option", case.name] = report_of(case, launch=True)
    check(_cache["option", case.name], case, key)


@pytest.mark.parametrize(("case", "key"), KEYS)
def test_with_the_launch_in_the_file(case: Case, key: str) -> None:
    if ("source", case.name) not in _cache:
        _cache["source", case.name] = report_of(case, launch=False)
    if case.launch_matters and not key.startswith("per_thread"):
        pytest.skip("the total is for another launch than the file's")
    check(_cache["source", case.name], case, key)


@pytest.mark.parametrize(("case", "key"), KEYS)
def test_without_a_launch(case: Case, key: str, tmp_path: Path) -> None:
    if ("assumed", case.name) not in _cache:
        file = tmp_path / case.file.name
        file.write_text(case.file.read_text().replace("<<<", "<"))
        _cache["assumed", case.name] = _analyzed(str(file), case)
    if case.launch_matters or "launch" in case.facts:
        pytest.skip("the value is for a launch that the kernel does not show")
    check(_cache["assumed", case.name], case, key)
