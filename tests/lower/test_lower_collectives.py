"""CUB's operations of blocks and warps, with block = 256 unless said."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import KERNEL, body_costs, file_of

CUB = "#include <cub/cub.cuh>"
REDUCE = "using R = cub::BlockReduce<float, 256>; __shared__ R::TempStorage t; "
SCAN = "typedef cub::BlockScan<int, 256> S; __shared__ typename S::TempStorage t; int o; "
BODIES = {
    # 5 steps in the warp; the first thread adds up 8 warps
    "sum": (
        REDUCE + "float s = R(t).Sum(1.0f);",
        {
            "flops.fp32": "1287/256",
            "loads.shared": "7/256",
            "stores.shared": "1/32",
            "shuffles": "5",
            "barriers": "1",
        },
    ),
    "largest": (
        REDUCE + "float s = R(t).Reduce(1.0f, cub::Max());",
        {"loads.shared": "7/256", "stores.shared": "1/32", "shuffles": "5", "barriers": "1"},
    ),
    "sum of items": (
        REDUCE + "float v[4]; float s = R(t).Sum(v);",
        {
            "flops.fp32": "2055/256",
            "loads.local": "4",
            "loads.shared": "7/256",
            "stores.shared": "1/32",
            "shuffles": "5",
            "barriers": "1",
        },
    ),
    "warp": (
        "typedef cub::WarpReduce<double> W; __shared__ W::TempStorage t; double s = W(t).Sum(1.0);",
        {"flops.fp64": "5", "shuffles": "5"},
    ),
    "part of a warp": (
        "typedef cub::WarpReduce<float, 8> W; __shared__ W::TempStorage t; float s = W(t).Sum(1.f);",
        {"flops.fp32": "3", "shuffles": "3"},
    ),
    # 32 threads rake 8 elements each: 8 + 8 loads and 8 stores, 6 exchanges
    "scan": (
        SCAN + "S(t).ExclusiveSum(n, o);",
        {"loads.shared": "3", "stores.shared": "2", "shuffles": "3/4", "barriers": "2"},
    ),
    "a variable": (
        "__shared__ cub::BlockReduce<float, 256>::TempStorage t; "
        "cub::BlockReduce<float, 256> r(t); float s = r.Reduce(1.f, cub::Min());",
        {"loads.shared": "7/256", "stores.shared": "1/32", "shuffles": "5", "barriers": "1"},
    ),
    "load": (
        "typedef cub::BlockLoad<float, 256, 4> L; __shared__ L::TempStorage t; float v[4]; "
        "L(t).Load(x + blockIdx.x * 1024, v);",
        {"loads.global": "4", "stores.local": "4"},
    ),
    "guarded load": (
        "typedef cub::BlockLoad<float, 256, 4> L; __shared__ L::TempStorage t; float v[4]; "
        "L(t).Load(x, v, 512);",
        {"loads.global": "2", "stores.local": "2"},
    ),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_costs(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert body_costs(tmp_path, body, CUB) == expected


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (
            "typedef cub::BlockRadixSort<float, 256, 1> S; float v[1]; S().Sort(v);",
            "flops_BlockRadixSort_Sort@5",
        ),
        (
            "typedef cub::BlockReduce<float, 256, cub::BLOCK_REDUCE_RAKING> R; "
            "float s = R().Sum(1.0f);",
            "flops_BlockReduce_Sum@5",
        ),
    ],
)
def test_what_has_no_known_cost_has_a_name(body: str, name: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, KERNEL.format(body=body, before=CUB))
    assert [one.code.id for one in file.diagnostics] == ["K301"]
    (kernel,) = file.kernels
    assert [one.name for one in kernel.unknowns] == [name]


def test_operations_of_the_users_own(tmp_path: Path) -> None:
    before = CUB + (
        "\nstruct Sum { __device__ float operator()(const float &a, const float &b) const "
        "{ return a + b; } };"
    )
    body = (
        "typedef cub::WarpReduce<float> W; __shared__ W::TempStorage t; "
        "float s = W(t).Reduce(x[i], Sum()); "
        "s = W(t).Reduce(x[i], [](float a, float b) { return a * b * 2.0f; });"
    )
    # 5 steps of 1 FLOP, and 5 of 2
    expected = {"flops.fp32": "15", "loads.global": "2", "shuffles": "10"}
    assert body_costs(tmp_path, body, before) == expected
