"""What formulas for large, even sizes take for granted, and how that is said."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.options import Options
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


HOST = "void h(float *x, int n, int b) { k<<<(n + b - 1) / b, b>>>(x, n); }"


def test_a_block_of_any_size_divides_evenly_too(tmp_path: Path) -> None:
    kernel = report_of(tmp_path, "int n", "if (i < n) x[i] += 1.0f;", HOST)
    assert text(kernel.grid.flops["fp32"].formula, HUMAN) == "n"
    assert text(kernel.threads.formula, HUMAN) == "n"
    assert text(kernel.bytes.compulsory.formula, HUMAN) == "8n"
    assert taken(kernel, "even-sizes") == ["sizes divide evenly: n by b"]
    assert taken(kernel, "conditions") == []


def test_sizes_that_do_not_divide_have_their_own_numbers(tmp_path: Path) -> None:
    """1,000 elements in blocks of 128: 8 blocks, 1,024 threads."""
    report_of(tmp_path, "int n", "if (i < n) x[i] += 1.0f;", HOST)
    (kernel,) = analyze(str(tmp_path / "k.cu"), Options(values={"n": 1000, "b": 128})).kernels
    assert kernel.grid.flops["fp32"].value == 1000
    assert kernel.threads.value == 1024


def test_several_elements_a_thread_in_blocks_of_any_size(tmp_path: Path) -> None:
    host = "void h(float *x, int n, int b) { k<<<(n + 4 * b - 1) / (4 * b), b>>>(x, n); }"
    kernel = report_of(tmp_path, "int n", "x[i] += 1.0f;", host)
    assert text(kernel.threads.formula, HUMAN) == "n/4"
    assert taken(kernel, "even-sizes") == ["sizes divide evenly: n by 4b"]


def test_what_sectors_take_is_said_after_a_bound_of_theirs_was_put_aside(tmp_path: Path) -> None:
    body = """if (i >= n) return;
int c = n;
while (c > m) c -= 4;
if (c < 0) c = 1;
for (int j = 0; j < c; j++) y[i] += x[j];"""
    kernel = report_of(tmp_path, "float *y, int n, int m", body)
    (said,) = taken(kernel, "even-sectors")
    assert "m by 8" in said
