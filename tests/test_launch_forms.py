"""Launches in every form that host code writes them: grid and block, derived by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.report.model import FileReport, LaunchOrigin

K = """__global__ void k(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
"""
T = """template <typename T, int B> __global__ void k(T *x, int n) {
  int i = blockIdx.x * B + threadIdx.x;
  if (i < n) x[i] *= T(2);
}
"""
COVER_64, COVER_128 = "floor((n + 63)/64)", "floor((n + 127)/128)"
IS_64 = [(COVER_64, "64")]


def main(body: str, before: str = "", kernel: str = K) -> str:
    head = "int main(int argc, char **argv) { float *x; int n = atoi(argv[1]); "
    return f"{kernel}{before}\n{head}{body} }}\n"


def method(members: str, body: str) -> str:
    return f"{K}struct S {{ {members} void run(float *x, int n) {{ {body} }} }};\n"


# Ways to say where the kernel, the sizes and the arguments are.
CALLS = {
    "runtime call": main(
        "void *args[] = {&x, &n}; cudaLaunchKernel((void *)k, dim3((n + 63) / 64), 64, args, 0, 0);"
    ),
    "arguments one by one": main(
        "dim3 g((n + 63) / 64), b(64); void *a[2]; a[0] = &x; a[1] = (void *)&n; "
        "CHECK(cudaLaunchKernel(reinterpret_cast<const void *>(&k), g, b, &a[0], 0, s));"
    ),
    "cooperative": main(
        "void *args[] = {&x, &n}; cudaLaunchCooperativeKernel((void *)k, (n + 63) / 64, 64, args);"
    ),
    "configuration": main(
        "cudaLaunchConfig_t c = {0}; c.gridDim = dim3((n + 63) / 64, 1, 1); c.blockDim = 64; "
        "c.stream = s; cudaLaunchKernelEx(&c, k, x, n);"
    ),
    "configuration by axes": main(
        "cudaLaunchConfig_t c = {}; c.gridDim.x = (n + 63) / 64; c.blockDim.x = 64; "
        "void *args[] = {&x, &n}; cudaLaunchKernelExC(&c, (void *)k, args);"
    ),
    "configuration in braces": main(
        "cudaLaunchConfig_t c{dim3((n + 63) / 64), dim3(64), 0, s}; cudaLaunchKernelEx(&c, k, x, n);"
    ),
    "configuration by names": main(
        "cudaLaunchConfig_t c = {.gridDim = (n + 63) / 64, .blockDim = 64}; "
        "cudaLaunchKernelEx(&c, k, x, n);"
    ),
    "hip": main("hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3((n + 63) / 64), 64, 0, 0, x, n);"),
    "macro": main(
        "LAUNCH(k, n, x, n);",
        "#define LAUNCH(f, n, ...) f<<<((n) + 63) / 64, 64>>>(__VA_ARGS__)",
    ),
    "pointer": main("auto p = &k; p<<<(n + 63) / 64, 64>>>(x, n);"),
    "wrapper": main(
        "launch(k, n, x, n);",
        "template <typename F, typename... A> void launch(F &&f, int m, A &&...args)"
        " { f<<<(m + 63) / 64, 64>>>(std::forward<A>(args)...); }",
    ),
    "wrapper of a wrapper": main(
        "outer(k, x, n);",
        "void inner(void (*f)(float *, int), float *p, int m, int b) "
        "{ f<<<(m + b - 1) / b, b>>>(p, m); }\n"
        "void outer(void (*f)(float *, int), float *p, int m) { inner(f, p, m, 64); }",
    ),
    "template argument": main(
        "run<k>(x, n);",
        "template <auto F> void run(float *x, int m) { F<<<(m + 63) / 64, 64>>>(x, m); }",
    ),
    "lambda": main("auto go = [&](auto f, int t) { f<<<(n + t - 1) / t, t>>>(x, n); }; go(k, 64);"),
    "dim3 parameters": main(
        "run(x, n, dim3((n + 63) / 64), dim3(64));",
        "void run(float *x, int m, dim3 grid, dim3 block) { k<<<grid, block>>>(x, m); }",
    ),
    "dim3 variables": main(
        "dim3 b(64), g((n + 63) / b.x); run(x, n, g, b);",
        "void run(float *x, int m, const dim3 &grid, const dim3 &block) { k<<<grid, block>>>(x, m); }",
    ),
    "a size that is a number there": main(
        "run(x, n, 64);",
        "void run(float *x, int m, dim3 block) { k<<<(m + block.x - 1) / block.x, block>>>(x, m); }",
    ),
    "default argument": main(
        "run(x, n);", "void run(float *x, int m, int b = 64) { k<<<(m + b - 1) / b, b>>>(x, m); }"
    ),
    "default of a declaration": main(
        "run(x, n); } void run(float *x, int m, int b) { k<<<(m + b - 1) / b, b>>>(x, m);",
        "void run(float *x, int m, int b = 64);",
    ),
    "equal names": main(
        "int t = 32; run(x, t * 2, n);",
        "void run(float *x, int s, int m) { int t = s; k<<<(m + t - 1) / t, t>>>(x, m); }",
    ),
    "method": main(
        "S s; s.run(x, n, 64);",
        "struct S { void run(float *x, int m, int b) { k<<<(m + b - 1) / b, b>>>(x, m); } };",
    ),
    "static constant": method("static constexpr int B = 64;", "k<<<(n + B - 1) / B, B>>>(x, n);"),
    "constant member": method("const int B = 64;", "k<<<(n + B - 1) / B, B>>>(x, n);"),
    "enumerator": method("enum { A = 1, B = 64 };", "k<<<(n + B - 1) / B, B>>>(x, n);"),
    "method outside": K
    + "struct S { enum { B = 64 }; void run(float *x, int n); };\n"
    + "void S::run(float *x, int n) { k<<<(n + B - 1) / B, B>>>(x, n); }\n",
}

# Ways to compute ⌈n/64⌉.
CEILINGS = {
    "float": "int g = ceil(n / 64.0);",
    "float and cast": "int g = (int)std::ceil(n / 64.0f);",
    "casts": "int t = 64; int g = (int)ceilf((float)n / (float)t);",
    "static casts": "int t = 64; int g = std::ceil(static_cast<double>(n) / t);",
    "one point oh": "unsigned g = ceil(1.0 * n / 64);",
    "float variable": "double q = (double)n / 64; dim3 g((unsigned int)ceil(q), 1, 1);",
    "lambda": "auto up = [](int a, int b) { return (a + b - 1) / b; }; int g = up(n, 64);",
    "capturing lambda": "int t = 64; auto up = [&](int a) -> int { return (a + t - 1) / t; }; int g = up(n);",
    "if": "int g = n / 64; if (n % 64) g++;",
    "if in braces": "int g = n / 64; if (n % 64 != 0) { g += 1; }",
    "if too small": "int g = n / 64; if (g * 64 < n) g = g + 1;",
    "ternary": "int g = n / 64 + (n % 64 == 0 ? 0 : 1);",
    "two ternaries": "int g = (n % 64) ? n / 64 + 1 : n / 64;",
    "comparison": "int g = n / 64 + (n % 64 != 0);",
    "minus one": "int g = 1 + (n - 1) / 64;",
    "shift": "int g = (n + 63) >> 6;",
    "member": "dim3 g; g.x = (n + 63) / 64;",
}


def launches(tmp_path: Path, source: str) -> tuple[FileReport, list[tuple[str, str]]]:
    file = tmp_path / "k.cu"
    file.write_text(source)
    (report,) = analyze(str(file)).files
    found = [
        (_extents(kernel.launch.grid), _extents(kernel.launch.block))
        for kernel in report.kernels
        if kernel.launch.origin is LaunchOrigin.SOURCE
    ]
    return report, found


def _extents(extents: tuple[object, ...]) -> str:
    texts = [sympy_text(extent) for extent in extents]  # type: ignore[arg-type]
    while len(texts) > 1 and texts[-1] == "1":
        texts.pop()
    return ", ".join(texts)


@pytest.mark.parametrize("source", CALLS.values(), ids=CALLS)
def test_calls(tmp_path: Path, source: str) -> None:
    report, found = launches(tmp_path, source)
    assert found == IS_64
    assert report.diagnostics == ()


@pytest.mark.parametrize("body", CEILINGS.values(), ids=CEILINGS)
def test_ceilings(tmp_path: Path, body: str) -> None:
    report, found = launches(tmp_path, main(f"{body} k<<<g, 64>>>(x, n);"))
    assert found == IS_64
    assert report.diagnostics == ()


def test_a_quotient_of_a_negative_number_is_rounded_towards_zero(tmp_path: Path) -> None:
    """-n/64 is -(n/64) in C, rounded towards 0: 7 threads of work have one block, not two."""
    _, found = launches(tmp_path, main("k<<<-(-n / 64) + 1, 64>>>(x, n);"))
    assert found == [("floor(n/64) + 1", "64")]


@pytest.mark.parametrize("form", ["a % b == 0 ? a / b : a / b + 1", "(a + b - 1) / b"])
def test_ceilings_of_quotients(tmp_path: Path, form: str) -> None:
    """An argument that is a quotient is the parameter, in what is divided further too."""
    up = f"static int up(int a, int b) {{ return {form}; }}\n"
    body = "k<<<up(n / 4, 64), 64>>>(x, n / 4);"
    report, found = launches(tmp_path, up + main(body))
    assert found == IS_64
    assert report.diagnostics == ()


def test_integers_are_divided_before_they_are_rounded(tmp_path: Path) -> None:
    _, found = launches(tmp_path, main("int g = ceil(n / 64); k<<<g, 64>>>(x, n);"))
    assert found == [("floor(n/64)", "64")]
    _, found = launches(tmp_path, main("int g = floor(n / 64.0) + 1; k<<<g, 64>>>(x, n);"))
    assert found == [("floor(n/64) + 1", "64")]


def test_each_call_of_a_wrapper_is_a_launch(tmp_path: Path) -> None:
    run = "void run(float *x, int m, int b) {\n  k<<<(m + b - 1) / b, b>>>(x, m);\n}\n"
    source = main("\nrun(x, n, 64);\nrun(x, n, 128);\nrun(x, 2 * n, 64);\n", run)
    report, found = launches(tmp_path, source)
    assert found == [(COVER_64, "64"), (COVER_128, "128")]
    first, second = (kernel.launch for kernel in report.kernels)
    assert first.position is not None
    assert (first.position.line, first.position.column) == (6, 3)
    assert [call.line for call in first.calls] == [10]
    assert [call.line for call in second.calls] == [11]


def test_both_kernels_that_a_pointer_may_be(tmp_path: Path) -> None:
    body = "auto p = k<float, 64>; if (n > 9) p = k<float, 128>; p<<<(n + 63) / 64, 64>>>(x, n);"
    report, found = launches(tmp_path, main(body, kernel=T))
    assert [kernel.name for kernel in report.kernels] == ["k<float, 64>", "k<float, 128>"]
    assert found == IS_64 * 2


def test_instances_that_templates_of_the_host_choose(tmp_path: Path) -> None:
    run = (
        "template <typename T, int B> void run(T *x, int m) { k<T, B><<<(m + B - 1) / B, B>>>(x, m); }"
        "\ntemplate <int B> void all(float *x, int m) { run<float, B>(x, m); }"
    )
    report, found = launches(tmp_path, main("all<64>(x, n); all<128>(x, n);", run, T))
    assert [kernel.name for kernel in report.kernels] == ["k<float, 64>", "k<float, 128>"]
    assert found == [(COVER_64, "64"), (COVER_128, "128")]


def test_a_type_that_a_macro_chooses_is_assumed(tmp_path: Path) -> None:
    body = 'AT_DISPATCH_FLOATING_TYPES(t, "k", ([&] { k<scalar_t, 64><<<(n + 63) / 64, 64>>>(x, n); }));'
    report, found = launches(tmp_path, main(body, kernel=T))
    (kernel,) = report.kernels
    assert found == IS_64
    assert "T = float" in [assumption.message for assumption in kernel.assumptions]


def test_properties_of_the_device_are_parameters(tmp_path: Path) -> None:
    body = "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); k<<<p.multiProcessorCount * 4, 64>>>(x, n);"
    _, found = launches(tmp_path, main(body))
    assert found == [("4*p_multiProcessorCount", "64")]


def test_an_occupancy_query_gives_parameters(tmp_path: Path) -> None:
    body = (
        "int b, least; cudaOccupancyMaxPotentialBlockSize(&least, &b, k, 0, 0); "
        "k<<<n / b, b>>>(x, n);"
    )
    _, found = launches(tmp_path, main(body))
    assert found == [("floor(n/b)", "b")]


def test_a_dim3_that_nobody_gives(tmp_path: Path) -> None:
    source = K + "void run(float *x, int n, dim3 grid, dim3 block) { k<<<grid, block>>>(x, n); }\n"
    report, found = launches(tmp_path, source)
    assert found == [("grid_x", "block_x")]
    messages = [assumption.message for assumption in report.kernels[0].assumptions]
    assert "gridDim.y = 1, which the kernel does not use" in messages


def test_what_a_function_sets_by_reference_is_a_parameter(tmp_path: Path) -> None:
    own = "void sizes(int n, dim3 &g, int &b) { b = 64; g = dim3(n / b); }\n"
    body = "dim3 g(1); int b = 32; sizes(n, g, b); k<<<g, b>>>(x, n);"
    _, found = launches(tmp_path, main(body, own))
    assert found == [("g_x", "b")]
    _, found = launches(tmp_path, main("dim3 g; int b; unseen(n, g, b); k<<<g, b>>>(x, n);"))
    assert found == [("g_x", "b")]


CHANGED = {
    "reference": "int &r = b; r = 32;",
    "pointer": "int *p = &b; *p = 32;",
    "swap": "int c = 32; std::swap(b, c);",
    "lambda": "auto f = [&] { b = 32; }; f();",
    "block": "{ b = 32; }",
    "loop": "while (b < n) b *= 2;",
    "else": "if (n > 9) b = 32; else b = 128;",
}


@pytest.mark.parametrize("body", CHANGED.values(), ids=CHANGED)
def test_what_may_have_changed_is_a_parameter(tmp_path: Path, body: str) -> None:
    _, found = launches(tmp_path, main(f"int b = 64; {body} k<<<n / b, b>>>(x, n);"))
    assert found == [("floor(n/b)", "b")]


def test_a_power_of_what_is_not_known_is_a_parameter(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 3; i++) { int t = 32 << i; k<<<n / t, t>>>(x, n); }"
    _, found = launches(tmp_path, main(body))
    assert found == [("floor(n/(32*pow2_i))", "32*pow2_i")]


UNKNOWN = {
    "grid": ("k<<<blocks(n), 64>>>(x, n);", "the grid of the launch of 'k' cannot be computed"),
    "rounded": (
        "int g = ceil(sqrt((float)n)); k<<<g, 64>>>(x, n);",
        "the grid of the launch of 'k' cannot be computed",
    ),
}


@pytest.mark.parametrize(("body", "message"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_grid_that_is_not_known_is_assumed_for_the_block(
    tmp_path: Path, body: str, message: str
) -> None:
    report, found = launches(tmp_path, main(body))
    assert [(one.code.id, one.message) for one in report.diagnostics] == [("K401", message)]
    assert found == IS_64
    messages = [assumption.message for assumption in report.kernels[0].assumptions]
    assert "gridDim.x = ⌊(n + 63)/64⌋, which covers n" in messages


NOT_FOLLOWED = {
    "parameter": (
        "",
        "void run(void (*f)(float *, int), float *x) { f<<<1, 2>>>(x, 3); }",
        "which kernel the parameter 'f' of 'run' is depends on its caller",
    ),
    "member": (
        "",
        "struct L { void (*f_)(float *, int); void run(float *x) { f_<<<1, 2>>>(x, 3); } };",
        "which kernel the member 'f_' points to is not known",
    ),
    "pointer": ("f_t p = get(); p<<<1, 2>>>(x, n);", "", "which kernel 'get()' means is not known"),
    "table": ("table[2]<<<1, 2>>>(x, n);", "", "which kernel 'table[2]' means is not known"),
    "configuration": (
        "cudaLaunchConfig_t c; fill(&c); cudaLaunchKernelEx(&c, k, x, n);",
        "",
        "the configuration of this launch is not seen here",
    ),
    "graph": (
        "cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);",
        "",
        "a launch through a graph is not followed",
    ),
    "module": (
        'CUfunction f; cuModuleGetFunction(&f, m, "k"); cuLaunchKernel(f, 1, 1, 1, 2, 1, 1, 0, 0, a, 0);',
        "",
        "which kernel 'f' points to is not known",
    ),
}


@pytest.mark.parametrize(("body", "before", "message"), NOT_FOLLOWED.values(), ids=NOT_FOLLOWED)
def test_what_cannot_be_followed_is_said(
    tmp_path: Path, body: str, before: str, message: str
) -> None:
    report, found = launches(tmp_path, main(body, before))
    assert [(one.code.id, one.message) for one in report.diagnostics] == [("K401", message)]
    assert found == []
