"""The oracle against counts made by hand. The kernels are in simplified CUDA C."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from oracle import OracleCounts, OracleError, ThreadIndex, run_kernel
from oracle.front import unit_of_simplified
from oracle.launch import read_launch
from oracle.run import Elements

GLOBAL = "[[cuda::global]] void k"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def run(
    text: str,
    launch: str,
    values: dict[str, float] | None = None,
    arrays: Mapping[str, Elements] | None = None,
) -> OracleCounts:
    unit = unit_of_simplified(text)
    assert not unit.diagnostics, unit.diagnostics
    grid, block = read_launch(launch, values or {})
    return run_kernel(unit, "k", grid, block, values=values, arrays=arrays)


def one_thread(
    body: str, parameters: str = "float *out, float *x, int n", n: int = 5
) -> tuple[Mapping[str, int], list[float]]:
    """The counts and the array `out` of one thread that runs a body."""
    arrays: dict[str, Elements] = {"out": [0.0] * 8, "x": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]}
    counts = run(f"{GLOBAL}({parameters}) {{ {body} }}", "grid=1 block=1", {"n": n}, arrays)
    return counts.totals, counts.contents["out"]


def test_vector_add() -> None:
    text = f"{GLOBAL}(const float *a, const float *b, float *c, int N)"
    text += f"{{ {INDEX} if (i < N) c[i] = a[i] + b[i]; }}"
    arrays: dict[str, Elements] = {"a": [1.0] * 37, "b": [2.0] * 37, "c": 37}
    counts = run(text, "grid=((N+15)/16) block=(16)", {"N": 37}, arrays)
    assert counts.totals == {"flops.fp32": 37, "loads.global": 74, "stores.global": 37}
    assert (counts.threads, counts.active_threads) == (48, 37)
    assert counts.contents["c"] == [3.0] * 37
    assert (counts.requested, counts.compulsory) == (444, 444)
    assert counts.compulsory_sectors == 3 * 5 * 32  # 148 bytes are five sectors
    assert counts.per_thread[ThreadIndex((2, 0, 0), (5, 0, 0))] == {}
    assert counts.per_thread[ThreadIndex((2, 0, 0), (4, 0, 0))]["loads.global"] == 2


def test_matrix_product() -> None:
    text = f"""{GLOBAL}(const float *A, const float *B, float *C, int N) {{
        int row = blockIdx.y * blockDim.y + threadIdx.y;
        int col = blockIdx.x * blockDim.x + threadIdx.x;
        if (row < N && col < N) {{
            float sum = 0.0f;
            for (int k = 0; k < N; ++k)
                sum += A[row * N + k] * B[k * N + col];
            C[row * N + col] = sum;
        }}
    }}"""
    arrays: dict[str, Elements] = {
        "A": [float(i) for i in range(9)],
        "B": [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0],
        "C": 9,
    }
    counts = run(text, "grid=((N+1)/2,(N+1)/2) block=(2,2)", {"N": 3}, arrays)
    assert counts.totals == {"flops.fp32": 54, "loads.global": 54, "stores.global": 9}
    assert counts.contents["C"] == [0.0, 2.0, 6.0, 3.0, 8.0, 15.0, 6.0, 14.0, 24.0]
    assert (counts.requested, counts.compulsory) == (63 * 4, 27 * 4)


def test_triangular_loop() -> None:
    text = f"""{GLOBAL}(const float *x, float *y, int n) {{ {INDEX}
        if (i >= n) return;
        float s = 0.0f;
        for (int j = 0; j <= i; j++) s += x[j];
        y[i] = s; }}"""
    counts = run(text, "grid=2 block=4", {"n": 7}, {"x": 7, "y": 7})
    assert counts.totals["flops.fp32"] == 28
    by_thread = {index: c.get("flops.fp32", 0) for index, c in counts.per_thread.items()}
    assert by_thread[ThreadIndex((1, 0, 0), (2, 0, 0))] == 7


def test_dot_product_with_tree_reduction() -> None:
    text = f"""{GLOBAL}(const float *a, const float *b, float *s, int N) {{
        [[cuda::shared]] float part[8];
        int t = threadIdx.x;
        float sum = 0.0f;
        for (int i = blockIdx.x * blockDim.x + t; i < N; i += gridDim.x * blockDim.x)
            sum += a[i] * b[i];
        part[t] = sum;
        __syncthreads();
        for (int w = blockDim.x / 2; w > 0; w >>= 1) {{
            if (t < w) part[t] += part[t + w];
            __syncthreads();
        }}
        if (t == 0) atomicAdd(s, part[0]); }}"""
    arrays: dict[str, Elements] = {"a": [1.0] * 20, "b": [float(i) for i in range(20)], "s": [0.0]}
    counts = run(text, "grid=(2) block=(8)", {"N": 20}, arrays)
    assert counts.contents["s"] == [190.0]
    assert counts.totals == {
        "flops.fp32": 40 + 14,
        "loads.global": 40,
        "stores.shared": 16 + 14,
        "loads.shared": 28 + 2,
        "atomics.global": 2,
        "barriers": 16 * 4,
    }
    assert counts.by_array["s"].requested == 16  # two atomics, each reads and writes
    assert counts.by_array["s"].compulsory == 8


@pytest.mark.parametrize(("n", "expected"), [(0, 7.0), (1, 6.0), (2, 4.0), (3, 8.0), (9, 8.0)])
def test_switch_falls_through(n: int, expected: float) -> None:
    totals, out = one_thread(
        """float v = 0.0f;
        switch (n) {
        case 0: v += 1.0f;
        case 1: v += 2.0f;
        case 2: v += 4.0f; break;
        default: v = 8.0f;
        }
        out[0] = v;""",
        n=n,
    )
    assert out[0] == expected
    assert totals.get("flops.fp32", 0) == {0: 3, 1: 2, 2: 1}.get(n, 0)


def test_continue_inside_switch_continues_the_loop() -> None:
    _, out = one_thread(
        """int c = 0;
        for (int i = 0; i < 6; i++) {
            switch (i % 3) { case 0: continue; case 1: c += 10; break; default: c += 100; }
            c += 1;
        }
        out[0] = c;"""
    )
    assert out[0] == 2 * 10 + 2 * 100 + 4


def test_loops_of_every_kind() -> None:
    _, out = one_thread(
        """int a = 0, b = 0, c = 0, d = 0;
        do { a++; if (a == 2) continue; } while (a < n);
        while (1) { if (++b > 3) break; }
        for (int s = 32; s > 0; s >>= 1) c += 1;
        for (int i = n - 1; i >= 0; i -= 2) d += i;
        out[0] = a; out[1] = b; out[2] = c; out[3] = d;"""
    )
    assert out[:4] == [5.0, 4.0, 6.0, 6.0]


def test_integer_arithmetic_is_c() -> None:
    _, out = one_thread(
        """int big = 2147483647;
        unsigned u = 0u - 1u;
        out[0] = -7 / 2;
        out[1] = -7 % 3;
        out[2] = big + 1 < 0;
        out[3] = u > 0;
        out[4] = -1 < 1u;
        out[5] = (unsigned char)300;
        out[6] = (long long)big * 2 > 0;
        out[7] = (-9 >> 1) + (1u << 3);"""
    )
    assert out == [-3.0, -1.0, 1.0, 1.0, 0.0, 44.0, 1.0, 3.0]


def test_precision_of_operations() -> None:
    totals, _ = one_thread(
        """float f = x[0]; double d = f; half h = __float2half(f); __nv_bfloat16 b = f;
        out[0] = f * 2.0f;
        out[1] = f * 0.5;
        out[2] = d + f;
        out[3] = h * h;
        out[4] = h + f;
        out[5] = f / n;
        b = b + b;"""
    )
    assert totals["flops.fp32"] == 3
    assert totals["flops.fp64"] == 2
    assert totals["flops.fp16"] == 1
    assert totals["flops.bf16"] == 1


def test_literal_operations_are_free() -> None:
    totals, out = one_thread(
        "out[0] = x[0] * (1.0f / 4.0f); out[1] = -2.0f * (float)3; out[2] = 1.0f - 0.5f * 2.0f;"
    )
    assert totals["flops.fp32"] == 1
    assert out[:3] == [0.375, -6.0, 0.0]


def test_steps_and_compound_assignments() -> None:
    totals, out = one_thread(
        "float v = x[0]; v++; --v; v /= 2; out[0] = v; out[1] += v; x[0]++; n *= 2; out[2] = n++;"
    )
    assert totals["flops.fp32"] == 5
    assert totals["loads.global"] == 3
    assert totals["stores.global"] == 4
    assert out[:3] == [0.75, 0.75, 10.0]


def test_functions() -> None:
    totals, out = one_thread(
        """out[0] = fmaf(x[0], 2.0f, 1.0f);
        out[1] = __fadd_rn(x[0], x[1]);
        out[2] = sqrtf(4.0f) + fabsf(-1.0f);
        out[3] = fmaxf(x[0], x[1]) * __expf(0.0f);
        out[4] = min(n, 3);
        out[5] = sqrt(x[0]);
        out[6] = pow(2.0, n);"""
    )
    assert totals["special"] == 4
    assert totals["flops.fp32"] == 2 + 1 + 1 + 1
    assert "flops.fp64" not in totals
    assert out[:5] == [4.0, 4.0, 3.0, 2.5, 3.0]
    assert out[6] == 32.0


def test_half_pairs() -> None:
    text = f"{GLOBAL}(const half2 *a, half2 *c)"
    text += "{ c[0] = __hadd2(a[0], a[1]); c[1] = __hfma2(a[0], a[0], a[1]); c[2] = a[0] * a[1]; }"
    arrays: dict[str, Elements] = {"a": [(1.0, 2.0), (3.0, 4.0)], "c": 3}
    counts = run(text, "grid=1 block=1", {}, arrays)
    assert counts.totals == {"flops.fp16": 8, "loads.global": 7, "stores.global": 3}
    assert counts.contents["c"] == [(4.0, 6.0), (4.0, 8.0), (3.0, 8.0)]
    assert counts.requested == 40


def test_vectors_and_structures() -> None:
    text = f"""typedef struct P {{ float x, y; int id; }} P;
        {GLOBAL}(const float4 *v, P *p, float *out) {{
        float4 a = v[0];
        out[0] = a.x + v[1].w;
        p[1].x += 2.0f;
        P q = p[0];
        q.y = 3.0f;
        p[0] = q;
        P *r = &p[1];
        out[1] = r->y;
        float3 m = make_float3(1.0f, 2.0f, 3.0f);
        float2 w = {{.y = 5.0f}};
        out[2] = m.z + w.x + w.y; }}"""
    arrays: dict[str, Elements] = {
        "v": [(1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0)],
        "p": [(1.0, 2.0, 3), (4.0, 5.0, 6)],
        "out": 3,
    }
    counts = run(text, "grid=1 block=1", {}, arrays)
    assert counts.contents["out"] == [9.0, 5.0, 8.0]
    assert counts.contents["p"] == [(1.0, 3.0, 3), (6.0, 5.0, 6)]
    assert counts.totals == {"flops.fp32": 4, "loads.global": 5, "stores.global": 5}
    assert counts.by_array["v"].requested == 16 + 4
    assert counts.by_array["p"].requested == 4 + 4 + 12 + 12 + 4


def test_spaces() -> None:
    text = f"""[[cuda::constant]] float c[2] = {{2.0f, 3.0f}};
        [[cuda::device]] float g[4];
        const float half_of = 0.5f;
        {GLOBAL}(float *out, int n) {{
        float w[3] = {{1.0f, 2.0f}};
        w[n] = 7.0f;
        [[cuda::shared]] extern float d[];
        [[cuda::shared]] float s;
        s = w[1] * c[1];
        d[0] = s;
        g[n] = d[0] * half_of;
        out[0] = g[n] + w[2]; }}"""
    counts = run(text, "grid=1 block=1", {"n": 2}, {"out": 1})
    assert counts.contents["out"] == [10.0]
    assert counts.totals == {
        "flops.fp32": 3,
        "stores.local": 3 + 1,
        "loads.local": 2,
        "loads.constant": 1,
        "stores.shared": 2,
        "loads.shared": 2,
        "stores.global": 2,
        "loads.global": 1,
    }
    assert counts.by_array["g"].requested == 8


def test_device_functions() -> None:
    text = f"""[[cuda::device]] float clamp(float v, float low) {{ if (v < low) return low; return v + 1.0f; }}
        [[cuda::device]] void both(float a, [[cuda::reference]] float up, [[cuda::reference]] float at)
        {{ up = a + 1.0f; at = a; at += up; }}
        typedef deduced__ square__T;
        [[cuda::device]] square__T square(square__T v) {{ return v * v; }}
        [[cuda::device]] int factorial(int n) {{ return n < 2 ? 1 : n * factorial(n - 1); }}
        {GLOBAL}(float *out, const float *x) {{
        float up;
        both(x[0], up, out[1]);
        out[0] = clamp(x[1], 10.0f);
        out[2] = clamp(up, 0.0f);
        out[3] = square(x[0]) + square(3);
        out[4] = square((double)x[0]);
        out[5] = factorial(4); }}"""
    counts = run(text, "grid=1 block=1", {}, {"out": 6, "x": [3.0, 4.0]})
    assert counts.contents["out"] == [10.0, 7.0, 5.0, 18.0, 9.0, 24.0]
    assert counts.totals["flops.fp32"] == 2 + 0 + 1 + 2
    assert counts.totals["flops.fp64"] == 1
    assert counts.totals["loads.global"] == 1 + 1 + 1 + 2
    assert counts.totals["stores.global"] == 2 + 5 - 0


def test_pointers_that_move() -> None:
    totals, out = one_thread(
        """const float *p = x + 1; float s = 0.0f;
        for (int i = 0; i < 3; i++) s += *p++;
        p -= 2;
        float *q = &out[1];
        *q = *p; q[1] = p[-1]; *(q + 2) = (float)(p - x);
        out[0] = s;
        const float2 *v = (const float2 *)x;
        out[4] = v[1].y;"""
    )
    assert out[:5] == [2.5 + 3.5 + 4.5, 3.5, 2.5, 2.0, 4.5]
    assert totals["loads.global"] == 6


def test_references_and_auto() -> None:
    totals, out = one_thread(
        """auto v = x[0]; [[cuda::reference]] auto r = out[2]; r = v; r += 1.0f;
        auto p = x + 1; out[0] = *p; const int N = 2; float w[N * 2]; out[1] = sizeof(w) + sizeof r;"""
    )
    assert out[:3] == [2.5, 20.0, 2.5]
    assert totals["stores.global"] == 4


def test_warp_shuffles() -> None:
    text = f"""[[cuda::device]] float warp_sum(float v) {{
        for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
        return v; }}
        {GLOBAL}(float *out, const float *x) {{
        int t = threadIdx.x;
        float s = warp_sum(x[t]);
        if (t % 32 == 0) out[t / 32] = s;
        if (t >= 32) return;
        int first = __shfl_sync(0xffffffff, t, 3);
        unsigned votes = __ballot_sync(0xffffffff, t < 4);
        if (t == 5) {{ out[2] = first; out[3] = votes; }} }}"""
    counts = run(text, "grid=1 block=64", {}, {"out": 4, "x": [1.0] * 32 + [2.0] * 32})
    assert counts.contents["out"] == [32.0, 64.0, 3.0, 15.0]
    assert counts.totals["shuffles"] == 64 * 5 + 32
    assert counts.totals["flops.fp32"] == 64 * 5


def test_template_values_and_short_circuit() -> None:
    text = f"""{GLOBAL}(float *out, const float *x, [[cuda::template_value]] int D, int n) {{
        float s = 0.0f;
        for (int i = 0; i < D; ++i) if (i < n && x[i] > 0.0f) s += 1.0f;
        out[0] = s; }}"""
    counts = run(text, "grid=1 block=1", {"D": 4, "n": 2}, {"out": 1, "x": [1.0, 1.0]})
    assert counts.totals["loads.global"] == 2


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("out[8] = 1.0f;", "outside of out"),
        ("x[-1] = 1.0f;", "outside of x"),
        ("float w[2]; w[n] = 1.0f;", "outside of w"),
        ("out[0] = 1 / (n - 5);", "zero"),
        ("float4 *v = (float4 *)(x + 1); out[0] = v[0].x;", None),
        ("float4 v = *(float4 *)(x + 1);", "misaligned"),
        ("while (1) n = 1;", "too long"),
        ("nowhere(n);", "unknown function nowhere"),
        ("float *p = nullptr; *p = 1.0f;", "nowhere"),
    ],
)
def test_what_cannot_be_run(body: str, message: str | None) -> None:
    if message is None:
        one_thread(body)
        return
    with pytest.raises(OracleError, match=message) as caught:
        one_thread(body)
    assert caught.value.position is not None
    assert caught.value.position.line == 1


def test_launch_texts() -> None:
    values = {"N": 37, "M": 2}
    assert read_launch("grid=((N+15)/16, M) block=(16,16)", values) == ((3, 2, 1), (16, 16, 1))
    assert read_launch("grid=(N+63)/64 block=64", values) == ((1, 1, 1), (64, 1, 1))
