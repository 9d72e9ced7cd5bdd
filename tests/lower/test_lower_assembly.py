"""Inline PTX: arithmetic, memory, synchronisation, and what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import KERNEL, body_costs, file_of

BODIES = {
    "fused": ('asm("fma.rn.f32 %0, %1, %1, %1;" : "=f"(v) : "f"(v));', {"flops.fp32": "2"}),
    "several": (
        'asm("{ .reg .f32 t; mul.f32 t, %1, %1;\\n add.f32 %0, t, %1; }" : "=f"(v) : "f"(v));',
        {"flops.fp32": "2"},
    ),
    "packed": (
        'unsigned h = n; asm("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(h));',
        {"flops.fp16": "4"},
    ),
    "double": ('double d = 1; asm("add.f64 %0, %0, %0;" : "+d"(d));', {"flops.fp64": "1"}),
    "special": ('asm("rsqrt.approx.f32 %0, %1;" : "=f"(v) : "f"(v));', {"special": "1"}),
    "integers": (
        'asm("mad.lo.u32 %0, %1, %1, %1; shl.b32 %0, %0, 2;" : "=r"(n) : "r"(n));',
        {},
    ),
    "registers": ('asm("mov.u32 %0, %smid;" : "=r"(n));', {}),
    "a vector load": (
        'float4 q; asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : '
        '"=f"(q.x), "=f"(q.y), "=f"(q.z), "=f"(q.w) : "l"(x + 4 * i));',
        {"loads.global": "1"},
    ),
    "a store with an offset": (
        'asm volatile("st.global.f32 [%0 + 16], %1;" :: "l"(y + i), "f"(v));',
        {"stores.global": "1"},
    ),
    "shared memory": (
        'asm volatile("st.shared.v2.f32 [%0], {%1, %1}; ld.shared.f32 %1, [%0];" :: "r"(n), '
        '"f"(v));',
        {"loads.shared": "1", "stores.shared": "1"},
    ),
    "an atomic": (
        'asm volatile("red.global.add.f32 [%0], %1;" :: "l"(y), "f"(v));',
        {"atomics.global": "1"},
    ),
    "an asynchronous copy": (
        "__shared__ float4 s[256]; unsigned a = __cvta_generic_to_shared(&s[threadIdx.x]); asm "
        'volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(a), "l"(x + 4 * i)); '
        'asm volatile("cp.async.commit_group;"); asm volatile("cp.async.wait_group 0;");',
        {"loads.global": "1", "stores.shared": "1"},
    ),
    # rows of two of four matrices: 16 lanes of 32
    "matrices from shared memory": (
        'unsigned a, b; asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" '
        ': "=r"(a), "=r"(b) : "r"(n));',
        {"loads.shared": "1/2"},
    ),
    "named operands": (
        'asm("add.f32 %[to], %[a], %[a];" : [to] "=f"(v) : [a] "f"(v));',
        {"flops.fp32": "1"},
    ),
    "a guard": (
        'asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p st.global.f32 [%1], %2; }" :: '
        '"r"((int)(threadIdx.x < 64)), "l"(y + i), "f"(v));',
        {"stores.global": "1/4"},
    ),
    "a barrier": ('asm volatile("bar.sync 0;"); asm("membar.gl;");', {"barriers": "1"}),
    "an exchange": (
        'asm("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=f"(v) : "f"(v));',
        {"shuffles": "1"},
    ),
    "outputs are no longer known": (
        'int m = 4; asm("mov.u32 %0, %1;" : "=r"(m) : "r"(n)); if (m > 100) { } ',
        {},
    ),
}


@pytest.mark.parametrize(("body", "expected"), BODIES.values(), ids=BODIES)
def test_costs(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert body_costs(tmp_path, f"float v = 1.0f; {body}") == expected


def test_an_instruction_that_nobody_knows_has_a_name(tmp_path: Path) -> None:
    body = 'asm volatile("tcgen05.alloc.b32 [%0], 64;" :: "r"(n));'
    file = file_of(tmp_path, KERNEL.format(body=body, before=""))
    (found,) = file.diagnostics
    assert found.code.id == "K301"
    assert "tcgen05.alloc.b32" in found.message
    (kernel,) = file.kernels
    assert [one.name for one in kernel.unknowns] == ["flops_tcgen05@5"]
