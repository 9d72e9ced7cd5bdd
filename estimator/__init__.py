"""kcost: what a CUDA kernel costs, as formulas, from its source alone.

    >>> import estimator
    >>> report = estimator.analyze("samples/matmul.cu")
    >>> report.kernels[0].intensity
    N/6

`analyze` takes a path or several and, as options, what `kcost analyze` takes; it gives a
`Report`. Formulas in it are objects of `estimator.algebra`; `to_sympy` makes sympy
expressions of them, and `parse_formula` reads the strings of the JSON format.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from estimator.algebra.to_sympy import parse as parse_formula
    from estimator.algebra.to_sympy import to_sympy
    from estimator.analysis import analyze
    from estimator.gpus import find_gpu
    from estimator.options import Options
    from estimator.report.model import FileReport, KernelReport, Report

if not os.path.isdir(os.path.join(__path__[0], "grammars")):
    # In a checkout grammars/ stands beside the package; a wheel has it inside.
    __path__.append(os.path.dirname(__path__[0]))

__all__ = [
    "FileReport",
    "KernelReport",
    "Options",
    "Report",
    "analyze",
    "find_gpu",
    "parse_formula",
    "to_sympy",
]

_HOMES = {
    "analyze": ("estimator.analysis", "analyze"),
    "Options": ("estimator.options", "Options"),
    "Report": ("estimator.report.model", "Report"),
    "FileReport": ("estimator.report.model", "FileReport"),
    "KernelReport": ("estimator.report.model", "KernelReport"),
    "find_gpu": ("estimator.gpus", "find_gpu"),
    "to_sympy": ("estimator.algebra.to_sympy", "to_sympy"),
    "parse_formula": ("estimator.algebra.to_sympy", "parse"),
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: starting up stays fast."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'estimator' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
