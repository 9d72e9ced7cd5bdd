"""Pieces of programs: every construct that the front end claims, and some that it refuses.

`@` stands for a number of the piece's own. Statements have `i` (an index), `s` (a float), `a`,
`b` (arrays of float) and `N` (a size) at hand.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Construct:
    """What stands outside of the kernel, and the statement that uses it."""

    statement: str
    items: str = ""


CONSTRUCTS = (
    Construct("s += static_cast<float>(i) + float(i) + (float)i;"),
    Construct("s += reinterpret_cast<const float *>(a)[i];"),
    Construct("a[i] = const_cast<float *>(a)[i + 1];"),
    Construct("float4 v@ = make_float4(s, s, 0.0f, 1.0f); s += v@.x * v@.w;"),
    Construct("float2 v@ = float2{s, 1.0f}; s = v@.x - v@.y;"),
    Construct("float4 v@ = reinterpret_cast<const float4 *>(b)[i]; s += v@.x + v@.z;"),
    Construct("reinterpret_cast<float4 *>(a)[i] = float4{s, s, s, s};"),
    Construct("int n@(4); int m@{3}; s += b[i + n@ * m@];"),
    Construct("s = std::max(s, b[i]); s = std::min(s, 2.0f); s = ::fabsf(s);"),
    Construct("auto v@ = b[i]; auto &r@ = s; r@ += v@;"),
    Construct("float &r@ = s; r@ *= 2.0f; const float &c@ = b[i]; s += c@;"),
    Construct("if (int q@ = i + 1; q@ < N) { s += b[q@]; }"),
    Construct("if constexpr (sizeof(float) == 4) { s += 1.0f; } else { s += 2.0f; }"),
    Construct("decltype(s) v@ = s; if (i > 1 and not (i == 3)) { s = v@ + 1.0f; }"),
    Construct("s = i < N ? b[i] : 0.5f;"),
    Construct("do { s += 1.0f; } while (false);"),
    Construct("for (int q@ = 0; q@ < 4; ++q@) { if (q@ == 2) continue; s += b[i + q@]; }"),
    Construct("for (int q@ = 0; q@ < N; q@ += 2) s += b[q@];"),
    Construct("for (int q@ = 16; q@ > 0; q@ >>= 1) { s += 0.5f; }"),
    Construct("\n#pragma unroll\nfor (int q@ = 0; q@ < 3; q@++) { s *= b[q@]; }"),
    Construct("\n#pragma unroll 2\nfor (int q@ = 0; q@ < N; q@++) s += 1.0f;"),
    Construct("int q@ = 0; while (q@ < N) { s += b[q@]; ++q@; }"),
    Construct("switch (i % 3) { case 0: s += 1.0f; break; case 1: s *= 2.0f; default: s -= 1.0f; }"),
    Construct("{ float s = 1.0f; a[i] = s; }"),
    Construct("float t@[4]; for (int q@ = 0; q@ < 4; ++q@) t@[q@] = b[i + q@]; s += t@[1] * t@[3];"),
    Construct("float t@[2][2] = {{1.0f, 2.0f}, {3.0f, 4.0f}}; s *= t@[1][0];"),
    Construct("__shared__ float sh@[64]; sh@[threadIdx.x % 64] = s; __syncthreads(); s = sh@[0];"),
    Construct("atomicAdd(&a[i], 1.0f); atomicAdd(a + i, s);"),
    Construct("s += __shfl_down_sync(0xffffffff, s, 1);"),
    Construct("s = fmaf(s, 2.0f, __ldg(&b[i])); s = sqrtf(s) + expf(s);"),
    Construct("const float *p@ = b + i; s += *p@++; s += p@[1];"),
    Construct("typedef float real@; real@ v@ = s; using word@ = unsigned; word@ w@ = 3u; s = v@ * w@;"),
    Construct("s += 1'000.0f + 0x10 + 0b11 + 1e-3f + .5f + 017;"),
    Construct("i = i; ; {} s += 'a' + '\\n' + sizeof(int);"),
    Construct("s += f@(s, i);", "__device__ float f@(float x, int n) { return n > 2 ? x : x * 2.0f; }"),
    Construct("f@(s);", "__device__ __forceinline__ void f@(float &x, float y = 2.0f) { x += y; }"),
    Construct("s = f@(s); i = f@(i);", "template <typename T> __device__ T f@(T x) { return x + x; }"),
    Construct("s = f@<float, 3>(s);", "template <typename T, int K> __device__ T f@(T x) { for (int q = 0; q < K; ++q) x *= 2; return x; }"),
    Construct("s = n@::f(s) + n@::inner::g(s);", "namespace n@ { __device__ float f(float x) { return x * 3.0f; } namespace inner { __device__ float g(float x) { return f(x) + 1.0f; } } }"),
    Construct("P@ p@; p@.x = s; p@.y = 1.0f; s = p@.x + p@.y;", "struct P@ { float x; float y; };"),
    Construct("P@ p@ = {s, 2.0f}; s = p@.y;", "typedef struct { float x, y; } P@;"),
    Construct("s += P@::K;", "struct P@ { static constexpr int K = 4; float x; };"),
    Construct("V@<float, 2> v@; v@.x[0] = s; v@.x[1] = 1.0f; s = v@.x[0] * v@.x[1];", "template <typename T, int K> struct V@ { T x[K]; };"),
    Construct("E@ e@ = E@::B; if (e@ == E@::B) s += 1.0f;", "enum class E@ { A, B };"),
    Construct("s += b[i + A@];", "enum { Z@, A@ = 5 };"),
    Construct("s *= K@; s += b[K@ + i];", "constexpr int K@ = 2 * 3;"),
    Construct("s *= c@[i % 4];", "__constant__ float c@[4];"),
    Construct("g@ = s; s += t@[1];", "__device__ float g@; __device__ float t@[8];"),
    Construct("ADD@(s, b[i]); s = SQUARE@(s + 1.0f);", "#define ADD@(x, y) do { (x) += (y); } while (0)\n#define SQUARE@(x) ((x) * (x))\n"),
    Construct("s += b[AT@(i, 2)];", "#ifdef NOPE@\n#define AT@(r, c) 0\n#else\n#define AT@(r, c) ((r) * N + (c))\n#endif\n"),
    Construct("s = f@(s);", 'extern "C" { __device__ float f@(float x) { return x - 1.0f; } }'),
    Construct("half h@ = __float2half(s); h@ = h@ * h@; s = __half2float(h@);"),
    Construct("s = (float)((double)s * 2.0);"),
    Construct("if (i > 3) goto end@; s *= 2.0f; end@: s += 1.0f;"),
    Construct("for (int q@ = 0; q@ < 4; q@++) { if (b[q@] > s) goto out@; s += b[q@]; } out@: s += 1.0f;"),
)  # fmt: skip

# Each is answered by a diagnostic: a warning where the kernel is analysed all the same.
REFUSED = (
    Construct("s += nobody_knows@(s);"),
    Construct("s += undeclared@;"),
    Construct("Unknown@ u@; s += 1.0f;"),
    Construct("s += f@(i);", "__device__ float f@(int n) { return n ? f@(n - 1) : 0.0f; }"),
    Construct("s += ;"),
    Construct("if (i > 3 { s += 1.0f; }"),
    Construct("again@: s += 1.0f; if (i > 3) goto again@;"),
    Construct("try { s += 1.0f; } catch (...) { }"),
    Construct("s = throwing@(s);", "__device__ float throwing@(float x) { throw x; }"),
)  # fmt: skip
