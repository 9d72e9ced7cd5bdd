"""Grids of whole tiles over sizes that they may not cover: rows of a box and of its neighbours."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

STENCIL = """__global__ void k(const float *in, float *out, int nx, int ny, int nz) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 1 && i < nx - 1 && j >= 1 && j < ny - 1)
        for (int k = 1; k < nz - 1; k++) {
            int at = (k * ny + j) * nx + i;
            out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]
                + in[at - nx * ny] + in[at + nx * ny];
        }
}
"""
LAUNCH = "k: grid=(nx/32, ny/8) block=(32, 8)"
SIZES = [(32, 8, 4), (33, 9, 3), (40, 12, 6), (64, 16, 5), (34, 18, 3), (31, 8, 4), (70, 25, 4)]


@pytest.mark.parametrize("sizes", SIZES)
def test_a_stencil_in_whole_tiles(tmp_path: Path, sizes: tuple[int, int, int]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(STENCIL)
    values = dict(zip(("nx", "ny", "nz"), sizes, strict=True))
    assert not compare(path, "k", LAUNCH, values).differences
