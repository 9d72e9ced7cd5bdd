"""The names that a report's formulas can be given values for."""

from __future__ import annotations

import re

from estimator.algebra.atoms import Role
from estimator.report.model import KernelReport
from estimator.roofline.work import symbols_of


def parameter_names(kernel: KernelReport) -> set[str]:
    """Parameters of the kernel, and every other symbol of its formulas that is a size."""
    formulas = [*kernel.launch.grid, *kernel.launch.block, kernel.threads.exact]
    formulas += [kernel.bytes.requested.exact, kernel.bytes.compulsory.exact]
    formulas += [count.exact for count in kernel.grid.flops.values()]
    # `View<float *>` is no pointer.
    types = {one.name: re.sub(r"<.*>", "", one.type) for one in kernel.parameters}
    found = {name for name, text in types.items() if "*" not in text}
    for formula in formulas:
        sizes = [s for s in symbols_of(formula) if s.role is not Role.UNKNOWN]
        found |= {s.name for s in sizes} | {s.identifier for s in sizes}
    return found
