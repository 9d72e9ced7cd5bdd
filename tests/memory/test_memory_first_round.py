"""Loops whose first iterations touch all that there is, and rows that overlap at a launch."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import compulsory, differences, report

from estimator.analysis import analyze

LOOP = "for (int i = t; i < n; i += s) r += x[i];"
LAUNCH = "grid=((n+7)/8) block=(8)"
KERNEL = """__global__ void k(const float *x, float *y, int n, int s)
{{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float r = 0.f;
    {body}
    if (t < n) y[t] = r;
}}
"""


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        (LOOP, "n"),
        (f"if (t < n) {{ {LOOP} }}", "n"),
        ("for (int i = t; i < n >> 2; i += 1 << s) r += x[i];", "floor(n/4)"),
        ("for (int i = t; i < n; i += s) r += x[i + 5];", "n"),
    ],
)
def test_threads_that_walk_over_the_same_elements(tmp_path: Path, body: str, elements: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    found = report(path, LAUNCH)
    assert compulsory(found)["x"] == f"4*{elements}".replace("4*floor(n/4)", "n")
    assert not [a for a in found.assumptions if a.code in ("rows-apart", "small-sizes")]
    for n, s in ((64, 2), (40, 7), (8, 1), (24, 100)):
        assert not differences(path, LAUNCH, {"n": n, "s": min(s, 8)})


def test_a_second_round_that_goes_further(tmp_path: Path) -> None:
    """With less threads than elements and a stride of any size there may be gaps."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=LOOP))
    found = report(path, "grid=(2) block=(8)")
    assert compulsory(found)["x"] != "4*n"
    for n, s in ((64, 2), (40, 7), (64, 32)):
        assert not differences(path, "grid=(2) block=(8)", {"n": n, "s": s})


def test_rows_that_overlap_at_the_launch_are_not_said_to_be_apart(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    host = "void f(const float *x, float *y, int n) { k<<<4, 256>>>(x, y, n, 32); }\n"
    path.write_text(KERNEL.format(body=LOOP) + host)
    (found,) = analyze(str(path)).kernels
    assert compulsory(found)["x"].startswith("4*distinct_x_5")
    assert "rows-apart" not in {a.code for a in found.assumptions}
