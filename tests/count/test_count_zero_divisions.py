"""Divisors that are 0 at the sizes given: no fault where nothing divides, else a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import Report

LAUNCHES = ("k: grid=((N+7)/8) block=(8)",)


def report_of(body: str, folder: Path, **values: int) -> Report:
    file = folder / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, float *o, int N, int M)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + body + "\n}\n"
    )
    return analyze(str(file), Options(launches=LAUNCHES, values=values))


# Loads and stores at N = 7, M = 0, counted by hand.
REACHED_BY_NOBODY = {
    "if (i < N) { if (M > 0) o[i] = a[i / M]; else o[i] = 1.0f; }": (0, 7),
    "if (i < N && M != 0 && i % M == 0) o[i] = a[i];": (0, 0),
    "if (i < N * M) { int h = i % M; if (h < M / 2) o[i] = a[i]; }": (0, 0),
    "int q = M ? N / M : 2; if (i < q) o[i] = a[i];": (2, 2),
    "if (M > 0) for (int j = 0; j < N / M; j++) o[j] = a[j % M]; if (i < N) o[i] = a[i];": (7, 7),
}


@pytest.mark.parametrize("body", REACHED_BY_NOBODY)
def test_what_nobody_divides_is_no_fault(body: str, tmp_path: Path) -> None:
    report = report_of(body, tmp_path, N=7, M=0)
    assert report.complete
    assert not report.files[0].diagnostics
    grid = report.kernels[0].grid
    found = tuple(c["global"].value if c else 0 for c in (grid.loads, grid.stores))
    assert found == REACHED_BY_NOBODY[body]


@pytest.mark.parametrize(
    "body",
    [
        "if (i < N)\n o[i] = a[i / M];",
        "if (i < N)\n if (i % M == 1) o[i] = 1.0f;",
        "if (i < N)\n for (int j = 0; j < N / M; j++) o[i] += 1.0f;",
        "if (i < N)\n o[i] = a[i / (M * N - M)];",
    ],
)
def test_what_somebody_divides_is_a_warning(body: str, tmp_path: Path) -> None:
    report = report_of(body, tmp_path, N=7, M=0)
    (found,) = report.files[0].diagnostics
    assert (found.code.id, found.position.line) == ("K304", 5)
    assert "M = 0" in found.message
    assert not report_of(body, tmp_path, N=7, M=2).files[0].diagnostics
