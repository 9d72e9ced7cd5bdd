"""Much of the same: lines, kernels, statements, elements, cases."""

from __future__ import annotations

from limits.case import Case, Files, kernel

_SMALL_KERNEL = (
    "__global__ void k{n}(float *a)\n{{\n    a[blockIdx.x * 256 + threadIdx.x] *= {n}.0f;\n}}\n"
)


def _lines(count: int) -> Files:
    """A program as long as that: types, device functions, kernels and host code in turn."""
    parts = ["#include <cstdio>\n"]
    for n in range(count // 40):
        parts.append(
            f"// Part {n}\nstruct Part{n} {{\n    float x;\n    float y;\n    int count;\n}};\n"
            f"__device__ float weigh{n}(Part{n} p, float w)\n{{\n    if (p.count > 3)\n"
            "        return p.x * w;\n    float r = p.y;\n    for (int q = 0; q < 3; ++q)\n"
            "        r += w;\n    return r;\n}\n"
            f"void host{n}(const char *name, int argc)\n{{\n    std::vector<float> v(argc);\n"
            '    for (auto &x : v)\n        x = 1.0f;\n    printf("%s\\n", name);\n'
            f"    if (argc > {n})\n        host{max(0, n - 1)}(name, argc - 1);\n}}\n"
        )
        if n % 20 == 0:
            parts.append(
                f"__global__ void k{n}(Part{n} *p, float *a)\n{{\n"
                f"    a[threadIdx.x] = weigh{n}(p[threadIdx.x], 2.0f);\n}}\n"
            )
        else:
            parts.append("\n" * 7)
        parts.append("/* A longer comment,\n   of several\n   lines. */\n" + "\n" * 8)
    return {"k.cu": "".join(parts)}


def _kernels(count: int) -> Files:
    return {"k.cu": "".join(_SMALL_KERNEL.format(n=n) for n in range(count))}


def _launched_kernels(count: int) -> Files:
    launches = "".join(f"    k{n}<<<(n + 255) / 256, 256>>>(a);\n" for n in range(count))
    return {"k.cu": _kernels(count)["k.cu"] + f"void run(float *a, int n)\n{{\n{launches}}}\n"}


def _unrolled(count: int) -> Files:
    return kernel("\n".join(f"    s = s * a[i + {n}] + {n}.0f;" for n in range(count)))


def _unrolled_stores(count: int) -> Files:
    return kernel("\n".join(f"    a[i * {n + 1} + {n}] += s;" for n in range(count)))


def _unrolled_locals(count: int) -> Files:
    lines = "\n".join(f"    float v{n} = a[i + {n}];" for n in range(count))
    return kernel(lines + "\n" + "\n".join(f"    s += v{n};" for n in range(count)))


def _unrolled_branches(count: int) -> Files:
    return kernel("\n".join(f"    if (i > {n}) s += a[{n}];" for n in range(count)))


def _run_through(count: int) -> Files:
    return kernel(f"    for (int q = {count}; q > 1; q = q - q / 64 - 1)\n        s += a[q];")


def _table(count: int) -> Files:
    numbers = ", ".join(f"{n % 97}.5f" for n in range(count))
    before = f"__constant__ float table[{count}] = {{{numbers}}};"
    return kernel("    s = table[i];", before)


def _local_table(count: int) -> Files:
    numbers = ", ".join(f"{n % 97}" for n in range(count))
    return kernel(f"    const int table[] = {{{numbers}}};\n    s = table[i];")


def _host_table(count: int) -> Files:
    numbers = ",\n".join(f"{{{n}, {n % 7}.0f}}" for n in range(count))
    return kernel(
        "    s = 1.0f;", f"struct Row {{ int n; float x; }};\nRow rows[] = {{{numbers}}};"
    )


def _switch(count: int) -> Files:
    cases = "\n".join(f"    case {n}: s += a[{n}]; break;" for n in range(count))
    return kernel(f"    switch (n) {{\n{cases}\n    default: s = 1.0f;\n    }}")


def _switch_on_data(count: int) -> Files:
    cases = "\n".join(f"    case {n}: s += {n}.0f; break;" for n in range(count))
    return kernel(f"    switch ((int)a[i]) {{\n{cases}\n    }}")


def _defines(count: int) -> Files:
    lines = "\n".join(f"#define M{n} (i + {n})" for n in range(count))
    return kernel(f"    s = a[M{count - 1}] + a[M0];", lines)


def _instances(count: int) -> Files:
    before = "template <int N> __device__ float f(float x) { return x * N; }"
    return kernel("\n".join(f"    s += f<{n}>(s);" for n in range(count)), before)


def _overloads(count: int) -> Files:
    types = "\n".join(
        f"struct T{n} {{ float x; }};\n__device__ float f(T{n} t) {{ return t.x; }}"
        for n in range(count)
    )
    return kernel(f"    T{count - 1} t;\n    t.x = 2.0f;\n    s += f(t);", types)


def _enumerators(count: int) -> Files:
    names = ", ".join(f"E{n}" for n in range(count))
    return kernel(f"    s = a[E{count - 1}];", f"enum Names {{ {names} }};")


def _parameters(count: int) -> Files:
    names = ", ".join(f"float *p{n}" for n in range(count))
    body = "\n".join(f"    s += p{n}[i];" for n in range(count))
    return kernel(body, parameters=f"float *a, {names}")


def _members(count: int) -> Files:
    fields = " ".join(f"float m{n};" for n in range(count))
    body = f"    Big b = p[i];\n    s = b.m{count - 1};\n    p[i + 1] = b;"
    return kernel(body, f"struct Big {{ {fields} }};", "float *a, Big *p")


def _local_table(size: int) -> Files:
    return kernel(f"    float w[{size}] = {{1.0f, 2.0f}};\n    s = w[0] + w[1];")


CASES = (
    Case("20,000 lines", 20_000, 400, _lines, kernels=None),
    Case("300 kernels", 300, 12, _kernels, kernels=None),
    Case("300 kernels, launched", 300, 12, _launched_kernels, kernels=None),
    Case("5,000 statements, one after another", 5000, 50, _unrolled),
    Case("5,000 statements, stores", 5000, 20, _unrolled_stores),
    Case("5,000 locals", 5000, 50, _unrolled_locals),
    Case("2,000 branches", 2000, 10, _unrolled_branches),
    Case("loop run through", 10**15, 1000, _run_through),
    Case("4 billion elements, local", 2**32, 64, _local_table, large=("K302",)),
    Case("100,000 elements, constant", 100_000, 100, _table),
    Case("100,000 elements, local", 100_000, 100, _local_table),
    Case("100,000 elements, host", 100_000, 100, _host_table),
    Case("2,000 cases", 2000, 20, _switch),
    Case("2,000 cases on data", 2000, 20, _switch_on_data),
    Case("20,000 macros", 20_000, 20, _defines),
    Case("1,000 instances", 1000, 20, _instances),
    Case("1,000 overloads", 1000, 20, _overloads),
    Case("20,000 enumerators", 20_000, 20, _enumerators),
    Case("500 parameters", 500, 20, _parameters),
    Case("2,000 members", 2000, 20, _members),
)
