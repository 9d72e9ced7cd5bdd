"""Launches that are assumed: what a kernel's own indices and limits say about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.report.model import KernelReport

SAMPLES = Path(__file__).parents[2] / "samples"


def report_of(folder: Path, source: str) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(source)
    file = analyze(str(path)).files[0]
    assert [str(one) for one in file.diagnostics] == []
    (kernel,) = file.kernels
    return kernel


def extents(kernel: KernelReport) -> tuple[list[str], list[str]]:
    """Grid and block, without extents of 1 at the end."""
    both: list[list[str]] = []
    for shape in (kernel.launch.grid, kernel.launch.block):
        texts = [text(extent, HUMAN) for extent in shape]
        while len(texts) > 1 and texts[-1] == "1":
            texts.pop()
        both.append(texts)
    return both[0], both[1]


def block_of(folder: Path, body: str, bounds: str = "", before: str = "") -> list[str]:
    kernel = f"__global__ void {bounds} k(float *x, float *y, int n) {{ {body} }}"
    return extents(report_of(folder, before + kernel))[1]


def test_a_warp_for_each_tile(tmp_path: Path) -> None:
    """The guard on a warp's tile says how many there are: N/16 along both axes."""
    source = (SAMPLES / "wmma_matmul.cu").read_text()
    kernel = report_of(tmp_path, source[: source.index("int main")])
    grid, block = extents(kernel)
    assert grid == ["⌊(N + 15)/16⌋", "⌊(⌊(N + 15)/16⌋ + 7)/8⌋"]
    assert block == ["32", "8"]
    assert text(kernel.grid.flops["tensor_fp16"].formula, HUMAN) == "2N³"
    assert kernel.intensities.compulsory is not None
    assert text(kernel.intensities.compulsory.formula, HUMAN) == "N/4"


def test_what_nothing_says_is_a_parameter(tmp_path: Path) -> None:
    body = "y[blockIdx.y * n + blockIdx.x * 256 + threadIdx.x] = x[blockIdx.y];"
    kernel = report_of(tmp_path, f"__global__ void k(float *x, float *y, int n) {{ {body} }}")
    assert extents(kernel)[0] == ["⌊n/256⌋", "gridDim.y"]
    assert "gridDim.y is a parameter of the launch" in [one.message for one in kernel.assumptions]


INDEX_2D = """
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    x[j * n + i] = 0;
"""


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [("", ["16", "16"]), ("__launch_bounds__(128)", ["16", "8"])],
)
def test_launch_bounds_are_kept(tmp_path: Path, bounds: str, expected: list[str]) -> None:
    assert block_of(tmp_path, INDEX_2D, bounds) == expected


X = "int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; "
Y = "int u = threadIdx.y, j = blockIdx.y * blockDim.y + u; "
REDUCED = "for (int d = blockDim.x / 2; d > 0; d >>= 1) if (t < d) s[t] += s[t + d];"
CROSS = "s[u][t + 1] + s[u + 2][t + 1] + s[u + 1][t] + s[u + 1][t + 2]"
SHARED = {
    "one element each": ("float s[128];", "s[t] = x[i];", ["128"]),
    "a tile": ("float s[8][8];", "s[u][t] = x[j * n + i];", ["8", "8"]),
    "padded rows": (
        "float s[32][33];",
        "s[u][t] = x[j * n + i]; y[i * n + j] = s[t][u];",
        ["32"] * 2,
    ),
    "columns only": ("float s[4][64];", "for (int k = 0; k < 4; k++) y[i] += s[k][t];", ["64"]),
    "four rows at a time": (
        "float s[32][32];",
        "for (int k = 0; k < 32; k += 8) s[u + k][t] = x[j * n + i + k];",
        ["32", "8"],
    ),
    "a halo": ("float s[130];", "s[t + 1] = x[i]; y[i] = s[t] + s[t + 2];", ["128"]),
    "a halo around": ("float s[18][18];", f"s[u + 1][t + 1] = x[i]; y[j] = {CROSS};", ["16", "16"]),
    "a halo's middle alone": ("float s[130];", "s[t + 1] = x[i];", ["256"]),
    "a loop over a halo": (
        "float s[144];",
        "for (int k = -8; k <= 8; k++) y[i] += s[t + 8 + k];",
        ["128"],
    ),
    "two elements each": ("float s[512];", "s[t] = x[i]; s[t + blockDim.x] = x[i + n];", ["256"]),
    "pairs": ("float2 s[64];", "s[t].x = x[i];", ["64"]),
    "some threads only": ("float s[32];", "if (t < 32) s[t] = x[i];", ["256"]),
    "threads of the grid": ("float s[128];", "if (i < n) s[t] = x[i];", ["128"]),
    "warps": ("float s[32];", "s[t / 32] = x[i];", ["256"]),
    "strided": ("float s[128];", "for (int k = t; k < 128; k += blockDim.x) s[k] = 0;", ["256"]),
    "open length": ("float s[];", "s[t] = x[i];", ["256"]),
    "a reduction": ("float s[512];", f"s[t] = x[i]; {REDUCED}", ["512"]),
    "constants before": ("float s[128];", "s[t] = x[blockIdx.x * 64 + t];", ["64"]),
    "too many": ("float s[2048];", "s[t] = x[i];", ["256"]),
}


@pytest.mark.parametrize("case", list(SHARED))
def test_shared_arrays_say_how_many_threads(tmp_path: Path, case: str) -> None:
    declared, statements, expected = SHARED[case]
    extern = "extern " if "[]" in declared else ""
    indices = X + (Y if "u" in statements and "[u" in statements else "")
    body = f"{indices} {extern}__shared__ {declared} {statements}"
    assert block_of(tmp_path, body) == expected


@pytest.mark.parametrize(("bound", "expected"), [(64, ["64"]), (1024, ["128"])])
def test_shared_arrays_and_launch_bounds(tmp_path: Path, bound: int, expected: list[str]) -> None:
    """A block is not larger than its bound, nor than its arrays."""
    body = X + "__shared__ float s[128]; s[t] = x[i];"
    assert block_of(tmp_path, body, f"__launch_bounds__({bound})") == expected


def test_a_launch_wins(tmp_path: Path) -> None:
    body = X + "__shared__ float s[128]; s[t] = x[i];"
    source = f"__global__ void k(float *x, float *y, int n) {{ {body} }}"
    source += "void run(float *x, int n) { k<<<n, 32>>>(x, x, n); }"
    assert extents(report_of(tmp_path, source))[1] == ["32"]


ROW = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
TILE = "int i = blockIdx.x * blockDim.x * 4 + j * blockDim.x + threadIdx.x;"
GRIDS = {
    # Four elements a thread: 1,024 a block.
    f"for (int j = 0; j < 4; j++) {{ {TILE} if (i < n) x[i] = 1.0f; }}": (
        ["⌊(n + 1023)/1024⌋"],
        "which covers n",
    ),
    # A chunk for each block.
    "for (int j = threadIdx.x; j < m; j += 256) if (blockIdx.x * m + j < n) x[blockIdx.x * m + j] = 1;": (
        ["⌊(n − 1)/m⌋ + 1"],
        "which covers n",
    ),
    # A block has rows of threads, and the grid blocks along x.
    "int r = blockIdx.x * blockDim.y + threadIdx.y; if (r < n) "
    "for (int j = threadIdx.x; j < m; j += 32) x[r * m + j] = 1;": (
        ["⌊(n + 7)/8⌋"],
        "which covers n",
    ),
    # A thread's own row: how many rows there are, nothing says.
    f"{ROW} for (int j = 0; j < m; j++) x[i * m + j] = 1.0f;": (["gridDim.x"], "is a parameter"),
    "for (int j = 0; j < 4; j++) { " + TILE + " x[i] = 1.0f; }": (["gridDim.x"], "is a parameter"),
    # Rows and columns of a matrix: as launches of squares are written.
    "int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x; x[r * n + c] = 1;": (
        ["⌊n/16⌋", "⌊n/16⌋"],
        "as many rows as columns",
    ),
}


@pytest.mark.parametrize("body", GRIDS)
def test_grids_come_from_guards(tmp_path: Path, body: str) -> None:
    kernel = report_of(tmp_path, f"__global__ void k(float *x, int n, int m) {{ {body} }}")
    expected, why = GRIDS[body]
    assert extents(kernel)[0] == expected
    assert any(why in one.message for one in kernel.assumptions)


def test_a_tile_for_each_block_in_rows_of_tiles(tmp_path: Path) -> None:
    source = (
        "__global__ void k(float *c, int tiles, int batch) "
        "{ c[(blockIdx.y * tiles + blockIdx.x) * 256 + threadIdx.x] = 1; }"
    )
    assert extents(report_of(tmp_path, source)) == (["tiles", "batch"], ["256"])


def test_rows_of_blocks_alone_are_no_square(tmp_path: Path) -> None:
    source = (
        "__global__ void k(float *c, int n) { int i = blockIdx.x * 8 + threadIdx.y; "
        "c[(blockIdx.y * n + i) * 32 + threadIdx.x] = 1; }"
    )
    assert extents(report_of(tmp_path, source))[0] == ["⌊n/8⌋", "gridDim.y"]
