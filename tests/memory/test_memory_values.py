"""Numbers at given sizes, also where a flat index alone is too much for sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from memory.counting import differences, report

# A tile of 32 x 16 in every plane, and 4 columns and rows around it in the inner planes.
SOURCE = """__global__ void k(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * 32 + threadIdx.x + 4, y = blockIdx.y * 16 + threadIdx.y + 4;
    int s = nx * ny, i = y * nx + x, o = i + 4 * s;
    float a = 0;
    for (int k = 0; k < 8; k++) { a += in[i]; i += s; }
    for (int z = 4; z < nz - 4; z++) {
        a += in[i]; i += s;
        if (threadIdx.y < 4) a += in[o - 4 * nx] + in[o + 16 * nx];
        if (threadIdx.x < 4) a += in[o - 4] + in[o + 32];
        o += s;
    }
    out[y * nx + x] = a;
}
"""
LAUNCH = "grid=((nx-8)/32,(ny-8)/16) block=(32,16)"


@pytest.mark.parametrize("nx", [96, 100])
def test_halo_of_planes(tmp_path: Path, nx: int) -> None:
    """2 x 2 tiles: 64*32 points in 20 planes, 8*32 + 8*64 more in 12 of them."""
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    bytes_ = report(path, LAUNCH, {"nx": nx, "ny": 48, "nz": 20}).bytes
    assert bytes_.by_array["in"].compulsory.value == 4 * (64 * 32 * 20 + 768 * 12) == 200704
    assert bytes_.by_array["in"].compulsory_sectors.value is not None


@pytest.mark.parametrize("sizes", [(40, 24, 12), (50, 30, 9), (72, 40, 8), (20, 20, 20)])
def test_halo_against_the_oracle(tmp_path: Path, sizes: tuple[int, int, int]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    values = dict(zip(("nx", "ny", "nz"), sizes, strict=True))
    assert not differences(path, LAUNCH, values)
