"""Numbers at given sizes follow C's arithmetic in the parameters' types, whatever formulas assume."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.gpus.load import find_gpu
from estimator.options import Options
from estimator.report.model import KernelReport


def report_of(
    folder: Path, parameters: str, body: str, launch: str = "grid=(1) block=(1)", **values: int
) -> KernelReport:
    file = folder / "k.cu"
    file.write_text(f"__global__ void k(float *x, {parameters}) {{ {body} }}\n")
    options = Options(launches=(launch,), values=values, gpus=(find_gpu("l40s"),))
    report = analyze(str(file), options)
    assert report.complete, [str(d) for d in report.files[0].diagnostics]
    return report.kernels[0]


# The iterations or branches that g++ -fwrapv makes of it, one FLOP each.
AT_VALUES = [
    ("int n", "for (int i = 0; i < 8 + n % 3; i++) x[i] *= 2.0f;", {"n": -1}, 7),
    ("int n", "unsigned u = n; for (unsigned i = 0; i < u % 7; i++) x[i] -= 2.0f;", {"n": -3}, 1),
    ("int n", "for (int i = 0; i < 10 + n / 2; i++) x[i] += 1.0f;", {"n": -3}, 9),
    ("int n", "for (int i = 0; i < 4 + (n >> 1); i++) x[i] += 1.0f;", {"n": -3}, 2),
    (
        "unsigned n",
        "unsigned c = (n - 5) / 1000000000; for (unsigned i = 0; i < c; i++) x[i] += 1.0f;",
        {"n": 3},
        4,
    ),
    (
        "unsigned n",
        "unsigned m = n * 100000u; for (unsigned i = 0; i < m / 100000000u; i++) x[i] += 1.0f;",
        {"n": 50000},
        7,
    ),
    (
        "unsigned n",
        "unsigned c = (n - 1) / 256 + 1; for (unsigned i = 0; i < c; i++) x[i] += 1.0f;",
        {"n": 0},
        2**24,
    ),
    ("unsigned n, int m", "long long q = n - m; if (q > 0) x[4] += 1.0f;", {"n": 1, "m": 2}, 1),
    ("int n", "long q = n - 5u; for (int i = 0; i < q % 10; i++) x[i] *= 1.0f;", {"n": 3}, 4),
    ("unsigned short n", "unsigned short m = n - 1; if (m > 9) x[0] += 1.0f;", {"n": 0}, 1),
]


@pytest.mark.parametrize(("parameters", "body", "values", "flops"), AT_VALUES)
def test_numbers_are_those_of_c(
    parameters: str, body: str, values: dict[str, int], flops: int, tmp_path: Path
) -> None:
    kernel = report_of(tmp_path, parameters, body, **values)
    assert kernel.grid.flops["fp32"].value == flops
    assert kernel.per_thread.flops["fp32"].value == flops


def test_loops_that_only_numbers_tell_are_run_through(tmp_path: Path) -> None:
    # Blelloch's up-sweep over 512 elements makes 511 sums.
    body = (
        "int offset = 1; for (int d = n >> 1; d > 0; d >>= 1) { __syncthreads(); "
        "if (threadIdx.x < d) x[offset * (2 * threadIdx.x + 2) - 1] += 1.0f; offset *= 2; }"
    )
    kernel = report_of(tmp_path, "int n", body, "grid=(1) block=(n/2)", n=512)
    assert kernel.grid.flops["fp32"].value == 511
    assert kernel.grid.barriers.value == 9 * 256
    numbers = kernel.gpus["l40s"].numbers
    assert numbers is not None
    assert numbers.compute_time_s == pytest.approx(511 / 91.6e12, rel=0.01)


def test_a_value_that_is_set_stays_with_its_unknown(tmp_path: Path) -> None:
    body = "for (int d = n; d > 0; d >>= 1) x[0] += 1.0f; if (x[1] > 0) if (x[2] > 0) x[3] += 1.0f;"
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *x, int n) {{ {body} }}\n")
    options = Options(
        launches=("grid=(1) block=(64)",), values={"n": -1}, unknowns={"p@1.2": 1, "p@1.3": 0}
    )
    (kernel,) = analyze(str(file), options).kernels
    assert kernel.grid.flops["fp32"].value == 0


SHORT = "short ix = blockIdx.x * blockDim.x + threadIdx.x; if (ix < n && ix >= 0) x[ix] += 1.0f;"


def test_an_index_fits_its_type_as_a_note_says(tmp_path: Path) -> None:
    kernel = report_of(tmp_path, "int n", SHORT, "grid=((n+255)/256) block=(256)", n=1000)
    assert text(kernel.grid.flops["fp32"].formula, HUMAN) == "n"
    assert kernel.grid.flops["fp32"].value == 1000
    assert "ix fits its type short" in [one.message for one in kernel.assumptions]


def test_an_index_that_does_not_fit_at_the_sizes_given_wraps_around(tmp_path: Path) -> None:
    # 256 blocks of 256: half of the indices are negative.
    kernel = report_of(tmp_path, "int n", SHORT, "grid=((n+255)/256) block=(256)", n=65536)
    assert kernel.grid.flops["fp32"].value == 32768


def test_what_cannot_be_run_through_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("estimator.lower.kernel._STEPS_AT_SIZES", 2)
    report = report_of(tmp_path, "int n", "for (int i = 0; i < n; i++) x[i] += 1.0f;", n=5)
    assert report.grid.flops["fp32"].value == 5
    assert "by-formula" in {assumption.code for assumption in report.assumptions}


@pytest.mark.parametrize("size", [0, -5])
def test_formulas_stay_where_nothing_runs(size: int) -> None:
    path = Path(__file__).parents[2] / "samples" / "matmul.cu"
    (kernel,) = analyze(str(path), Options(values={"N": size})).kernels
    moved = kernel.bytes.compulsory
    assert (text(moved.formula, HUMAN), moved.value) == ("12N²", 0)
    flops = kernel.grid.flops["fp32"]
    assert (text(flops.formula, HUMAN), flops.value) == ("2N³", 0)
    assert "N <= 0" not in [one.message for one in kernel.assumptions]
