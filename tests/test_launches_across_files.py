"""Launches in another file of the same run, and kernels in shared headers."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.report.model import LaunchOrigin, Report

KERNEL = """__global__ void k(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
"""
LAUNCH = "void run(float *x, int m) {\n  k<<<(m + 63) / 64, 64>>>(x, m);\n}\n"


def report_of(tmp_path: Path, files: dict[str, str], names: list[str]) -> Report:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return analyze([str(tmp_path / name) for name in names])


def test_a_kernel_and_its_launch_in_two_files(tmp_path: Path) -> None:
    files = {"a.cu": KERNEL, "b.cu": "__global__ void k(float *x, int n);\n" + LAUNCH}
    report = report_of(tmp_path, files, ["b.cu", "a.cu"])
    (kernel,) = report.kernels
    assert report.complete
    assert not any(file.diagnostics for file in report.files)
    assert sympy_text(kernel.launch.grid[0]) == "floor((n + 63)/64)"
    place = kernel.launch.position
    assert place is not None
    assert (Path(place.path).name, place.line, place.column) == ("b.cu", 3, 3)


def test_alone_the_launch_says_that_its_kernel_is_missing(tmp_path: Path) -> None:
    report = report_of(tmp_path, {"b.cu": LAUNCH}, ["b.cu"])
    found = [(one.code.id, one.position.line) for one in report.files[0].diagnostics]
    assert found == [("K106", 1), ("K403", 2)]


def test_a_kernel_of_a_header_is_reported_once_with_its_launch(tmp_path: Path) -> None:
    files = {
        "k.cuh": f"#pragma once\n{KERNEL}",
        "a.cu": '#include "k.cuh"\nint unused;\n',
        "b.cu": f'#include "k.cuh"\n{LAUNCH}',
    }
    report = report_of(tmp_path, files, ["a.cu", "b.cu"])
    (kernel,) = report.kernels
    assert Path(kernel.position.path).name == "k.cuh"
    assert (kernel.position.line, kernel.position.column) == (2, 17)
    assert kernel.launch.origin is LaunchOrigin.SOURCE
    assert not any(file.diagnostics for file in report.files)


def test_launches_of_a_shared_kernel_in_two_files_are_both_reported(tmp_path: Path) -> None:
    files = {
        "k.cuh": f"#pragma once\n{KERNEL}",
        "a.cu": f'#include "k.cuh"\n{LAUNCH}',
        "b.cu": f'#include "k.cuh"\n{LAUNCH.replace("64", "32")}',
    }
    report = report_of(tmp_path, files, ["a.cu", "b.cu"])
    assert [one.launch.block[0].integer for one in report.kernels] == [64, 32]  # type: ignore[union-attr]


def test_templates_of_a_header(tmp_path: Path) -> None:
    files = {
        "k.cuh": "#pragma once\ntemplate <typename T> __global__ void k(T *x) "
        "{ x[threadIdx.x] *= 2; }\n",
        "a.cu": '#include "k.cuh"\n',
        "b.cu": '#include "k.cuh"\nvoid run(double *x) { k<<<1, 64>>>(x); }\n',
    }
    (kernel,) = report_of(tmp_path, files, ["a.cu", "b.cu"]).kernels
    assert kernel.name == "k<double>"


def test_a_header_that_is_given_itself_has_the_kernel(tmp_path: Path) -> None:
    files = {
        "k.cuh": f"#pragma once\n{KERNEL}",
        "b.cu": f'#include "k.cuh"\n{LAUNCH}',
    }
    report = report_of(tmp_path, files, ["b.cu", "k.cuh"])
    assert [len(file.kernels) for file in report.files] == [0, 1]
    assert report.kernels[0].launch.origin is LaunchOrigin.SOURCE
    assert not any(file.diagnostics for file in report.files)


def test_a_kernel_that_is_lost_in_another_file_is_not_missing(tmp_path: Path) -> None:
    for kernel in (KERNEL.replace("float *x", "real *x"), KERNEL.replace("int i =", "int i")):
        files = {"a.cu": kernel, "b.cu": LAUNCH}
        report = report_of(tmp_path, files, ["a.cu", "b.cu"])
        assert not report.complete
        found = [one.code.id for file in report.files for one in file.diagnostics]
        assert found in (["K204"], ["K201"])


def test_a_template_that_is_lost_in_another_file_is_not_missing(tmp_path: Path) -> None:
    kernel = "template <class T> " + KERNEL.replace("float *x", "real *x, T y")
    files = {"a.cu": kernel, "b.cu": LAUNCH.replace("k<<<", "k<int><<<")}
    report = report_of(tmp_path, files, ["a.cu", "b.cu"])
    found = [one.code.id for file in report.files for one in file.diagnostics]
    assert found == ["K204"]


def test_a_template_that_only_another_file_can_instantiate(tmp_path: Path) -> None:
    kernel = "template <class F> __global__ void k(float *x, F f) { x[0] = f(x[1]); }\n"
    files = {
        "k.cuh": f"#pragma once\n{kernel}",
        "a.cu": '#include "k.cuh"\nstruct Same { __device__ float operator()(float v) { return v; } };'
        "void run(float *x) { k<<<1, 64>>>(x, Same{}); }\n",
        "b.cu": f"{kernel}",
    }
    report = report_of(tmp_path, files, ["k.cuh", "a.cu"])
    assert [kernel.name for kernel in report.kernels] == ["k<Same>"]
    assert report.complete
    assert not any(file.diagnostics for file in report.files)
    # One of that name in a file of its own is another one.
    assert not report_of(tmp_path, files, ["a.cu", "b.cu"]).complete
