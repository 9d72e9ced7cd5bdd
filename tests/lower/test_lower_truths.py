"""Conditions on data in comparisons and bitwise operators: truth values that are 0 or 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options

KERNEL = """__global__ void k(const float *x, float *y, int n, bool up) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x, odd = i & 1, level = i % 3;
    bool is_odd = i & 1;
    float a = x[i];
    if ({condition}) y[i] = a * 2.0f;
}}
"""
# How many of 96 threads multiply if a > 0 never holds, and if it always does; `up` is true.
CONDITIONS = {
    "a > 0": (0, 96),
    "(a > 0) == odd": (48, 48),
    "odd == (a > 0)": (48, 48),
    "(a > 0) == is_odd": (48, 48),
    "(a > 0) != odd": (48, 48),
    "(a > 0) == level": (32, 32),
    "(a > 0) < level": (64, 32),
    "level <= (a > 0)": (32, 64),
    "(a > 0) == 2": (0, 0),
    "(a > 0) >= 0": (96, 96),
    "(a > 0) == up": (0, 96),
    "!(a > 0) == up": (96, 0),
    "(a > 0) ^ (i % 4 == 0)": (24, 72),
    "(a > 0) & (i % 4 == 0)": (0, 24),
    "(a > 0) | (i % 4 == 0)": (24, 96),
    # Where a > 0 never holds, the even ones that are no multiples of 4.
    "((a > 0) ^ (i % 4 == 0)) == odd": (24, 72),
    "((a > 0) | is_odd) & (i < 50)": (25, 50),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_how_many_threads(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(condition=condition))
    for share, right in zip((0, 1), CONDITIONS[condition], strict=True):
        launch = ("grid=(3) block=(32)",)
        options = Options(launches=launch, values={"n": 96, "up": 1})
        (kernel,) = analyze(str(path), options).kernels
        names = [one.name for one in kernel.unknowns if one.name.startswith("p@")]
        assert len(names) <= 1, names
        options = Options(
            launches=launch, values={"n": 96, "up": 1}, unknowns=dict.fromkeys(names, share)
        )
        (kernel,) = analyze(str(path), options).kernels
        flops = kernel.grid.flops.get("fp32")
        assert (flops.value if flops else 0) == right


def test_a_share_means_what_it_says(tmp_path: Path) -> None:
    # What is assigned to an int is a value that nobody knows: the whole condition has the share.
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(condition="(a > 1) + odd == 2"))
    (kernel,) = analyze(str(path), Options(launches=("grid=(3) block=(32)",))).kernels
    (share,) = [one for one in kernel.unknowns if one.name.startswith("p@")]
    assert "(a > 1) + odd" in share.meaning
    assert "== 2" in share.meaning


def test_chains_of_comparisons_end(tmp_path: Path) -> None:
    """Each compares the truth of the one before, as 0 or 1: a find of the fuzzer."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(condition="i " + "< n " * 40))
    (file,) = analyze(str(path), Options(launches=("grid=(3) block=(32)",))).files
    assert [kernel.name for kernel in file.kernels] == ["k"]
