"""Cooperative groups: sizes, ranks, exchanges, reductions, copies."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import KERNEL, body_costs, file_of, kernel_of

from estimator.analysis import analyze

CG = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;"
BLOCK = "auto block = cg::this_thread_block(); "
TILE = BLOCK + "auto tile = cg::tiled_partition<32>(block); "
BODIES = {
    "a block waits": (BLOCK + "block.sync(); cg::sync(block);", {"barriers": "2"}),
    "a warp waits for free": (TILE + "tile.sync();", {}),
    "a grid waits": ("cg::this_grid().sync();", {"barriers": "1"}),
    "shared memory of another block": (
        "__shared__ float s[256]; cg::cluster_group c = cg::this_cluster(); s[i % 256] = x[i];"
        " c.sync(); float *far = c.map_shared_rank(s, c.block_rank() ^ 1); y[i] = far[i % 256];",
        {
            "loads.global": "1",
            "stores.global": "1",
            "loads.shared": "1",
            "stores.shared": "1",
            "barriers": "1",
        },
    ),
    "ranks": (
        BLOCK + "if (block.thread_rank() < 64) y[block.thread_rank()] = 1.0f;",
        {"stores.global": "1/4"},
    ),
    "one thread of each tile": (
        TILE + "if (tile.thread_rank() == 0) y[tile.meta_group_rank()] = 1.0f;",
        {"stores.global": "1/32"},
    ),
    "tiles of a block": (
        TILE + "for (int t = 0; t < tile.meta_group_size(); ++t) y[t] = 1.0f;",
        {"stores.global": "8"},
    ),
    "indices": (
        BLOCK + "y[block.group_index().x * block.group_dim().x + block.thread_index().x] = 1.0f;",
        {"stores.global": "1"},
    ),
    "exchanges": (
        TILE + "float v = x[i]; v += tile.shfl(v, 0) + tile.shfl_up(v, 1) + tile.shfl_xor(v, 2); "
        "y[i] = v;",
        {"flops.fp32": "3", "shuffles": "3", "loads.global": "1", "stores.global": "1"},
    ),
    "votes": (TILE + "n = tile.ballot(n) + tile.any(n) + tile.all(n) + tile.match_any(n);", {}),
    # log2(32) = 5 steps, log2(8) = 3
    "sum of a tile": (
        TILE + "y[i] = cg::reduce(tile, 1.0f, cg::plus<float>());",
        {"flops.fp32": "5", "shuffles": "5", "stores.global": "1"},
    ),
    "largest of eight": (
        BLOCK + "auto t = cg::tiled_partition<8>(block); y[i] = cg::reduce(t, 1.f, "
        "cg::greater<float>{});",
        {"shuffles": "3", "stores.global": "1"},
    ),
    "integers": (
        TILE + "n = cg::reduce(tile, n, cg::bit_or<int>());",
        {"shuffles": "5"},
    ),
    "scans": (
        TILE + "y[i] = cg::inclusive_scan(tile, 1.0f) + cg::exclusive_scan(tile, 1.0f);",
        {"flops.fp32": "11", "shuffles": "11", "stores.global": "1"},
    ),
    # 1024 floats by 256 threads
    "a copy by the block": (
        "__shared__ float s[1024]; " + BLOCK + "cg::memcpy_async(block, s, x, sizeof(float) * "
        "1024); cg::wait(block);",
        {"loads.global": "4", "stores.shared": "4", "barriers": "1"},
    ),
    "a partition at run time": (
        BLOCK + "cg::thread_group t = cg::tiled_partition(block, 16); "
        "if (t.thread_rank() == 0) y[i] = t.size();",
        {"stores.global": "1/16"},
    ),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_costs(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert body_costs(tmp_path, body, CG) == expected


def test_nobody_knows_how_many_threads_are_together(tmp_path: Path) -> None:
    body = "auto g = cg::coalesced_threads(); for (int k = 0; k < g.size(); ++k) y[k] = 1.0f;"
    kernel = kernel_of(tmp_path, KERNEL.format(body=body, before=CG))
    unknown = {one.name: one for one in kernel.unknowns}
    assert any(name.startswith(("group_size@", "trips@")) for name in unknown)


def test_without_a_launch_a_rank_counts_along_one_axis(tmp_path: Path) -> None:
    body = BLOCK + "y[blockIdx.x * block.size() + block.thread_rank()] = 1.0f;"
    kernel = kernel_of(tmp_path, KERNEL.format(body=body, before=CG), "")
    assert [str(extent) for extent in kernel.launch.block] == ["256", "1", "1"]


def test_what_is_no_group_is_said_so(tmp_path: Path) -> None:
    (found,) = file_of(tmp_path, KERNEL.format(body="n = cg::size(x);", before=CG)).diagnostics
    assert found.code.id in ("K202", "K301")


def test_an_operation_of_the_users_own(tmp_path: Path) -> None:
    body = TILE + (
        "float s = cg::reduce(tile, x[i], [](float a, float b) { return a * 2.0f + b; });"
    )
    found = body_costs(tmp_path, body, CG)
    assert found == {"flops.fp32": "10", "loads.global": "1", "shuffles": "5"}


@pytest.mark.parametrize("call", ["cg::reduce()", "cg::reduce(cg::this_thread_block())"])
def test_too_few_arguments_are_refused(tmp_path: Path, call: str) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
        f"__global__ void k(float *x) {{ {call}; }}\n"
    )
    (error,) = analyze(str(file)).files[0].diagnostics
    assert (error.code.id, error.position.line) == ("K202", 3)
