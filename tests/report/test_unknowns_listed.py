"""Every unknown that a formula holds is listed, so that it can be set."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from estimator.analysis import analyze
from estimator.options import Options
from estimator.roofline.work import symbols_of

MERGE = """__global__ void k(const int *a, const int *b, int *out, int na, int nb, int per)
{
    int d = (blockIdx.x * blockDim.x + threadIdx.x) * per, i = d / 2, j = d - i;
    for (int k = 0; k < per; k++)
        out[d + k] = (j >= nb || (i < na && a[i] <= b[j])) ? a[i++] : b[j++];
}
"""


def test_unknowns_of_arrays_and_of_bounds(tmp_path: Path) -> None:
    # Each step reads one element of a or b to keep it: p@5.3 cancels out of their sum only.
    path = tmp_path / "k.cu"
    path.write_text(MERGE)
    (kernel,) = analyze(str(path)).kernels
    listed = {unknown.name for unknown in kernel.unknowns}
    assert "p@5.3" in listed
    formulas = [array.requested.formula for array in kernel.bytes.by_array.values()]
    formulas += [end for u in kernel.unknowns for end in (u.lower, u.upper) if end is not None]
    for formula in formulas:
        assert {s.name for s in symbols_of(formula) if "@" in s.name} <= listed


def test_one_thread_that_takes_the_left(tmp_path: Path) -> None:
    # j < nb, i < na and a[i] <= b[j] for certain: two loads compare, one takes from a, a step.
    path = tmp_path / "k.cu"
    path.write_text(MERGE)
    given = {"p@5": Fraction(0), "p@5.2": Fraction(1), "p@5.3": Fraction(1)}
    options = Options(launches=("grid=1 block=32",), values={"per": 4}, unknowns=given)
    (kernel,) = analyze(str(path), options).kernels
    assert kernel.bytes.by_array["a"].requested.value == 32 * 4 * 2 * 4
    assert kernel.bytes.by_array["b"].requested.value == 32 * 4 * 1 * 4


FLUX = """__global__ void k(const float *q, const float *u, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 2 || i >= n - 2) return;
    y[i] = u[i] > 0 ? q[i] - q[i - 1] : q[i + 1] - q[i];
}
"""


def test_unknowns_that_only_exact_formulas_have(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(FLUX)
    (kernel,) = analyze(str(path)).kernels
    counts = [kernel.bytes.requested, kernel.bytes.compulsory, kernel.bytes.compulsory_sectors]
    assert [unknown.name for unknown in kernel.exact_unknowns] == ["p@5"]
    listed = {u.name for u in (*kernel.unknowns, *kernel.exact_unknowns)}
    for count in counts:
        assert {s.name for s in symbols_of(count.exact) if "@" in s.name} <= listed
        shown = {s.name for s in symbols_of(count.formula) if "@" in s.name}
        assert shown <= {u.name for u in kernel.unknowns}
