"""Loops that double or halve: nothing where they never run, neither counts nor bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

KERNEL = """__global__ void k(const float *a, float *o, int n, {type} m, {type} j)
{{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {{
        float s = 0;
        for ({type} {head}) s += a[i];
        o[i] = s;
    }}
}}
"""
LAUNCH = "grid=((n+31)/32) block=(32)"
HEADS = (
    "q = m; q >= 4; q /= 2",
    "q = m; q > 1; q >>= 1",
    "q = m; q > 5; q >>= 2",
    "q = m; 7 < q; q /= 8",
    "q = m / 2; q; q >>= 1",
    "q = m; q >= j; q /= 2",
    "q = 4; q < m; q *= 4",
    "q = 3; q <= m; q += q",
    "q = j; q < m; q <<= 1",
    "q = j; q + 2 <= m; q *= 2",
)


@pytest.mark.parametrize("type_", ["int", "unsigned", "long long"])
@pytest.mark.parametrize("head", HEADS)
def test_as_often_as_they_run(tmp_path: Path, head: str, type_: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(head=head, type=type_))
    for m, j in ((0, 3), (1, 1), (2, 4), (5, 6), (7, 7), (37, 3)):
        found = differences(path, LAUNCH, {"n": 40, "m": m, "j": j})
        assert not found, (m, j)


def test_a_loop_that_never_runs_touches_nothing(tmp_path: Path) -> None:
    """64 threads store 4 bytes each; `m < n` never holds, so none of `a` is read."""
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(head="q = m; q < n; q *= 2", type="int"))
    at = report(path, "k: " + LAUNCH, {"n": 64, "m": 64})
    assert at.bytes.by_array["a"].requested.value == 0
    assert at.bytes.by_array["a"].compulsory.value == 0
    assert at.bytes.compulsory.value == 256
    assert at.grid.flops["fp32"].value == 0


def test_loops_around_the_rest_of_a_kernel(tmp_path: Path) -> None:
    """5 blocks of 16 threads, `i < 7` in each, by hand: elements 0 to 4 of `a` for j <= i, and
    0 to 6 of `o`."""
    path = tmp_path / "k.cu"
    path.write_text(
        "__global__ void k(const float *a, float *o, int N, int M) {\n"
        "    float s = 0;\n"
        "    int i = threadIdx.x, j = blockIdx.x;\n"
        "    if (i < M) {\n"
        "        for (int q = M; q < N; q *= 2) {\n"
        "            const float *p = a + N - 1 - i; s += p[0] + p[M];\n"
        "            o[i * M + j] = s;\n"
        "        }\n"
        "        if (j <= i) s = s * 2.0f + a[min(j, M)];\n"
        "        o[i] = s;\n"
        "    }\n"
        "}\n"
    )
    launch = "grid=(N) block=(16)"
    assert not differences(path, launch, {"N": 5, "M": 7})
    assert not differences(path, launch, {"N": 20, "M": 7})
    at = report(path, "k: " + launch, {"N": 5, "M": 7})
    assert at.bytes.by_array["a"].compulsory.value == 20
    assert at.bytes.by_array["o"].compulsory.value == 28
