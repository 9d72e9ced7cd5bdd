"""`--launch`: a text means what the same launch means in host code."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.lower.launch_text import LaunchTextError
from estimator.options import Options

SOURCE = """
constexpr int TILE = 32;
struct Size {{ int rows; }};
inline int ceil_div(int a, int b) {{ return (a + b - 1) / b; }}
__global__ void k(float *x, Size s, int n)
{{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * TILE; i += blockDim.x * gridDim.x)
        x[i] *= 2.0f;
}}
void run(float *x, Size s, int n, int sm) {{ k<<<{grid}, 64>>>(x, s, n); }}
"""
PLAIN = "1"


def grids(folder: Path, grid: str, launches: tuple[str, ...] = ()) -> str:
    path = folder / "k.cu"
    path.write_text(SOURCE.format(grid=grid))
    (kernel,) = analyze(str(path), Options(launches=launches)).kernels
    return text(kernel.launch.grid[0], HUMAN)


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        ("min(65535, n / 64)", "min(⌊n/64⌋, 65535)"),
        ("std::max(1, n / 64)", "max(1, ⌊n/64⌋)"),
        ("n > 64 ? n / 64 : 1", "(⌊n/64⌋ if n >= 65 else 1)"),
        ("ceil_div(n, 64)", "⌊(n + 63)/64⌋"),
        ("ceil((float)n / 64)", "⌊(n + 63)/64⌋"),
        ("ceil(n / 64.0)", "⌊(n + 63)/64⌋"),
        ("(int)ceil(n / 64)", "⌊n/64⌋"),
        ("(n + 63) >> 6", "⌊(n + 63)/64⌋"),
        ("(n + TILE - 1) / TILE", "⌊(n + 31)/32⌋"),
        ("s.rows", "s.rows"),
        ("1 << n", "pow2_n"),
        ("4 * sm", "4·sm"),
    ],
)
def test_as_in_source(tmp_path: Path, grid: str, expected: str) -> None:
    assert grids(tmp_path, PLAIN, (f"k: grid=({grid}) block=64",)) == expected
    assert grids(tmp_path, grid) == expected


@pytest.mark.parametrize("name", ["CEIL_DIV", "ceilDiv", "cdiv", "divUp", "DIV_UP", "at::ceil_div"])
def test_helpers_of_other_headers(tmp_path: Path, name: str) -> None:
    option = f"grid=(min({name}(n, 64), 1024)) block=dim3(64, 1)"
    assert grids(tmp_path, PLAIN, (option,)) == "min(⌊(n + 63)/64⌋, 1024)"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("grid=(min(n)) block=64", r"cannot read the extents '\(min\(n\)\)': use integers"),
        ("grid=(other(n)) block=64", "cannot read the extents"),
        ("grid=(n++) block=64", "cannot read the extents"),
        ("grid=1); g(2 block=64", "cannot read the extents"),
        ("grid=)( block=64", "cannot read the extents"),
        ("grid=(n / 64.5) block=64", "is no integer"),
        ("grid=(n / (1 - 1)) block=64", "divides by zero"),
        ("grid=(1, 1, 1, 1) block=64", "one to three extents"),
        ("k grid=1 block=64", "write it as"),
        ("grid=1", "write it as"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, option: str, message: str) -> None:
    with pytest.raises(LaunchTextError, match=message):
        grids(tmp_path, PLAIN, (option,))
