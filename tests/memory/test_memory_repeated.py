"""Ranges that are repeated at a step each: their union is counted or named, and always soon."""

from __future__ import annotations

from pathlib import Path

from memory.counting import compulsory

from estimator.analysis import analyze
from estimator.report.model import KernelReport

# Each row n of a block's threads writes N elements from n*(32*blockIdx.y + threadIdx.y + n) on.
KERNEL = """
__global__ void f(float *out, int N)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int n = 0; n < ROWS; n += 8)
        out[(y + n) * n + x] = 1;
}
void go(float *a, int N) { f<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(a, N); }
"""


def report(folder: Path, rows: int) -> KernelReport:
    file = folder / "f.cu"
    file.write_text(KERNEL.replace("ROWS", str(rows)))
    return analyze(str(file)).kernels[0]


def test_two_ranges_are_counted(tmp_path: Path) -> None:
    # n = 8 reaches 8*(N - 32 + 7 + 8) + N - 1 = 9N - 137, without a gap for large N.
    found = report(tmp_path, 16)
    assert not found.unknowns
    assert compulsory(found) == {"out": "36*N - 544"}


def test_four_ranges_with_steps_of_their_own_are_named(tmp_path: Path) -> None:
    found = report(tmp_path, 32)
    assert [(unknown.name, unknown.position.line) for unknown in found.unknowns] == [
        ("distinct_out@6.written", 6),
        ("sectors_out@6.written", 6),
    ]
