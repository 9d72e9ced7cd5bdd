"""Nesting of everything that can be nested, and what calls itself without an end."""

from __future__ import annotations

from collections.abc import Callable

from limits.case import Case, Files, kernel


def _nested(before: str, after: str, inner: str = "s += a[i];") -> Callable[[int], Files]:
    def make(depth: int) -> Files:
        opened = "\n".join(before.replace("@", str(n)) for n in range(depth))
        return kernel(f"{opened}\n{inner}\n{after * depth}")

    return make


def _expression(before: str, inner: str, after: str) -> Callable[[int], Files]:
    return lambda depth: kernel(f"    s += {before * depth}{inner}{after * depth};")


def _else_ifs(depth: int) -> Files:
    return kernel("    " + "\n    else ".join(f"if (n == {n}) s += a[{n}];" for n in range(depth)))


def _else_ifs_on_data(depth: int) -> Files:
    tests = (f"if (a[{n}] > 0.0f) s += a[i + {n}];" for n in range(depth))
    return kernel("    " + "\n    else ".join(tests))


def _returns_on_data(depth: int) -> Files:
    return kernel("\n".join(f"    if (a[{n}] > s) return;" for n in range(depth)))


def _terms(depth: int) -> Files:
    return kernel("    s = " + " + ".join(f"a[i + {n}]" for n in range(depth)) + ";")


def _namespaces(depth: int) -> Files:
    names = [f"n{n}" for n in range(depth)]
    before = " ".join(f"namespace {name} {{" for name in names)
    function = "__device__ float f(float x) { return x * 2.0f; }"
    return kernel(f"    s = {'::'.join(names)}::f(1.0f);", f"{before} {function} {'}' * depth}")


def _records(depth: int) -> Files:
    before = "".join(f"struct S{n} {{ " for n in range(depth)) + "float x;"
    after = "".join(f" }} m{n};" for n in reversed(range(1, depth))) + " };"
    path = ".".join(f"m{n}" for n in range(1, depth))
    return kernel(f"    S0 r;\n    r.{path}.x = 1.0f;\n    s = r.{path}.x;", before + after)


def _records_by_name(depth: int) -> Files:
    before = "struct S0 { float x; };\n"
    before += "\n".join(f"struct S{n} {{ S{n - 1} m; int n; }};" for n in range(1, depth))
    return kernel(
        f"    S{depth - 1} r;\n    r{'.m' * (depth - 1)}.x = 1.0f;\n    s = r{'.m' * (depth - 1)}.x;",
        before,
    )


def _typedefs(depth: int) -> Files:
    names = "\n".join(f"typedef T{n - 1} T{n};" for n in range(1, depth))
    return kernel(f"    T{depth - 1} t = 2.0f;\n    s = t;", f"typedef float T0;\n{names}")


def _macros(depth: int) -> Files:
    before = "#define M0 a[i]\n" + "\n".join(f"#define M{n} (M{n - 1})" for n in range(1, depth))
    return kernel(f"    s = M{depth - 1};", before)


def _macro_arguments(depth: int) -> Files:
    return kernel(f"    s = {'TWICE(' * depth}a[i]{')' * depth};", "#define TWICE(x) ((x) + 1.0f)")


def _doubling_macros(depth: int) -> Files:
    before = "#define M0 s += a[i];\n"
    before += "\n".join(f"#define M{n} M{n - 1} M{n - 1}" for n in range(1, depth))
    return kernel(f"    M{depth - 1}", before)


def _doubling_arguments(depth: int) -> Files:
    return kernel(f"    s = {'TWICE(' * depth}s{')' * depth};", "#define TWICE(x) ((x) + (x))")


def _includes(depth: int) -> Files:
    files = {f"h{n}.cuh": f'#include "h{n + 1}.cuh"\n' for n in range(depth)}
    files[f"h{depth}.cuh"] = "#define LAST 3\n"
    return {**kernel("    s = a[i + LAST];", '#include "h0.cuh"'), **files}


def _doubling_includes(depth: int) -> Files:
    files = {f"h{n}.cuh": f'#include "h{n + 1}.cuh"\n' * 2 for n in range(depth)}
    files[f"h{depth}.cuh"] = "extern int last;\n"
    return {**kernel("    s = a[i];", '#include "h0.cuh"'), **files}


def _conditionals(depth: int) -> Files:
    return kernel("#if 1\n" * depth + "    s = a[i];\n" + "#endif\n" * depth)


def _instances(depth: int) -> Files:
    before = (
        "template <int N> __device__ float f(float x) { return x + f<N - 1>(x); }\n"
        "template <> __device__ float f<0>(float x) { return x; }\n"
    )
    return kernel(f"    s = f<{depth}>(s);", before)


def _types(depth: int) -> Files:
    before = "template <typename T> struct Box { T x; };"
    return kernel(f"    {'Box<' * depth}float{'> ' * depth} b;\n    s = sizeof(b);", before)


def _calls(depth: int) -> Files:
    before = "__device__ float f0(float x) { return x * 2.0f; }\n"
    before += "\n".join(
        f"__device__ float f{n}(float x) {{ return f{n - 1}(x) + 1.0f; }}" for n in range(1, depth)
    )
    return kernel(f"    s = f{depth - 1}(s);", before)


def _doubling_calls(depth: int) -> Files:
    before = "__device__ float f0(float x) { return x * 2.0f; }\n"
    before += "\n".join(
        f"__device__ float f{n}(float x) {{ return f{n - 1}(x) + f{n - 1}(x + 1.0f); }}"
        for n in range(1, depth)
    )
    return kernel(f"    s = f{depth - 1}(s);", before)


def _endless_instances(size: int) -> Files:
    return kernel(
        "    s = f<0>(s);", "template <int N> __device__ float f(float x) { return f<N + 1>(x); }"
    )


def _endless_types(size: int) -> Files:
    before = "template <typename T> struct Box { Box<Box<T>> *next; T x; };"
    return kernel("    Box<float> b;\n    b.x = 1.0f;\n    s = b.x;", before)


def _endless_generic(size: int) -> Files:
    before = "template <typename T> __device__ float f(T *x) { return f(&x); }"
    return kernel("    s = f(a);", before)


def _endless_wrapping(size: int) -> Files:
    before = "template <typename T> struct W { T t; };\n"
    before += "template <typename T> __device__ float f(T t) { W<T> w; w.t = t; return f(w); }"
    return kernel("    s = f(a[0]);", before)


def _recursion(size: int) -> Files:
    return kernel(
        "    s = f(n);", "__device__ float f(int n) { return n ? f(n - 1) + 1.0f : 0.0f; }"
    )


def _mutual_recursion(size: int) -> Files:
    before = "__device__ float g(int n);\n__device__ float f(int n) { return g(n - 1); }\n"
    return kernel("    s = f(n);", before + "__device__ float g(int n) { return f(n - 1); }")


def _endless_macro(size: int) -> Files:
    before = "#define A(x) B(x) + A(x)\n#define B(x) A(x) + B(x)\n#define s s"
    return kernel("    int q = A(1);", before)


def _endless_include(size: int) -> Files:
    return kernel("    s = a[i];", '#include "k.cu"')


# Loops that are each tried in another way: by their counter, one iteration after the other, by data.
_LOOPS = (
    "for (int q@ = 0; q@ < 100; q@++) for (int r@ = q@; r@ < 100; r@ += 3) {",
    "for (int q@ = 8; q@; q@ >>= 1) {",
    "for (int q@ = 0; q@ < n; ++q@) {",
    "while (a[@] > s) {",
    "for (int q@ = i; q@ < n; q@ += blockDim.x * gridDim.x) {",
)


def _mixed_loops(size: int) -> Files:
    heads = [_LOOPS[n % len(_LOOPS)].replace("@", str(n)) for n in range(size)]
    return kernel("\n".join(heads) + " s += 1.0f; " + "}" * size)


CASES = (
    Case("nested for", 200, 3, _nested("for (int q@ = 0; q@ < 2; ++q@) {", "}"), large=("K302",)),
    Case(
        "nested for, symbolic",
        200,
        3,
        _nested("for (int q@ = 0; q@ < n; ++q@) {", "}"),
        large=("K302",),
    ),
    Case(
        "nested for, triangular",
        200,
        3,
        _nested("int r@ = 0; for (int q@ = 0; q@ < i; ++q@) {", "}"),
        large=("K302",),
    ),
    Case("nested while", 200, 3, _nested("while (a[@] > 0) {", "}"), large=("K302",)),
    Case("nested do", 200, 3, _nested("do {", "} while (s < 3.0f);"), large=("K302",)),
    Case("mixed loops", 14, 3, _mixed_loops),
    Case("nested if", 200, 5, _nested("if (i > @) {", "}")),
    Case("nested if on data", 200, 5, _nested("if (a[@] > 0.0f) {", "}")),
    Case("nested if else", 200, 5, _nested("if (n > @) {", "} else { s += 1.0f; }")),
    Case("nested switch", 200, 5, _nested("switch (n) { case @:", "break; }")),
    Case("nested blocks", 200, 5, _nested("{", "}")),
    Case("nested lambdas", 200, 3, _nested("auto f@ = [&]() {", "};", "s += 1.0f;"), kernels=None),
    Case("else if", 200, 5, _else_ifs),
    Case("else if on data", 200, 5, _else_ifs_on_data),
    Case("returns on data", 200, 5, _returns_on_data),
    Case("parentheses", 200, 20, _expression("(", "s", ")")),
    Case("subscripts", 200, 5, _expression("a[(int)", "a[i]", "]")),
    Case("ternaries", 200, 5, _expression("i > n ? s : ", "s", "")),
    Case("ternaries inside", 200, 5, _expression("(i > n ? ", "s", " : 1.0f)")),
    Case("minus signs", 200, 20, _expression("- ", "s", "")),
    Case("casts", 200, 20, _expression("(float)(int)", "s", "")),
    Case("C++ casts", 200, 20, _expression("static_cast<float>(", "s", ")")),
    Case("calls in calls", 200, 20, _expression("sqrtf(", "s", ")")),
    Case("min in min", 200, 5, _expression("a[min(i, (int)", "n", ")]")),
    Case("5,000 terms", 5000, 50, _terms),
    Case("namespaces", 200, 20, _namespaces),
    Case("records", 200, 5, _records, kernels=None),
    Case("records by name", 200, 20, _records_by_name),
    Case("typedefs", 200, 20, _typedefs),
    Case("macros", 200, 20, _macros),
    Case("macro arguments", 200, 20, _macro_arguments),
    Case("doubling macros", 200, 5, _doubling_macros, large=("K110",)),
    Case("doubling macro arguments", 200, 5, _doubling_arguments, large=("K110",)),
    Case("includes", 190, 20, _includes),
    Case("doubling includes", 199, 5, _doubling_includes, large=("K110",)),
    Case("#if", 200, 20, _conditionals),
    Case("template instances", 200, 20, _instances),
    Case("template types", 200, 5, _types),
    Case("calls", 200, 20, _calls),
    Case("doubling calls", 200, 5, _doubling_calls, large=("K302",)),
    Case("endless instances", 0, 0, _endless_instances, kernels=0, codes=("K302",)),
    Case("endless types", 0, 0, _endless_types, kernels=None),
    Case("endless generic calls", 0, 0, _endless_generic, kernels=0, codes=("K302",)),
    Case("endless wrapping", 0, 0, _endless_wrapping, kernels=0, codes=("K302",)),
    Case("recursion", 0, 0, _recursion, kernels=0, codes=("K205",)),
    Case("mutual recursion", 0, 0, _mutual_recursion, kernels=0, codes=("K205",)),
    Case("macros that name each other", 0, 0, _endless_macro, kernels=None),
    Case("a file that includes itself", 0, 0, _endless_include, kernels=None, codes=("K110",)),
)
