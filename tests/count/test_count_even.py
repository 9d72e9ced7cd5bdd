"""What formulas for large, even sizes take for granted, and how that is said."""

from __future__ import annotations

from pathlib import Path

from estimator.analysis import analyze
from estimator.report.model import KernelReport

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def report_of(folder: Path, parameters: str, body: str, host: str = "") -> KernelReport:
    path = folder / "k.cu"
    path.write_text(f"__global__ void k(float *x, {parameters}) {{\n{INDEX}\n{body}\n}}\n{host}")
    (kernel,) = analyze(str(path)).kernels
    return kernel


def taken(kernel: KernelReport, code: str) -> list[str]:
    return [one.message for one in kernel.assumptions if one.code == code]


def loops(*bounds: str) -> str:
    nest = "".join(f"for (int j{n} = 0; j{n} < {b}; j{n}++)\n" for n, b in enumerate(bounds))
    return f"if (i < n)\n{nest}x[i] += 1.0f;"


def test_what_is_taken_to_hold_is_said_once(tmp_path: Path) -> None:
    kernel = report_of(tmp_path, "int n, int a, int b, int c", loops("a - b", "c - b"))
    (said,) = taken(kernel, "conditions")
    assert sorted(said.split("; ")) == ["a >= b + 1 (line 4)", "c >= b + 1 (line 5)"]


def test_a_list_never_ends_with_one_more(tmp_path: Path) -> None:
    sizes = "abcdefgh"
    for count in (7, 8):
        named = ", ".join(f"int {size}" for size in sizes[:count])
        kernel = report_of(
            tmp_path, f"int n, int z, {named}", loops(*(f"{size} - z" for size in sizes[:count]))
        )
        (said,) = taken(kernel, "conditions")
        assert said.count(">=") == (7 if count == 7 else 6)
        assert said.endswith("; and 2 more") == (count == 8)
