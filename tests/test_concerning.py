"""`--kernel`: only the diagnostics that the kernel has something to do with."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze, analyze_files
from estimator.options import Options

SOURCE = """\
__device__ float bad(float v) { return v > 0 ? bad(v - 1) : v; }
__device__ float broken(float v) { return = v; }
__global__ void good(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2.0f; }
__global__ void calls_bad(float *x) { x[0] = bad(x[0]); }
__global__ void calls_broken(float *x) { x[0] = broken(x[0]); }
__global__ void is_broken(float *x) { x[0] = = 1.0f; }
__global__ void calls_unknown(float *x) { x[threadIdx.x] = mystery(x[0]); }
template <typename T> __global__ void copy(T *x) { x[0] = x[1] = = 1; }
void run(float *x, int n, int *sizes) {
    good<<<n / 64, 64>>>(x, n);
    calls_bad<<<sizes[n], 64>>>(x);
    calls_unknown<<<strange(n), 64>>>(x);
    elsewhere<<<1, 1>>>(x);
    calls_unknown<<<1, 2048>>>(x);
}
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)
    return str(file)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("good", []),
        ("calls_bad", [(1, "K205"), (11, "K401")]),
        ("calls_broken", [(2, "K201")]),
        ("is_broken", [(2, "K201"), (6, "K201")]),
        ("calls_unknown", [(7, "K301"), (12, "K401"), (14, "K402")]),
        ("copy<float>", [(2, "K201"), (8, "K201")]),
        ("elsewhere", None),
    ],
)
def test_diagnostics_of_one_kernel(
    path: str, kernel: str, expected: list[tuple[int, str]] | None
) -> None:
    report = analyze_files(path, Options(kernels=(kernel,)))
    found = [(d.position.line, d.code.id) for d in report.files[0].diagnostics]
    if expected is None:  # no kernel of that name: nothing is held back
        expected = [(d.position.line, d.code.id) for d in analyze(path).files[0].diagnostics]
        expected = [one for one in expected if one[1] in {"K201", "K401", "K403"} and one[0] != 1]
    assert sorted(set(found)) == sorted(set(expected))
    assert report.complete == (not any(code < "K3" for _, code in found))


def test_those_of_the_file_stay(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text('#include "own.h"\n' + SOURCE + "#error no\n")
    report = analyze(str(file), Options(kernels=("good",)))
    assert [d.code.id for d in report.files[0].diagnostics] == ["K111", "K110"]
    assert [kernel.name for kernel in report.kernels] == ["good"]
