"""Textures and surfaces: loads in a space of their own, footprints of whole coordinates."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import costs, kernel_of

from estimator.algebra.printing import sympy_text

KERNEL = """{before}
__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float *y, int W, int H)
{{
    int x = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && j < H) {{
        {body}
    }}
}}
"""
LAUNCH = "grid=((W + 15)/16, (H + 15)/16) block=(16, 16)"
LOAD, STORE = "loads.texture", "stores.texture"
# body → what a thread does, distinct bytes
BODIES = {
    "float v = tex2D<float>(t, x + 0.5f, j + 0.5f);": (
        {"flops.fp32": "2", LOAD: "1"},
        "4*H*W",
    ),
    "float v = tex2D<float>(t, x, j);": ({LOAD: "1"}, "4*H*W"),
    "float4 v = tex2D<float4>(t, (float)x, (float)j);": ({LOAD: "1"}, "16*H*W"),
    "unsigned char v = tex2D<unsigned char>(t, x, j);": ({LOAD: "1"}, "H*W"),
    "float v = tex2D<float>(t, x, j); v = tex2D<float>(t, x + 1, j);": (
        {LOAD: "2"},
        "4*H*(W + 1)",
    ),
    "int v = tex1Dfetch<int>(t, j * W + x);": ({LOAD: "1"}, "4*H*W"),
    "float v = tex3D<float>(t, x, j, 3);": ({LOAD: "1"}, "4*H*W"),
    "float v = tex2DLayered<float>(t, x, j, 2);": ({LOAD: "1"}, "4*H*W"),
    "float v = tex2DLod<float>(t, x, j, 0);": ({LOAD: "1"}, "4*H*W"),
    "float v; surf2Dread(&v, s, 4 * x, j);": ({LOAD: "1"}, "4*H*W"),
    "surf2Dwrite(1.0f, s, x * 4, j);": ({STORE: "1"}, "4*H*W"),
    "surf2Dwrite<float>(1.0f, s, x * sizeof(float), j);": ({STORE: "1"}, "4*H*W"),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.items(), ids=str)
def test_costs(body: str, expected: tuple[dict[str, str], str], tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, KERNEL.format(body=body, before=""), LAUNCH)
    assert (costs(kernel), sympy_text(kernel.bytes.compulsory.formula)) == expected


def test_references_say_what_a_texel_is(tmp_path: Path) -> None:
    before = (
        "texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image;\n"
        "texture<float, 1> line;"
    )
    body = "float4 v = tex2D(image, x, j); y[0] = v.x + tex1Dfetch(line, x);"
    kernel = kernel_of(tmp_path, KERNEL.format(body=body, before=before), LAUNCH)
    assert costs(kernel) == {"flops.fp32": "1", LOAD: "2", "stores.global": "1"}
    found = {n: sympy_text(a.requested.formula) for n, a in kernel.bytes.by_array.items()}
    assert found == {"image": "4*H*W", "line": "4*H*W", "y": "4*H*W"}


def test_other_coordinates_depend_on_data(tmp_path: Path) -> None:
    body = "float v = tex2D<float>(t, (x + 0.5f) / W, 0.25f);"
    kernel = kernel_of(tmp_path, KERNEL.format(body=body, before=""), LAUNCH)
    assert {one.name for one in kernel.unknowns} >= {"distinct_t@6"}
    assert sympy_text(kernel.bytes.requested.formula) == "4*H*W"
