"""Half and bfloat16: scalar and packed arithmetic, comparisons, conversions, moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import body_costs

INCLUDE = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuda_fp8.h>"
HALVES = "half a = __float2half(1.0f), b = a; half2 p = make_half2(a, b), q = p; "
BFLOATS = "__nv_bfloat16 a = __float2bfloat16(1.0f), b = a; __nv_bfloat162 p = {a, b}, q = p; "
BODIES = {
    "operators": (HALVES + "a = a * b + a; a += b; a = -a;", {"flops.fp16": "3"}),
    "packed operators": (HALVES + "p = p * q + p; p -= q; p = -p;", {"flops.fp16": "6"}),
    "intrinsics": (HALVES + "a = __hadd(a, b); a = __hfma_relu(a, b, a);", {"flops.fp16": "3"}),
    "packed intrinsics": (
        HALVES + "p = __hfma2(p, q, p); p = __h2div(p, q); p = __hmul2_sat(p, q);",
        {"flops.fp16": "8"},
    ),
    "complex": (HALVES + "p = __hcmadd(p, q, p);", {"flops.fp16": "8"}),
    "functions": (HALVES + "a = hexp(a); p = h2rsqrt(p);", {"special": "3"}),
    "choices": (
        HALVES + "a = __hmax(a, __hmin(a, b)); p = __hmax2(p, __habs2(q)); p = __hneg2(p);",
        {},
    ),
    "comparisons": (
        HALVES + "bool c = __hgt(a, b); c = __hbeq2(p, q); p = __hgeu2(p, q); "
        "unsigned m = __hlt2_mask(p, q); c = __hisnan(a);",
        {},
    ),
    "halves of pairs": (
        HALVES + "float f = __low2float(p) + __high2float(p); a = __low2half(p); a = p.y; p.x = b;"
        " p = __halves2half2(a, b); p = __lowhigh2highlow(p); p = __half2half2(a);",
        {"flops.fp32": "1"},
    ),
    "conversions": (
        HALVES + "int m = __half2int_rn(a) + __half2short_rz(b); a = __int2half_rd(m); "
        "float2 f = __half22float2(p); p = __float22half2_rn(f); m = __half_as_ushort(a);",
        {},
    ),
    "bfloat operators": (
        BFLOATS + "a = a * b + a; p = p + q; p = __hfma2(p, q, p);",
        {"flops.bf16": "8"},
    ),
    "bfloat conversions": (
        BFLOATS + "float f = __bfloat162float(a); float2 g = __bfloat1622float2(p); "
        "p = __floats2bfloat162_rn(f, f); a = __ushort_as_bfloat16(3); a = __high2bfloat16(p);",
        {},
    ),
    "shuffled pairs": (HALVES + "p = __hadd2(p, __shfl_xor_sync(~0u, p, 1));", {
        "flops.fp16": "2", "shuffles": "1"}),
    "one eighth": (
        "__nv_fp8_e4m3 e = __nv_fp8_e4m3(1.0f); float f = float(e) * 2.0f; "
        "__nv_fp8_storage_t s = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3);",
        {"flops.fp32": "1"},
    ),
    "eight halves at once": (
        "half v[8]; *reinterpret_cast<float4 *>(&v[0]) = reinterpret_cast<float4 *>(x)[i]; "
        "half2 s = __hadd2(*reinterpret_cast<half2 *>(&v[0]), *(half2 *)&v[2]);",
        {"flops.fp16": "2", "loads.global": "1", "loads.local": "2", "stores.local": "1"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_costs(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert body_costs(tmp_path, body, INCLUDE) == expected
