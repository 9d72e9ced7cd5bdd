"""CUDA's words become attributes; C++'s that mean nothing to a cost are dropped."""

from __future__ import annotations

import pytest
from simplifying import names, output, statement

FUNCTIONS = {
    "kernel": ("__global__ void k(int n) {}", "[[cuda::global]] void k(int n) {}"),
    "static kernel": ("static __global__ void k() {}", "[[cuda::global]] void k() {}"),
    "type first": ("void __global__ k(int n) {}", "[[cuda::global]] void k(int n) {}"),
    "linkage": ('extern "C" __global__ void k() {}', "[[cuda::global]] void k() {}"),
    "linkage block": ('extern "C" {\n__global__ void k() {}\n}', "[[cuda::global]] void k() {}"),
    "bounds in front": (
        "__global__ __launch_bounds__(256) void k() {}",
        "[[cuda::global]] [[cuda::launch_bounds(256)]] void k() {}",
    ),
    "bounds behind": (
        "static __global__ void __launch_bounds__(256, 2) k() {}",
        "[[cuda::global]] [[cuda::launch_bounds(256, 2)]] void k() {}",
    ),
    "on several lines": (
        "__global__\nvoid\n__launch_bounds__(64)\nk(int n)\n{\n}",
        "[[cuda::global]] [[cuda::launch_bounds(64)]] void\nk(int n)\n{\n}",
    ),
    "attributes": (
        "[[nodiscard]] __attribute__((used)) __global__ void k() noexcept {}",
        "[[cuda::global]] void k() {}",
    ),
    "restrict": (
        "__global__ void k(float *__restrict__ x, const int *__restrict y) {}",
        "[[cuda::global]] void k(float *restrict x, const int *restrict y) {}",
    ),
    "unknown macro": (
        "EXPORT_API __global__ void k(int n) {}",
        "[[cuda::global]] void k(int n) {}",
    ),
    "unknown macro between": (
        "__global__ KERNEL_ATTRIBUTE void k(int n) {}",
        "[[cuda::global]] void k(int n) {}",
    ),
    "default argument": (
        "__global__ void k(int n = 4, float a = 1.0f) {}",
        "[[cuda::global]] void k(int n, float a) {}",
    ),
    "unnamed": (
        "__global__ void k(float, int n, const float *, float *const, int & = 0, void (*)(int)) {}",
        "[[cuda::global]] void k(float unnamed__1, int n, const float *unnamed__3,"
        " float *const unnamed__4, [[cuda::reference]] int unnamed__5, void (*unnamed__6)(int)) {}",
    ),
    "unnamed arrays and defaults": (
        "__global__ void k(float[4], int (&)[2], const unsigned long, unsigned int = 3) {}",
        "[[cuda::global]] void k(float unnamed__1[4], [[cuda::reference]] int (unnamed__2)[2],"
        " const unsigned long unnamed__3, unsigned int unnamed__4) {}",
    ),
    "no parameters": ("__global__ void k(void) {}", "[[cuda::global]] void k(void) {}"),
    "comment": (
        "__global__ void k(/* many */ int n) {}  // done",
        "[[cuda::global]] void k(           int n) {}",
    ),
}


@pytest.mark.parametrize(("source", "expected"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions(source: str, expected: str) -> None:
    assert output(source) == expected


VARIABLES = {
    "shared": ("__shared__ float s[16];", "[[cuda::shared]] float s[16];"),
    "static shared": ("static __shared__ float s[16];", "[[cuda::shared]] float s[16];"),
    "volatile shared": (
        "volatile __shared__ float s[4][5];",
        "[[cuda::shared]] volatile float s[4][5];",
    ),
    "dynamic": (
        "extern __shared__ __align__(16) unsigned char s[];",
        "[[cuda::shared]] extern unsigned char s[];",
    ),
    "register": ("register int i = 0;", "int i = 0;"),
    "constexpr": ("static constexpr int m = 3;", "constexpr int m = 3;"),
    "volatile": ("volatile float v = x[0];", "volatile float v = x[0];"),
    "unused": ("[[maybe_unused]] int v = 1;", "int v = 1;"),
}


@pytest.mark.parametrize(("source", "expected"), VARIABLES.values(), ids=VARIABLES)
def test_variables(source: str, expected: str) -> None:
    assert statement(source) == expected


GLOBALS = {
    "constant": ("__constant__ float g[16];", "[[cuda::constant]] float g[16];"),
    "device": ("static __device__ float g[16];", "[[cuda::device]] float g[16];"),
    "both": ("__device__ __constant__ const float g = 1;", "[[cuda::constant]] const float g = 1;"),
    "const": ("static const int g = 4;", "const int g = 4;"),
    "constexpr": ("inline constexpr int g = 4;", "constexpr int g = 4;"),
    "several": ("const int f = 1, g = 2;", "const int g = 2;"),
    "in a namespace": ("namespace a { namespace b { const int g = 2; } }", "const int g = 2;"),
}


@pytest.mark.parametrize(("source", "expected"), GLOBALS.values(), ids=GLOBALS)
def test_globals(source: str, expected: str) -> None:
    kernel = "__global__ void k(float *x) { x[0] = g; }"
    assert output(f"{source}\n{kernel}").splitlines()[0] == expected


def test_what_no_kernel_needs_is_left_out() -> None:
    source = (
        "struct Host { std::vector<int> v; };\n__device__ float f(float a) { return a; }\n"
        "const int unused = 3;\n__global__ void k(float *x);\n__global__ void k(float *x) {}\n"
        "int main() { std::cout << 1 << std::endl; return 0; }\n"
    )
    assert names(source) == ["k"]


PRAGMAS = {
    "plain": ("#pragma unroll\n    for (;;) ;", "    [[cuda::unroll]]\n    for (;;) ;"),
    "number": ("    #pragma unroll 4\n    for (;;) ;", "    [[cuda::unroll(4)]]\n    for (;;) ;"),
    "parentheses": ("#pragma unroll (2 * 4)\nwhile (n) ;", "[[cuda::unroll(2 * 4)]]\nwhile (n) ;"),
    "operator": ('_Pragma("unroll 2") for (;;) ;', "[[cuda::unroll(2)]] for (;;) ;"),
    "in a branch": (
        "if (n)\n#pragma unroll 2\n    do { } while (n);",
        "if (n)\n    [[cuda::unroll(2)]]\n    do { } while (n);",
    ),
    "other": ("#pragma nounroll\nfor (;;) ;", "\nfor (;;) ;"),
}


@pytest.mark.parametrize(("source", "expected"), PRAGMAS.values(), ids=PRAGMAS)
def test_pragmas(source: str, expected: str) -> None:
    assert statement(source) == expected


HEAD = "template <typename T> "
STANDARD = {
    "behind a template's head": "[[nodiscard]] __device__ T f(T v) { return v; }",
    "behind the qualifier": "__device__ [[nodiscard]] T f(T v) { return v; }",
    "with a text": '[[deprecated("a[1]")]] __device__ T f(T v) { return v; }',
    "of a namespace": "[[gnu::const, nodiscard]] __device__ T f(T v) { return v; }",
}


@pytest.mark.parametrize("source", STANDARD.values(), ids=STANDARD)
def test_standard_attributes(source: str) -> None:
    text = HEAD + source + "\n__global__ void k(float *x) { x[0] = f(x[0]); }"
    assert "float f__float(float v) { return v; }" in output(text)
