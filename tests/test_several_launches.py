"""Several launches of one kernel: a report for each distinct one."""

from __future__ import annotations

import json
from pathlib import Path

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report import hint, json_, text
from estimator.report.model import KernelReport

KERNEL = """__global__ void k(float *x, int n, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { if (mode == 0) x[i] = 2.0f * x[i]; else x[i] = 2.0f * x[i] + 1.0f; }
}
"""


def report_of(tmp_path: Path, host: str, options: Options | None = None) -> list[KernelReport]:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL + host)
    report = analyze(str(file), options)
    assert report.complete
    return list(report.kernels)


def block_of(kernel: KernelReport) -> int | None:
    return kernel.launch.block[0].integer


def lines_of(kernel: KernelReport) -> list[int]:
    launch = kernel.launch
    return [place.line for place in (launch.position, *launch.also) if place is not None]


def test_each_block_size_has_a_report(tmp_path: Path) -> None:
    host = "void f(float *x, int n) {\n  k<<<n / 64, 64>>>(x, n, 0);\n  k<<<n, 32>>>(x, n, 0);\n}\n"
    kernels = report_of(tmp_path, host)
    assert [(block_of(one), lines_of(one)) for one in kernels] == [(64, [6]), (32, [7])]


def test_launches_that_are_alike_are_one(tmp_path: Path) -> None:
    host = (
        "void f(float *x, int n, int m) {\n  k<<<n / 64, 64>>>(x, n, 0);\n"
        "  k<<<(m) / 64, 64>>>(x, m, 0);\n}\n"
    )
    (kernel,) = report_of(tmp_path, host)
    assert lines_of(kernel) == [6, 7]


def test_launches_of_two_variants_are_two(tmp_path: Path) -> None:
    host = "void f(float *x, int n) {\n  for (;;) k<<<n, 64>>>(x, n, 0);\n  k<<<n, 64>>>(x, n, 1);\n}\n"
    first, second = report_of(tmp_path, host)
    assert first.per_thread.flops["fp32"].formula.integer == 1
    assert second.per_thread.flops["fp32"].formula.integer == 2


def test_an_option_stands_for_all_launches(tmp_path: Path) -> None:
    host = "void f(float *x, int n) { k<<<n / 64, 64>>>(x, n, 0); k<<<n, 32>>>(x, n, 0); }\n"
    (kernel,) = report_of(tmp_path, host, Options(launches=("k: grid=(n) block=(8)",)))
    assert block_of(kernel) == 8


def test_formats_tell_launches_apart(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    host = "void f(float *x, int n) {\n  k<<<n, 64>>>(x, n, 0);\n  k<<<n, 32>>>(x, n, 0);\n"
    file.write_text(KERNEL + host + "  k<<<n, 64>>>(x, n, 0);\n}\n")
    report = analyze(str(file))
    shown = text.render(report, width=200)
    assert "k, launch 1 of 2  " in shown
    assert f"from {file}:6:3 and line 8" in shown
    assert "note: k (launch 2 of 2): " in hint.render(report)
    first, second = json.loads(json_.render(report))["files"][0]["kernels"]
    assert first["launch"]["also"] == [{"path": str(file), "line": 8, "column": 3}]
    assert (second["launch"]["line"], second["launch"]["column"]) == (7, 3)
