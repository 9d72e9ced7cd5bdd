"""Indices that repeat while one number grows: what a period touches, exactly."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import compulsory, differences, report, sectors

KERNEL = """__global__ void k(const float *a, float *y, const int *p, int N, int C, int HW)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    {body}
}}
"""
STRIDED = """__global__ void k(const float *a, float *y, const int *p, int N, int C, int HW)
{{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) {{
        {body}
    }}
}}
"""
LAUNCH = "grid=((N+7)/8) block=(8)"
# What a whole period touches, by hand.
BODIES = {
    "y[i] = a[(i / HW) % C];": "4*C",
    "y[i] = a[i % C];": "4*C",
    "y[i] = a[(i / HW) % C] + a[(i / HW) % C + C];": "8*C",
    "y[i] = a[i % (C * HW)];": "4*C*HW",
    "y[i] = a[(i / (HW * HW)) % C];": "4*C",
    "y[i] = a[(i / 4) % C];": "4*C",
}
SIZES = [
    {"N": n, "C": c, "HW": hw}
    for n, c, hw in (
        (24, 3, 4),
        (24, 3, 8),
        (23, 3, 4),
        (7, 3, 4),
        (1, 5, 2),
        (40, 1, 7),
        (9, 9, 1),
    )
]


@pytest.mark.parametrize("kernel", [KERNEL, STRIDED])
@pytest.mark.parametrize("body", BODIES)
def test_a_period(tmp_path: Path, kernel: str, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(kernel.format(body=body))
    launch = LAUNCH if kernel is KERNEL else "grid=2 block=4"
    found = report(path, launch)
    assert compulsory(found)["a"] == BODIES[body]
    assert "sectors" not in sectors(found)["a"]
    assert not found.unknowns
    for sizes in SIZES:
        assert not differences(path, launch, sizes)


@pytest.mark.parametrize(
    "body",
    [
        # Data decides anew in every round.
        "if (p[i] > 0) y[i] = a[(i / HW) % C];",
        # Two periods, of which neither is a multiple of the other.
        "y[i] = a[i % C] + a[i % HW];",
        # A condition that is not the same in every round.
        "if (i > HW) y[i] = a[i % C];",
    ],
)
def test_what_does_not_repeat_alike_is_unknown(tmp_path: Path, body: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    assert compulsory(report(path, LAUNCH))["a"] == "4*distinct_a_5"
