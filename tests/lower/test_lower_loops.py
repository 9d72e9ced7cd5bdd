"""Loops that end nowhere, and code that is deep or long: a count or an unknown, never a crash."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from estimator.algebra.poly import Poly
from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

ONE_BLOCK = Options(launches=("k: grid=(1) block=(64)",))


def kernel_of(body: str, folder: Path) -> KernelReport:
    file = folder / "k.cu"
    file.write_text(
        f"__global__ void k(float *a, int N)\n{{\n    int i = threadIdx.x;\n{body}\n}}\n"
    )
    report = analyze(str(file), ONE_BLOCK)
    assert report.complete, [str(d) for d in report.files[0].diagnostics]
    return report.kernels[0]


@pytest.mark.parametrize(
    "head",
    [
        "for (int j = 0; j != 7; j += 2)",
        "for (int j = 8; j != 0; j += 2)",
        "for (int j = 0; j < N; j *= 2)",
        "for (int j = N; j >= 0; j /= 2)",
        "for (int j = 0; j < N; j += 0)",
        "for (;;)",
    ],
)
def test_loops_without_an_end_have_an_unknown_trip_count(head: str, tmp_path: Path) -> None:
    kernel = kernel_of(f"    {head} a[i] = 1.0f;", tmp_path)
    assert [u.name for u in kernel.unknowns] == ["trips@4"]


@pytest.mark.parametrize(
    ("head", "trips"),
    [
        ("for (int j = 8; j != 0; j -= 2)", "4"),
        ("for (int j = 0; j != 7; j++)", "7"),
        ("for (int j = 0; j != N; ++j)", "N"),
        ("for (int s = N / 2; s > 0; s >>= 1)", "floor(log(N, 2))"),
        ("for (int s = 1; s < N; s <<= 1)", "floor(log(N - 1, 2)) + 1"),
    ],
)
def test_loops_with_an_end(head: str, trips: str, tmp_path: Path) -> None:
    kernel = kernel_of(f"    {head} a[i] = 1.0f;", tmp_path)
    assert sympy_text(kernel.per_thread.stores["global"].formula) == trips


# Stores at N = 13 and at N = 7, M = 0 of 64 threads, by hand: a counter that ends with a break
# is the number of iterations before it.
COUNTED = {
    "int c = 0; for (int k = 0; k < M; k++) { if (k + i >= N) break; c++; }"
    " for (int k = 0; k < c; k++) a[k] = 1.0f;": (3 * 11 + 2 + 1, 0),
    "int k = 0; while (true) { if (k >= N) break; k += 2; } if (i < k) a[i] = 1.0f;": (14, 8),
    "int k = 0; for (; k < N; k++) { if (k == M) break; } if (i < k) a[i] = 1.0f;": (3, 0),
}


@pytest.mark.parametrize("body", COUNTED)
def test_a_variable_after_a_break(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *a, int N, int M) {{ int i = threadIdx.x; {body} }}")
    for sizes, stores in zip(({"N": 13, "M": 3}, {"N": 7, "M": 0}), COUNTED[body], strict=True):
        options = Options(launches=ONE_BLOCK.launches, values=sizes)
        (kernel,) = analyze(str(file), options).kernels
        found = kernel.grid.stores.get("global")
        assert (0 if found is None else found.value) == stores


def test_a_loop_whose_end_no_data_decides_is_not_taken_to_run(tmp_path: Path) -> None:
    kernel = kernel_of(
        "    int c = 0; for (int k = 0; k < N; k++) { c++; if (k * k % 5 > 2) break; }\n"
        "    for (int k = 0; k < c; k++) a[k] = 1.0f;",
        tmp_path,
    )
    assert {"p_runs@5", "trips@5", "active@1"} <= {u.name for u in kernel.unknowns}
    assert "loops-run" not in {a.code for a in kernel.assumptions}


def test_a_loop_runs_at_all_where_its_test_holds_at_first(tmp_path: Path) -> None:
    kernel = kernel_of("    int j = N; while (j > 5) { j = j / 2 + j % 2; a[j] = 1.0f; }", tmp_path)
    exact = kernel.grid.stores["global"].exact
    assert not isinstance(exact, Poly)
    assert exact.evaluate({"N": 5}) == 0
    assert exact.evaluate({"N": 9, "trips@4": 2}) == 2 * 64
    assert kernel.active_threads.exact.evaluate({"N": 5}) == 0  # type: ignore[union-attr]


LONG = {
    "nested ifs": "".join(f"if (i > {n}) {{ " for n in range(200)) + "a[i] += 1.0f;" + "}" * 200,
    "parentheses": "a[i] = " + "(" * 500 + "a[i] + 1.0f" + ")" * 500 + ";",
    "else if": "if (i == 0) a[i] += 1.0f;"
    + "".join(f" else if (i == {n}) a[i] += {n}.0f;\n" for n in range(1, 300)),
    "statements": "float s = 0;\n" + "".join(f"s += a[i + {n}] * 2.0f;\n" for n in range(2000)),
    "one sum": "a[i] = " + " + ".join(f"a[i + {n}]" for n in range(2000)) + ";",
    "nested loops": "".join(f"for (int j{n} = 0; j{n} < 2; j{n}++) " for n in range(20))
    + "a[i] += 1.0f;",
}


@pytest.mark.parametrize("name", LONG)
def test_long_and_deep_code_is_answered(name: str, tmp_path: Path) -> None:
    start = time.perf_counter()
    kernel = kernel_of(LONG[name], tmp_path)
    assert kernel.grid.flops["fp32"]
    # Far above what it takes: this is to see that nothing explodes.
    assert time.perf_counter() - start < 60


def test_shifted_ranges_are_one_footprint(tmp_path: Path) -> None:
    kernel = kernel_of(LONG["statements"] + "a[i] = s;", tmp_path)
    # 64 + 1999 elements are read, 64 written.
    assert sympy_text(kernel.bytes.compulsory.exact) == str(4 * (64 + 1999) + 4 * 64)


def test_a_chain_of_equalities_runs_one_branch_each(tmp_path: Path) -> None:
    kernel = kernel_of(LONG["else if"], tmp_path)
    assert sympy_text(kernel.grid.flops["fp32"].exact) == "64"


def test_a_loop_that_makes_no_way_and_returns(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(unsigned *in, unsigned *out, int N) {"
        " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < N) { unsigned h = in[i];"
        " for (int r = 0; r < 256; r) { return; } out[i] = h; } }"
    )
    report = analyze(str(path))
    (kernel,) = report.kernels
    assert sympy_text(kernel.grid.loads["global"].formula) == "N"
    assert "global" not in kernel.grid.stores
