"""What a kernel costs, as texts by dotted key, for tables of hand-derived values."""

from __future__ import annotations

from pathlib import Path

import sympy

from estimator.algebra.printing import sympy_text
from estimator.algebra.to_sympy import parse
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import FileReport, KernelReport
from estimator.report.rows import named_counts

LAUNCH = "grid=(G) block=(256)"
KERNEL = """{before}
__global__ void k(float *x, float *y, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
"""


def file_of(folder: Path, source: str, launch: str = LAUNCH) -> FileReport:
    """The report of a file with this text."""
    path = folder / "k.cu"
    path.write_text(source)
    return analyze([str(path)], Options(launches=(launch,) if launch else ())).files[0]


def kernel_of(folder: Path, source: str, launch: str = LAUNCH) -> KernelReport:
    """The report of the only kernel in a text, which loses nothing."""
    file = file_of(folder, source, launch)
    assert [str(one) for one in file.diagnostics] == []
    (kernel,) = file.kernels
    return kernel


def costs(kernel: KernelReport) -> dict[str, str]:
    """What an active thread does, without what it does not."""
    named = named_counts(kernel.per_thread)
    return {key: text for key, count in named.items() if (text := sympy_text(count.formula)) != "0"}


def shares(kernel: KernelReport) -> dict[str, str]:
    """What all threads do, divided by how many there are."""
    threads = parse(sympy_text(kernel.threads.formula))
    found = {
        key: sympy.cancel(parse(sympy_text(count.formula)) / threads)
        for key, count in named_counts(kernel.grid).items()
    }
    return {key: str(share) for key, share in found.items() if share != 0}


def body_costs(folder: Path, body: str, before: str = "", launch: str = LAUNCH) -> dict[str, str]:
    """What a thread of `k(float *x, float *y, int n)` with this body does on average."""
    return shares(kernel_of(folder, KERNEL.format(body=body, before=before), launch))
