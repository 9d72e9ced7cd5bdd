"""What tests of footprints share: a kernel from its body, its formulas, and the oracle's word."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from oracle.compare import compare

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport


def report(file: Path, launch: str, values: Mapping[str, int] | None = None) -> KernelReport:
    """The report of the one kernel of a file."""
    options = Options(launches=(launch,), values=dict(values or {}))
    (kernel,) = analyze(str(file), options).kernels
    return kernel


def compulsory(kernel: KernelReport) -> dict[str, str]:
    """Compulsory bytes by array, as sympy's text."""
    found = kernel.bytes.by_array.items()
    return {name: sympy_text(array.compulsory.formula) for name, array in found}


def sectors(kernel: KernelReport) -> dict[str, str]:
    """Bytes in whole sectors by array, as sympy's text."""
    found = kernel.bytes.by_array.items()
    return {name: sympy_text(array.compulsory_sectors.formula) for name, array in found}


def differences(file: Path, launch: str, values: Mapping[str, int]) -> list[str]:
    """Where kcost and the oracle differ at these sizes, numbers and exact formulas."""
    return compare(file, "k", launch, values).differences
