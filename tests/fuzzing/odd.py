"""Odd pieces of CUDA C++ that mutations insert: legal, half-legal and nonsense."""

from __future__ import annotations

STATEMENTS = (
    ";", "{}", "{;;}", "if (1) ; else ;", "for (;;) ;", "for (;;) break;", "while (0) ;",
    "while (true) { }", "do ; while (0);", "do { continue; } while (i < 3);", "break;", "continue;",
    "return;", "return 1;", "goto end;", "end: ;", "again: if (i++ < 3) goto again;",
    "switch (i) { }", "switch (i) { case 0: default: ; }", "switch (i) case 1: s = 2;",
    "switch (i) { case 1 ... 4: break; }", "default: ;", "case 3: ;",
    "for (int q = 0; q < 10; q += 0) s += q;", "for (int q = 10; q > 0; q -= -1) s += q;",
    "for (int q = 0; q != 7; q += 2) s += q;", "for (int q = 0; q < 1 << 30; q++) s += a[q];",
    "for (int q = 1; q < N; q *= 1) s += q;", "for (int q = N; q; q >>= 0) s += q;",
    "for (int q = 0, r = N; q < r; ++q, --r) s += a[q];", "for (unsigned q = N; q >= 0; --q) s += q;",
    "for (float q = 0; q < 1; q += 0.1f) s += q;", "for (auto q : a) s += q;",
    "for (int *q = p; q != p + N; ++q) s += *q;", "while (N--) s += a[N];", "while (i = i / 2) s += 1;",
    "int x, y = x, *z = &y, w[3] = {1, 2}, v[] = {};", "int x[0];", "int x[-1];", "int x[N];",
    "int x[1 << 30];", "float x[][3] = {{1}, {2, 3}};", "auto x = [&] { return 1; };",
    "auto [x, y] = p;", "auto f = [=](auto q) mutable -> float { return q; }; s += f(1);",
    "struct { int x; } q; q.x = 1;", "struct Local { int x : 3; Local *next; }; Local l;",
    "union { float f; int i; } u; u.f = s; i = u.i;", "enum { A1, B1 = A1 + 2 }; i = B1;",
    "typedef float T1; T1 t1 = 0;", "using T2 = double; T2 t2{};", "static int calls = 0; calls++;",
    "static_assert(sizeof(int) == 4, \"x\");", "constexpr int C1 = 1 / 0;", "const int &r = i;",
    "asm volatile(\"mov.u32 %0, %%laneid;\" : \"=r\"(i) :: \"memory\");", "asm(\"\");",
    "asm(\"fma.rn.f32 %0, %1, %2, %3;\" : \"=f\"(s) : \"f\"(s), \"f\"(s), \"f\"(s));",
    "__syncthreads();", "__syncthreads(1, 2);", "__shared__ float sh[N][N];", "extern __shared__ char raw[];",
    "__shared__ int *sp; sp = new int[4]; delete[] sp;", "if (i) __syncthreads(); else return;",
    "printf(\"%d\\n\", i);", "assert(i < N && \"msg\");", "atomicAdd(a, 1);", "atomicCAS(&i, 0, 1);",
    "atomicAdd();", "k<<<1, 32>>>(a);", "k<<<i, i, i, i, i>>>();", "k<<<>>>();", "throw 1;",
    "try { i = 1; } catch (...) { }", "i = i++ + ++i;", "i /= 0;", "i %= 0;", "i <<= 40;", "i >>= -1;",
    "s = s ? : s;", "s = (i, s);", "(void)0;", "i, s;", "*a++ = *b++;", "a[b[a[b[0]]]] = 1;", "0[a] = 1;",
    "a[-1] = a[1LL << 40];", "*&*&i = 1;", "&i;", "**p;", "a->x = 1;", "(*a).x = 1;", "a[i].x.y.z = 1;",
    "float4 v4 = make_float4(1, 2); v4.q = 1;", "((float4 *)a)[i] = ((float4 *)b)[i];",
    "reinterpret_cast<float4 *>(a)[i] = {1, 2, 3, 4};", "half2 h2 = __float2half2_rn(s); h2 = h2 * h2;",
    "if (int t = i; t > 2) s += t;", "if constexpr (sizeof(float) > 2) s += 1; else undefined_name();",
    "[[maybe_unused]] int m1; [[likely]] if (i) s = 1;", "_Pragma(\"unroll\") for (int q = 0; q < 3; ++q) s += q;",
    "#pragma unroll\n", "#pragma unroll N\n", "#pragma unroll 1 2 3\n", "#pragma omp parallel for\n",
    "cg::thread_block tb = cg::this_thread_block(); tb.sync();", "using namespace std;", "namespace n1 = std;",
    "wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa; wmma::load_matrix_sync(fa, h, 16);",
    "__builtin_assume(i > 0);", "__trap();", "co_await s;", "delete this;", "sizeof(i);", "sizeof i;", "alignof(float4);",
    "decltype(i) d1 = i;", "typeof(i) d2;", "typedef int (*fn_t)(int); fn_t fn = 0; fn(1);", "void (*fp)() = nullptr; fp();",
    "int (&ra)[3] = *(int (*)[3])a;", "long long ll = 1LL << 63; ll = -ll;", "unsigned u1 = -1; while (u1 < 5) ++u1;",
    "bool b1 = !i; b1 = ~b1; b1 += 2;", "char c1 = '\\777'; c1 = 'ab'; c1 = u8'x';", "s = .5f + 5.f + 1e+3F + 0x1p-3;",
    "i = 0b101 + 0777 + 0xFFu + 1'000'000 + 99999999999999999999999;", "i = 08;", "s = 1e99999f;", "i = 1u2l;",
)  # fmt: skip

EXPRESSIONS = (
    "0", "1", "-1", "N", "i", "s", "1 / 0", "i / 0", "i % 0", "i / N", "i % N", "(i)", "((i))", "-(-i)", "!!i", "~i",
    "i << 33", "1 << N", "i >> N", "N << 1 << 1", "i ? i : N", "i < N", "i == N || i", "i && N", "i & (N - 1)", "i | 7", "i ^ N",
    "sizeof(float)", "sizeof(a)", "(char)i", "(unsigned char)300", "(float)i", "(int)s", "(float4 *)a", "(void *)0", "nullptr", "NULL",
    "min(i, N)", "max(i, N, 3)", "min()", "abs(i)", "std::max<int>(i, 3)", "sqrtf(s)", "powf(s, 2)", "fmaf(s, s, s)", "__ldg(&a[i])",
    "__ldg(a + i)", "threadIdx.x", "threadIdx.w", "threadIdx", "blockDim.x * blockIdx.x", "gridDim.z", "warpSize", "clock64()",
    "__shfl_down_sync(~0, s, 1)", "__ballot_sync(0xffffffff, i)", "__popc(i)", "a[i]", "a[i * i]", "a[i * N * N + i]", "a[i / 3 % 5]",
    "*a", "&a[i]", "a + i", "a - b", "i++", "--i", "i = 3", "i += i", "(i = 1, i)", "[](int q) { return q; }(i)", "T(0)", "T{}", "T()",
    "float(i)", "int{3}", "float4{1, 2, 3, 4}.x", "make_float2(1, 2).y", "(float2){1, 2}.x", "\"text\"", "'c'", "L\"x\"", "R\"(x)\"",
    "this", "new float[3]", "f<i < 3>(2)", "f<(i > 3)>(2)", "f<>(i)", "a<b>c", "a<b>>c", "a < b > (c)", "S<int>::value", "::i", "std::nope(i)",
    "static_cast<float>(i)", "const_cast<float *>(a)", "dynamic_cast<int>(i)", "reinterpret_cast<int &>(s)", "0x7fffffff + 1", "2147483648",
    "18446744073709551616", "1e39f", "-0.0", "true", "'\\0'", "__LINE__", "__FILE__", "__func__", "__CUDA_ARCH__", "INFINITY", "NAN",
    "(N + 255) / 256", "N / N", "N - N", "N * 0", "i * i * i * i", "i - threadIdx.x", "(long long)i * N", "(size_t)-1", "-1u", "~0ull",
    "__float2half(s)", "__hadd(h[0], h[1])", "tex2D<float>(t, s, s)", "curand_uniform(&state)", "unknown_function(i, s)", "...", "()", "{}",
)  # fmt: skip

ITEMS = (
    "template <typename T> struct S { T x; static const int value = 3; __device__ T get() const { return x; } };",
    "template <typename... Ts> __device__ void pack(Ts... ts) { (void)sizeof...(ts); }", "template <> struct S<int> { };",
    "template <int N> __device__ int fact() { return N * fact<N - 1>(); } template <> __device__ int fact<0>() { return 1; }",
    "template <int N> struct Deep { enum { v = Deep<N + 1>::v }; };", "template <typename T, typename U = T, int K = sizeof(T)> using A1 = T;",
    "__device__ int rec(int n) { return n ? rec(n - 1) : 0; }", "__device__ void g1(); __device__ void g1() { g1(); }", "namespace { int hidden; }",
    "namespace a::b { __device__ int f() { return 1; } }", "inline namespace v1 { }", "extern \"C\" { __global__ void c1() { } }", "extern \"C\" int x1;",
    "__constant__ float table[] = {1, 2, 3};", "__device__ float dv = 1.0f;", "texture<float, 2> tex;", "struct P { float x, y; __device__ P operator+(P o) { return {x + o.x, y + o.y}; } };",
    "class C { public: __device__ C(int q) : q(q) { } ~C() { } private: int q; };", "struct D : P { virtual int f() = 0; };", "struct Self { Self *s; Self t; };",
    "union U1 { int i; float f; };", "enum E1 { e1 = 1, e2 = e1 << 40 };", "enum class E2 : unsigned char { a, b };", "typedef struct X1 { struct X1 *n; } X1;",
    "typedef float F; typedef F F; typedef F *F1, F2[3];", "using namespace nope;", "#define M1(x) M1(x) x", "#define M2 M3\n#define M3 M2\nint m = M2;",
    "#define CAT(a, b) a ## b\nint CAT(x, 1)(2);", "#define STR(x) #x\nconst char *s1 = STR(a \"b\" '\\n');", "#define VA(...) f(__VA_ARGS__)\nint va = VA();",
    "#define if while", "#define __global__", "#define float double", "#define int", "#define BEGIN {\n#define END }", "#undef N", "#if 0\n", "#if 1\n", "#else\n", "#endif\n", "#elif 1\n",
    "#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__ >= 700\n#endif\n#endif", "#if defined(X) && X > 3 || !defined Y\n#endif", "#if 1 / 0\n#endif", "#if (1 << 70)\n#endif", "#if\n#endif",
    "#include \"k.cu\"", "#include <cuda_runtime.h>", "#include", "#include \"", "#include MACRO", "#error stop", "#warning hm", "#line 7 \"other.cu\"", "#line 0", "#pragma once", "#pragma unroll 4", "#", "##", "#nonsense 1",
    "__global__ void k() { }", "__global__ void k(int a, int a) { }", "__global__ void () { }", "__global__ void k(", "__global__ k() { }", "__global__ int kk() { return 1; }", "template <class T> __global__ void kt(T *p) { *p = T(); }",
    "template __global__ void kt<float>(float *);", "template <typename T> __global__ void kt<T *>(T **p);", "__global__ __launch_bounds__(256, 2) void lb(float *a) { a[threadIdx.x] = 1; }", "__global__ __launch_bounds__() void lb2(float *a) { }",
    "__global__ static inline void si(float *__restrict__ const a, const volatile int *const *q, ...) { }", "static __device__ __forceinline__ __host__ void hd() { }", "void host() { k<<<dim3(1, 2, 3), 256>>>(0, 0); }", "void host2() { k<<<x, y>>>(z); }",
    "int main() { int N = 1024; float *d; cudaMalloc(&d, N * 4); for (;;) k<<<N / 256, 256>>>(d, N); }", "int main(", "int main() { auto f = [] { k<<<1, 1>>>(); }; f(); }", "void h3() { int b[] = {1}; k<<<b[0], b[1]>>>(b); }",
    "template <int B> void lt(float *x, int n) { k<<<(n + B - 1) / B, B>>>(x, n); } template void lt<128>(float *, int);", "auto global = 3;", "constexpr int CE = CE + 1;", "const int c0 = c1; const int c1 = c0;", "int arr[CE2] = {};", "};", "{", "}", ")", "(", ";;;",
    "operator int();", "friend class Q;", "public:", "concept X = true;", "requires true", "static_assert(0);", "asm(\"x\");", "alignas(16) struct Al { float f[4]; };", "__align__(8) int al;", "__attribute__((packed)) int pk;", "extern int (*fptr)(int, float (*)[3]);",
)  # fmt: skip

NUMBERS = (
    "0", "1", "-1", "2", "3", "7", "31", "32", "33", "255", "1000", "1024", "1025", "65536", "1000000", "2147483647", "2147483648", "4294967295", "4294967296",
    "9223372036854775807", "18446744073709551616", "1e400", "1e-400", "0.0", "0x10", "0xffffffff", "0b11", "010", "09", "1u", "1ull", "1.5f", "1.", ".5", "1'000", "5000", "100000000000000000000000000000",
)  # fmt: skip

OPERATORS = (
    "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=",
    "++", "--", "!", "~", "?", ":", ",", ".", "->", "::", "<<<", ">>>", ";", "#", "##", "\\", "@", "`", "$", "->*", ".*", "<=>", "...",
)  # fmt: skip

TYPES = (
    "int", "unsigned", "float", "double", "half", "__half2", "float4", "float2", "int2", "uchar4", "char", "short", "long long", "size_t", "bool", "void", "auto", "T", "const int", "float *", "int &", "dim3", "uint64_t", "int8_t",
    "unsigned char", "long double", "signed", "volatile int", "__nv_bfloat16", "cudaTextureObject_t", "Undefined", "std::complex<float>", "S<float>", "struct P", "decltype(i)", "typename T::type", "int[3]", "double3", "nope_t", "long", "static float", "constexpr int",
)  # fmt: skip

BLANKS = (" ", "\n", "\t", "\f", "\v", "\r\n", "\r", "\\\n", "\\\r\n", "\\ \n", "/* c */", "// c\n", "// c \\\n", "/*", "*/", "//", "\u00a0", "\ufeff", "\u2028", "\x00", "\x1a", "\x85", "é", "数", "\U0001f600", "??/", "<%", "%>", "%:")  # fmt: skip
