"""Conditions that no set of indices can say: one unknown each, with its text, loops kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

HEAD = (
    "__global__ void k(const float *a, const float *b, float *out, int N, int M, int S)\n"
    "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
)
LAUNCHES = ("k: grid=((N+7)/8) block=(8)",)


def kernel_of(body: str, folder: Path) -> KernelReport:
    file = folder / "k.cu"
    file.write_text(HEAD + body + "\n}\n")
    report = analyze(str(file), Options(launches=LAUNCHES))
    assert report.complete
    return report.kernels[0]


def stores(kernel: KernelReport) -> str:
    return sympy_text(kernel.grid.stores["global"].formula)


def test_the_loops_around_a_condition_stay_as_they_are(tmp_path: Path) -> None:
    kernel = kernel_of(
        "    if (i < N)\n    for (int k = 0; k < M; k++)\n        for (int q = 0; q < S; q++)\n"
        "            if (i * S + k * M < N) out[q] = a[i];",
        tmp_path,
    )
    assert stores(kernel) == "M*N*S*p_7"
    (unknown,) = [u for u in kernel.unknowns if u.name.startswith(("p@", "trips@"))]
    assert "i * S + k * M" in unknown.meaning.replace("(", "").replace(")", "")
    # The threads that store are not known, but at most all of them do.
    assert sympy_text(kernel.active_threads.formula) == "active_1"


def test_a_condition_and_its_opposite_share_an_unknown(tmp_path: Path) -> None:
    kernel = kernel_of(
        "    if (i >= N) return;\n    if ((i & M) == 0) out[i] = a[i];\n"
        "    else { out[i] = b[i]; out[i + 1] = b[i]; }\n    if ((i & M) != 0) out[i] = 1.0f;\n"
        "    if ((i & M) == 0) out[i] = 2.0f;",
        tmp_path,
    )
    # p + 2(1 - p) + (1 - p) + p
    assert stores(kernel) == "N*(3 - p_5)"
    assert [u.meaning for u in kernel.unknowns if u.name == "p@5"] == [
        "share of the cases in which (i & M) == 0 holds (not linear in the indices)"
    ]
    assert sympy_text(kernel.active_threads.formula) == "N"


def test_a_quotient_by_half_a_size_stays_below_that_size(tmp_path: Path) -> None:
    """Rows of half a board: as in a checkerboard, threads beyond the last row do nothing."""
    file = tmp_path / "k.cu"
    file.write_text(HEAD + "    int q = i / (N / 2); if (q >= N) return; out[i] = a[i];\n}\n")
    launch = "grid=((N*N/2+7)/8) block=(8)"
    (kernel,) = analyze(str(file), Options(launches=("k: " + launch,))).kernels
    assert stores(kernel) == "N**2/2"
    assert not kernel.unknowns
    for size in (6, 7):
        assert not compare(file, "k", launch, {"N": size}).differences


# Launches with block sizes and steps that are parameters; stores counted by the oracle.
STRIDED = (
    "for (int j = i; j < N; j += blockDim.x * gridDim.x) out[j] = a[j] * 2.0f;",
    "for (int j = i; j < N; j += blockDim.x * gridDim.x) if (j > 3) out[j] = a[j];",
    "for (int j = threadIdx.x; j < N; j += blockDim.x) out[j] = a[j];",
)


@pytest.mark.parametrize("body", STRIDED)
@pytest.mark.parametrize(("n", "m", "s"), [(13, 3, 4), (64, 48, 16), (5, 40, 8)])
def test_grid_strides_of_any_launch(body: str, n: int, m: int, s: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(HEAD + body + "\n}\n")
    launch = "grid=((M+S-1)/S) block=(S)"
    assert not compare(file, "k", launch, {"N": n, "M": m, "S": s}).differences
    (kernel,) = analyze(str(file), Options(launches=("k: " + launch,))).kernels
    # Which threads reach an element above 3 may stay unknown, how many elements there are not.
    assert "trips" not in stores(kernel)
    assert "p_" not in stores(kernel)


@pytest.mark.parametrize(("n", "s"), [(13, 4), (5, 3), (64, 16), (0, 3), (100, 1), (7, 20), (8, 8)])
def test_steps_of_a_size_that_is_given(n: int, s: int, tmp_path: Path) -> None:
    """Thread t of 8 takes ceil((N - t)/S) elements."""
    file = tmp_path / "k.cu"
    file.write_text(HEAD + "for (int j = threadIdx.x; j < N; j += S) out[j] = a[j];\n}\n")
    options = Options(launches=("k: grid=(1) block=(8)",), values={"N": n, "S": s})
    (kernel,) = analyze(str(file), options).kernels
    assert kernel.grid.stores["global"].value == sum(max(0, -(-(n - t) // s)) for t in range(8))
    assert "S >= 1, as a loop steps by it" in [a.message for a in kernel.assumptions]


def test_trips_of_a_loop_count_the_iterations_that_continue_too(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *o, int n, int k) {\n"
        "    float s = 0;\n"
        "    for (int j = 0; j < n; j += k) {\n"
        "        if (j & 1) continue;\n"
        "        s += 2.0f;\n"
        "    }\n"
        "    o[threadIdx.x] = s;\n"
        "}\n"
    )
    (kernel,) = analyze(str(file), Options(launches=("grid=(1) block=(1)",))).kernels
    meanings = {u.name: u.meaning.partition(" holds")[0] for u in kernel.unknowns}
    assert meanings["p@4"] == "share of the cases in which j & 1"
    assert meanings["trips@3"].endswith(": j < n")
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "trips_3*(1 - p_4)"


def test_a_guard_inside_a_counted_loop_is_a_share(tmp_path: Path) -> None:
    """The loop runs M times, whatever of its iterations the guard lets through."""
    file = tmp_path / "k.cu"
    file.write_text(
        HEAD
        + "    for (int k = 0; k < M; k++) {\n        int q = i + k * blockDim.x * gridDim.x;\n"
        "        if (q < N) out[q] = a[q];\n    }\n}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert sympy_text(kernel.per_thread.stores["global"].formula) == "M*p_6"
    assert [u.meaning for u in kernel.unknowns if u.name == "p@6"] == [
        "share of the cases in which q < N holds (not linear in the indices)"
    ]
