"""Packed triangles: rows one behind the other, each of its own length."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.analysis import analyze
from estimator.options import Options

ROWS = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= N) return; "
PAIRS = (
    "int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;"
    " if (i >= N) return; "
)
BODIES = {
    "lower": ROWS + "for (int j = 0; j <= i; j++) y[i * (i + 1) / 2 + j] = a[i];",
    "strictly lower": ROWS + "for (int j = 0; j < i; j++) y[i * (i - 1) / 2 + j] = a[i];",
    "upper": ROWS + "for (int j = i; j < N; j++) y[i * N - i * (i + 1) / 2 + j] = a[i];",
    "strictly upper": ROWS
    + "for (int j = i + 1; j < N; j++) y[i * N - i * (i + 3) / 2 + j - 1] = a[i];",
    "backwards": ROWS + "for (int j = 0; j <= i; j++) y[i * (i + 1) / 2 + i - j] = a[i];",
    "read and written": ROWS + "for (int j = 0; j <= i; j++) y[i * (i + 1) / 2 + j] *= 2.0f;",
    "squares": ROWS + "for (int j = 0; j < 2 * i + 1; j++) y[i * i + j] = a[i];",
    "squares with gaps": ROWS + "for (int j = 0; j <= i; j++) y[i * i + j] = a[i];",
    "for large sizes only": "if (N < 7) return; "
    + ROWS
    + "for (int j = 0; j <= i; j++) y[i * (i + 1) / 2 + j] = a[i];",
    "gaps for large sizes": "if (N < 7) return; "
    + ROWS
    + "for (int j = 0; j <= i; j++) y[i * i + j] = a[i];",
    "pairs": PAIRS + "if (j < i) y[i * (i - 1) / 2 + j] = a[i] - a[j];",
    "pairs and their diagonal": PAIRS + "if (j <= i) y[i * (i + 1) / 2 + j] = a[i] - a[j];",
    "pairs by columns": PAIRS + "if (j <= i) y[j * N - j * (j + 1) / 2 + i] = a[i] - a[j];",
}


def file_of(name: str, folder: Path) -> Path:
    file = folder / "k.cu"
    file.write_text(
        f"__global__ void k(const float *a, float *y, int N)\n{{\n    {BODIES[name]}\n}}\n"
    )
    return file


def launch_of(name: str) -> str:
    if "pairs" in name:
        return "grid=((N+3)/4, (N+3)/4) block=(4, 4)"
    return "grid=((N+7)/8) block=(8)"


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("size", [1, 2, 7, 16, 21])
def test_packed_rows(name: str, size: int, tmp_path: Path) -> None:
    assert not compare(file_of(name, tmp_path), "k", launch_of(name), {"N": size}).differences


@pytest.mark.parametrize("name", BODIES)
def test_packed_rows_have_formulas(name: str, tmp_path: Path) -> None:
    options = Options(launches=(f"k: {launch_of(name)}",))
    (kernel,) = analyze([str(file_of(name, tmp_path))], options).kernels
    assert not [unknown for unknown in kernel.unknowns if unknown.name.startswith("distinct")]


def test_rows_that_overlap_have_none(tmp_path: Path) -> None:
    # Rows of 2i + 2 elements, i² apart by 2i + 1: the last is the next one's first.
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, float *y, int N)\n{\n    "
        f"{ROWS}for (int j = 0; j < 2 * i + 2; j++) y[i * i + j] = a[i];\n}}\n"
    )
    (kernel,) = analyze([str(file)]).kernels
    assert [unknown.name for unknown in kernel.unknowns if unknown.name.startswith("distinct")]
