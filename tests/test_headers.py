"""Kernels and templates in headers: found wherever they are included, at their own places."""

from __future__ import annotations

from pathlib import Path

from estimator.analysis import analyze

INNER = """#ifndef INNER_H
#define INNER_H
#include "outer.cuh"
#define SCALE(v) \\
  ((v) * 2.0f)
template <typename T>
__device__ T scaled(T v) { return SCALE(v); }
#endif
"""
OUTER = """#pragma once
#include "sub/inner.cuh"
  template <typename T, int N> __global__ void k(T *x) {
    for (int i = 0; i < N; i++) x[i] = scaled(x[i]);
  }
"""


def test_nested_headers_that_include_each_other(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "inner.cuh").write_text(INNER.replace("outer", "../outer"))
    (tmp_path / "outer.cuh").write_text(OUTER)
    main = tmp_path / "k.cu"
    main.write_text(
        '#include "outer.cuh"\n#include "sub/inner.cuh"\n#include "outer.cuh"\n'
        "void run(float *x) { k<float, 4><<<1, 32>>>(x); }\n"
    )
    report = analyze(str(main))
    (kernel,) = report.kernels
    assert report.files[0].diagnostics == ()
    assert kernel.name == "k<float, 4>"
    assert Path(kernel.position.path) == tmp_path / "outer.cuh"
    assert (kernel.position.line, kernel.position.column) == (3, 48)
    assert kernel.per_thread.flops["fp32"].formula.integer == 4  # type: ignore[union-attr]


def test_a_finding_in_a_header_has_the_headers_place(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text(
        "#pragma once\n#define STEP(v) undeclared_function(v)\n"
        "__global__ void k(float *x) {\n  x[0] = STEP(x[0]);\n}\n"
    )
    main = tmp_path / "k.cu"
    main.write_text('\n\n#include "k.cuh"\nint main() { k<<<1, 2>>>(0); }\n')
    (found,) = analyze(str(main)).files[0].diagnostics
    assert Path(found.position.path) == tmp_path / "k.cuh"
    assert (found.position.line, found.position.column) == (4, 10)


def test_a_file_that_includes_itself_without_end_is_refused_at_once(tmp_path: Path) -> None:
    kernel = '__global__ void k(float *a) { a[0] = 1; }\n#include "k.cu"\n'
    (tmp_path / "k.cu").write_text(kernel)
    found = analyze([str(tmp_path / "k.cu")]).files[0].diagnostics
    assert [(d.code.id, d.position.line, d.message) for d in found] == [
        ("K110", 2, '"k.cu" includes itself without end')
    ]


def test_a_file_may_include_itself_as_long_as_its_macros_change(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "#ifndef D\n#define D 0\n#elif D == 0\n#undef D\n#define D 1\n"
        "#else\n#undef D\n#define D 2\n#define STOP\n#endif\n"
        '#ifndef STOP\n#include "k.cu"\n'
        "#else\n__global__ void k(float *a) { a[D] = 1; }\n#endif\n"
    )
    report = analyze([str(tmp_path / "k.cu")])
    assert not report.files[0].diagnostics
    assert [kernel.name for kernel in report.kernels] == ["k"]
