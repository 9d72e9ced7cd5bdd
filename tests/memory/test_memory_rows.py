"""Rows of an array: padded ones, numbered ones, and accesses that run into the next row."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import compulsory, differences, report

from estimator.analysis import analyze
from estimator.options import Options
from estimator.report import text

KERNEL = """__global__ void k(const float *a, float *out, int N, int M)
{{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < N && y < M) out[y * N + x] = {value};
}}
"""
LAUNCH = "grid=((N+7)/8,(M+7)/8) block=(8,8)"
# What is read of `a`, N columns and M rows, and how many bytes that are, by hand.
VALUES = {
    # One row's end is the next one's start: elements c to N*M + c - 1.
    "a[y * N + x + 1]": "4*M*N",
    # 1 to N*M, and 3 to N*M + 2.
    "a[y * N + x + 1] + a[y * N + x + 3]": "4*M*N + 8",
    "a[y * N + x] + a[y * N + x + 2] + a[y * N + x + 1]": "4*M*N + 8",
    # Rows of N + 2: N*M elements twice, shifted by (2, 2); (N - 2)*(M - 2) in both.
    "a[y * (N + 2) + x] + a[(y + 2) * (N + 2) + x + 2]": "4*M*N + 8*M + 8*N - 16",
    # The nine points around one in the middle: all of (N + 2)*(M + 2).
    "a[y * (N + 2) + x] + a[y * (N + 2) + x + 1] + a[y * (N + 2) + x + 2]"
    " + a[(y + 1) * (N + 2) + x] + a[(y + 1) * (N + 2) + x + 1] + a[(y + 1) * (N + 2) + x + 2]"
    " + a[(y + 2) * (N + 2) + x] + a[(y + 2) * (N + 2) + x + 1] + a[(y + 2) * (N + 2) + x + 2]":
    "4*(M + 2)*(N + 2)",
    # Turned by half a turn, and mirrored.
    "a[M * N - 1 - (y * N + x)]": "4*M*N",
    "a[(M - 1 - y) * N + x] + a[y * N + (N - 1 - x)]": "4*M*N",
    # Nine numbers for each point, and every second row of pairs.
    "a[(y * N + x) * 9 + 8] + a[(y * N + x) * 9]": "8*M*N",
    "a[2 * y * N + x] + a[(2 * y + 1) * N + x]": "8*M*N",
}  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
def test_rows(tmp_path: Path, value: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(value=value))
    assert compulsory(report(path, LAUNCH))["a"] == VALUES[value]
    # Rows of N + 2 are taken to start at sectors, which those of 34 do not.
    large = () if "N + 2" in value else ((32, 32),)
    for n, m in ((8, 8), (7, 5), (13, 3), (2, 9), (1, 1), *large):
        assert not differences(path, LAUNCH, {"N": n, "M": m})


WEIGHTS = """__global__ void k(const float *w, float *out, int IC, int OC)
{{
    int oc = blockIdx.x * 8 + threadIdx.x;
    if (oc >= OC) return;
    float sum = 0;
    for (int ic = 0; ic < IC; ++ic)
        for (int k = 0; k < 9; ++k) sum += {value};
    out[oc] = sum;
}}
"""
# Every one of 9*IC*OC weights is read.
INDICES = (
    "w[(oc * IC + ic) * 9 + k]",
    "w[oc * IC * 9 + ic * 9 + k]",
    "w[((oc * IC + ic) * 3 + k / 3) * 3 + k % 3]",
    "w[(oc * 9 + k) * IC + ic]",
    "w[(ic * 9 + k) * OC + oc]",
    "w[(ic * OC + oc) * 9 + 8 - k]",
)


@pytest.mark.parametrize("value", INDICES)
def test_weights_of_filters(tmp_path: Path, value: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(WEIGHTS.format(value=value))
    launch = "grid=((OC+7)/8) block=(8)"
    assert compulsory(report(path, launch))["w"] == "36*IC*OC"
    for ic, oc in ((2, 3), (1, 9), (5, 1), (3, 8)):
        assert not differences(path, launch, {"IC": ic, "OC": oc})


def test_planes_of_filters_by_their_numbers(tmp_path: Path) -> None:
    """The filter and the channel of a thread come out of one number: 36*C*K bytes."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *b, float *out, int C, int K, int W, int H, int n)\n"
        "{\n    int i = blockIdx.x * 8 + threadIdx.x;\n    if (i >= n * K * W * H) return;\n"
        "    int k = (i / (W * H)) % K;\n    float sum = 0;\n"
        "    for (int c = 0; c < C; ++c) for (int r = 0; r < 3; ++r)\n"
        "        for (int q = 0; q < 3; ++q) sum += b[((k * C + c) * 3 + r) * 3 + q];\n"
        "    out[i] = sum;\n}\n"
    )
    launch = "grid=((n*K*W*H+7)/8) block=(8)"
    assert compulsory(report(path, launch))["b"] == "36*C*K"
    assert not differences(path, launch, {"C": 2, "K": 3, "W": 2, "H": 3, "n": 2})


STEPS = """__global__ void k(const float *a, float *out, int N, int M)
{{
    int i = blockIdx.x * 8 + threadIdx.x, stride = 8 * gridDim.x;
    {loop}
    out[i] = s;
}}
"""
# What each thread of 8*G reads, the formula for large N, and sizes to count at.
OVERLAPPING = {
    # Rows of 8*G elements from each of N places, one stride on.
    "for (int j = i; j < N; j += stride) for (int c = 0; c < 4; ++c) s += a[j + c * stride];":
    "96*G + 4*N",
    # The same below an end: all of N, once N is more than three strides.
    "for (int c = 0; c < 4; ++c) if (i + c * stride < N) s += a[i + c * stride];": "128*G",
    "for (int j = i; j < N; j += stride) for (int c = 0; c < 4; ++c)"
    " if (j + c * stride < N) s += a[j + c * stride];": "4*N",
    "for (int j = i; j < N; j += stride) for (int c = 0; c < 4; ++c)"
    " { int at = j + c * stride; if (at >= N) break; s += a[at]; }": "4*N",
    # Windows of N elements, M apart, are rows: they overlap where N is more than M.
    "for (int j = 0; j < N; ++j) s += a[i * M + j];": "32*G*N",
    "for (int j = 0; j < M; ++j) s += a[i * N + j];": "32*G*M",
}  # fmt: skip


@pytest.mark.parametrize("loop", OVERLAPPING)
def test_rows_over_one_another(tmp_path: Path, loop: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(STEPS.format(loop=f"float s = 0; {loop}"))
    launch = "grid=(G) block=(8)"
    assert compulsory(report(path, launch))["a"] == OVERLAPPING[loop]
    for n, m, g in ((100, 3, 2), (7, 3, 2), (16, 8, 1), (9, 9, 1), (33, 40, 1), (0, 1, 1)):
        assert not differences(path, launch, {"N": n, "M": m, "G": g})


BORDERED = """__global__ void box(const float *a, float *b, int n, int m) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= m - 1 || y >= n - 1) return;
    b[y * m + x] = a[(y - 1) * m + x - 1] + a[y * m + x] + a[(y + 1) * m + x + 1];
}
"""
COPIED = """__global__ void copy(const float *a, float *b, int n, int m) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < m && y < n) b[y * m + x] = a[y * m + x];
}
"""


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("source", [BORDERED, COPIED])
def test_formulas_by_rows_of_sectors_say_so(tmp_path: Path, source: str, exact: bool) -> None:
    path = tmp_path / "k.cu"
    path.write_text(source)
    shown = text.render(analyze(str(path), Options()), exact=exact)
    assert ("in 32-byte sectors" in shown) == (exact or source == BORDERED)
    # Whole rows are one range of m*n elements, wherever they start.
    assert ("rows of b start at a 32-byte sector" in shown) == (source == BORDERED)
