"""An index that depends on data leaves what the others touch as a bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.to_sympy import parse, to_sympy
from estimator.analysis import analyze

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"


@pytest.mark.parametrize(
    ("body", "distinct", "sectors"),
    [
        # x[i] are n elements for certain; x[nb[i]] may all be others.
        ("y[i] = x[i] + x[nb[i]];", ("n", "2*n"), ("n/8", "2*n")),
        ("y[i] = x[2 * i] + x[2 * i + 1] + x[nb[i]];", ("2*n", "3*n"), ("n/4", "3*n")),
        # Nothing is known of one index, and an element is in one sector.
        ("y[i] = x[nb[i]];", ("1", "n"), ("1", "n")),
        # One element, however often a loop that data ends comes to it.
        (
            "for (int e = nb[i]; e < nb[i + 1]; e++) if (y[e] > 1.0f) y[e] = x[0];",
            ("0", "1"),
            ("0", "1"),
        ),
        # What is only read perhaps is no bound from below.
        ("y[i] = x[nb[i]]; if (y[i] > 1.0f) y[i] = x[i];", ("1", None), ("1", None)),
    ],
)
def test_the_certain_part_is_a_bound(
    body: str,
    distinct: tuple[str, str | None],
    sectors: tuple[str, str | None],
    tmp_path: Path,
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"__global__ void k(const float *x, const int *nb, float *y, int n) {{ {INDEX} {body} }}\n"
    )
    (kernel,) = analyze([str(path)]).kernels
    found = {unknown.name: unknown for unknown in kernel.unknowns}
    for name, bounds in (("distinct_x@1", distinct), ("sectors_x@1", sectors)):
        for bound, expected in zip((found[name].lower, found[name].upper), bounds, strict=True):
            if expected is not None:
                assert bound is not None
                assert to_sympy(bound) - parse(expected) == 0
