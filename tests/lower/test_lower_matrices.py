"""Tensor cores: fragments, `mma_sync`, and the work of PTX's matrix instructions."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import body_costs

PLAIN = "#include <mma.h>\n#include <cuda_bf16.h>\nusing namespace nvcuda;\n"


def fragments(shape: str, element: str, result: str) -> str:
    return (
        f"wmma::fragment<wmma::matrix_a, {shape}, {element}, wmma::row_major> a; "
        f"wmma::fragment<wmma::matrix_b, {shape}, {element}, wmma::col_major> b; "
        f"wmma::fragment<wmma::accumulator, {shape}, {result}> c; "
    )


# 2·M·N·K / 32 for each thread
MULTIPLICATIONS = {
    ("16, 16, 16", "half", "float"): {"flops.tensor_fp16": "256"},
    ("16, 16, 16", "half", "half"): {"flops.tensor_fp16_acc16": "256"},
    ("32, 8, 16", "half", "float"): {"flops.tensor_fp16": "256"},
    ("16, 16, 16", "__nv_bfloat16", "float"): {"flops.tensor_bf16": "256"},
    ("16, 16, 8", "wmma::precision::tf32", "float"): {"flops.tensor_tf32": "128"},
    ("8, 8, 4", "double", "double"): {"flops.tensor_fp64": "16"},
    ("16, 16, 16", "signed char", "int"): {"flops.tensor_int8": "256"},
    ("8, 8, 32", "wmma::experimental::precision::s4", "int"): {"flops.tensor_int4": "128"},
}


@pytest.mark.parametrize(("types", "expected"), MULTIPLICATIONS.items(), ids=str)
def test_multiplications(types: tuple[str, str, str], expected: dict, tmp_path: Path) -> None:
    body = fragments(*types) + "wmma::mma_sync(c, a, b, c);"
    assert body_costs(tmp_path, body, PLAIN) == expected


# A warp moves each element of a tile once: rows × columns / 32 for each thread.
TRANSFERS = {
    "a tile of halves": ("wmma::load_matrix_sync(a, (half *)x, n);", {"loads.global": "8"}),
    "from shared memory": (
        "__shared__ half s[256]; wmma::load_matrix_sync(b, s, 16);",
        {"loads.shared": "8"},
    ),
    "an accumulator": (
        "wmma::load_matrix_sync(c, x, n, wmma::mem_row_major); "
        "wmma::store_matrix_sync(y, c, n, wmma::mem_col_major);",
        {"loads.global": "8", "stores.global": "8"},
    ),
    "elements": (
        "wmma::fill_fragment(c, 0.0f); for (int t = 0; t < c.num_elements; ++t) c.x[t] *= 2.0f;",
        {"flops.fp32": "8"},
    ),
    "operands are held twice": (
        "for (int t = 0; t < a.num_elements; ++t) a.x[t] = a.x[t] + half(1);",
        {"flops.fp16": "16"},
    ),
}


@pytest.mark.parametrize(("body", "expected"), TRANSFERS.values(), ids=TRANSFERS)
def test_transfers(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    given = fragments("16, 16, 16", "half", "float") + body
    assert body_costs(tmp_path, given, PLAIN) == expected


INSTRUCTIONS = {
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": {"flops.tensor_fp16": "128"},
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16": {"flops.tensor_fp16_acc16": "128"},
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32": {"flops.tensor_tf32": "64"},
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32": {"flops.tensor_bf16": "128"},
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32": {"flops.tensor_int8": "256"},
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32": {"flops.tensor_fp8": "256"},
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64": {"flops.tensor_fp64": "16"},
    # four multiplications at once
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32": {"flops.tensor_fp16": "64"},
    # four warps together
    "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16": {"flops.tensor_fp16": "1024"},
}


@pytest.mark.parametrize(("opcode", "expected"), INSTRUCTIONS.items(), ids=str)
def test_instructions(opcode: str, expected: dict[str, str], tmp_path: Path) -> None:
    body = f'unsigned a = n; asm volatile("{opcode} {{%0}}, {{%1}};" : "=r"(a) : "r"(n));'
    assert body_costs(tmp_path, body) == expected
