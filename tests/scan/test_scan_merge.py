"""Kernels in headers count once, launches in the files that include them count."""

from __future__ import annotations

from pathlib import Path

from scanning import add, scan_here, tree

from estimator.scan.merge import ScanReport
from estimator.scan.survey import Survey, launched_elsewhere, survey

SCALE = """template <typename T>
__global__ void scale(T *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * x[i];
}
"""
LAUNCH = """#include "scale.cuh"
void go({type} *x, int n) {{ scale<{type}><<<(n + 63) / 64, 64>>>(x, n); }}
"""


def lines(report: ScanReport) -> list[str]:
    """`name file:line origin` of each row."""
    return sorted(
        f"{row.name} {Path(row.place.path).name}:{row.place.line} {row.origin}"
        for row in report.rows
    )


def test_a_header_is_read_where_it_is_included(tmp_path: Path) -> None:
    tree(tmp_path, {"scale.cuh": SCALE, "f.cu": LAUNCH.format(type="float")})
    tree(tmp_path, {"d.cu": LAUNCH.format(type="double"), "x.cu": '#include "scale.cuh"\n'})
    report = scan_here(tmp_path)
    assert lines(report) == ["scale<double> scale.cuh:2 source", "scale<float> scale.cuh:2 source"]
    assert (report.files, report.kernels, report.analysed) == (4, 2, 2)


def test_a_template_of_values_counts_once_too(tmp_path: Path) -> None:
    header = SCALE.replace("typename T", "int T").replace("T *x", "float *x")
    header = header.replace("x[i] * x[i]", "x[i] * T")
    tree(tmp_path, {"scale.cuh": header, "x.cu": '#include "scale.cuh"\n'})
    launch = LAUNCH.format(type="3").replace("void go(3 *", "void go(float *")
    tree(tmp_path, {"f.cu": launch})
    assert lines(scan_here(tmp_path)) == ["scale<3> scale.cuh:2 source"]


def test_a_header_that_nobody_includes_is_read_by_itself(tmp_path: Path) -> None:
    report = scan_here(tree(tmp_path, {"scale.cuh": SCALE}))
    assert [row.origin for row in report.rows] == ["assumed"]
    assert report.rows[0].is_open


def test_a_header_that_needs_its_includer_is_no_error(tmp_path: Path) -> None:
    header = "#ifndef REAL\n#error include all.cu\n#endif\n" + SCALE.replace(
        "template <typename T>\n", ""
    ).replace("T *", "REAL *")
    tree(tmp_path, {"scale.cuh": header, "all.cu": '#define REAL float\n#include "scale.cuh"\n'})
    report = scan_here(tmp_path)
    assert lines(report) == ["scale scale.cuh:4 assumed"]
    assert report.complete


def test_a_kernel_that_the_including_file_leaves_out_is_still_there(tmp_path: Path) -> None:
    header = (
        add("always")
        + "#ifndef LESS\n"
        + add("extra", "broken").replace("broken(", "broken(nothing<3> z, ")
        + "#endif\n"
    )
    tree(tmp_path, {"k.cuh": header, "a.cu": '#define LESS\n#include "k.cuh"\n'})
    report = scan_here(tmp_path)
    assert lines(report) == ["always k.cuh:1 assumed", "extra k.cuh:7 assumed"]
    assert [kernel.name for kernel in report.lost] == ["broken"]


def test_a_lost_kernel_in_a_header_counts_once(tmp_path: Path) -> None:
    header = "__global__ void k(float *x) { auto p = new float[3]; x[0] = p[1]; }\n"
    include = '#include "k.cuh"\n'
    report = scan_here(tree(tmp_path, {"k.cuh": header, "a.cu": include, "b.cu": include}))
    assert (report.kernels, report.analysed, len(report.lost)) == (1, 0, 1)
    assert not report.complete


def test_macros_make_two_kernels_of_one(tmp_path: Path) -> None:
    """What two files make of a kernel by macros are two rows; the same twice is one."""
    header = add("k").replace("2.0f *", "FACTOR")
    files = {"k.cuh": header}
    for name, factor in (("a", "2.0f *"), ("b", "2.0f *"), ("c", "3.0f * x[i] +")):
        files[f"{name}.cu"] = f'#define FACTOR {factor}\n#include "k.cuh"\n'
    report = scan_here(tree(tmp_path, files))
    assert [row.flops.formula for row in report.rows] == ["n", "2*n"]
    assert report.kernels == 1


def test_files_that_include_each_other(tmp_path: Path) -> None:
    guarded = '#pragma once\n#include "{other}"\n'
    tree(tmp_path, {"a.cuh": guarded.format(other="b.cuh") + add("a")})
    tree(tmp_path, {"b.cuh": guarded.format(other="a.cuh") + add("b")})
    assert lines(scan_here(tmp_path)) == ["a a.cuh:3 assumed", "b b.cuh:3 assumed"]


def test_launches_in_another_file_of_the_run_count(tmp_path: Path) -> None:
    launch = "__global__ void {k}(const float *x, float *y, int n);\n"
    launch += "void run(float *x, float *y, int n) {{ {k}<<<(n + 31) / 32, 32>>>(x, y, n); }}\n"
    tree(tmp_path, {"lib/k.cu": add("k"), "app/main.cpp": launch.format(k="k")})
    tree(tmp_path, {"one/j.cu": add("j"), "one/main.cu": launch.format(k="j")})
    tree(tmp_path, {"two/j.cu": add("j"), "two/main.cu": launch.format(k="j")})
    tree(tmp_path, {"app/lost.cu": launch.format(k="nowhere")})
    report = scan_here(tmp_path)
    found = {str(row.launch): row for row in report.rows}
    assert {path.removeprefix(f"{tmp_path}/") for path in found} == {
        "app/main.cpp:2",
        "one/main.cu:2",
        "two/main.cu:2",
    }
    assert all(row.block == ("32", "1", "1") for row in report.rows)
    assert [one.message for one in report.diagnostics if one.code == "K403"] == [
        "the kernel 'nowhere' is launched here, but no file given defines it"
    ]


def test_the_survey_finds_names() -> None:
    found = survey(
        SCALE
        + "__global__ void __launch_bounds__(256, 2) bounded(int (*f)(int), int n) {}\n"
        + 'extern "C" __global__ __attribute__((used)) void c_kernel(void)\n{ }\n'
        + "__global__ void declared(int n);\n"
        + "void f() { ns::scale<float, 4><<<g, b>>>(x); bounded <<<1, 2>>>(n); a << b; }\n"
    )
    assert found.kernels == {"scale", "bounded", "c_kernel"}
    assert found.launches == {"scale", "bounded"}


def test_the_survey_finds_what_macros_launch() -> None:
    found = survey(
        "#define LAUNCH(kernel, n, ...) \\\n  kernel<<<((n) + 63) / 64, 64>>>(__VA_ARGS__)\n"
        "#define TWICE(k, n) do { k<<<n, 1>>>(n); k<<<n, 1>>>(n); } while (0)\n"
        "void f(int n) { LAUNCH((scale<float, 3>), n, n); LAUNCH(ns::add, n); TWICE(both, n); }\n"
    )
    assert found.launches == {"scale", "add", "both"}


def test_a_template_that_a_header_alone_does_not_say_is_not_lost(tmp_path: Path) -> None:
    """`v[N]` has no length without an instance, which the including file asks for."""
    header = (
        "template <typename T, int N> struct Vec { T v[N]; };\n"
        "template <typename T, int N> __global__ void scale(Vec<T, N> *x, unsigned n)\n"
        "{ unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) for (int k = 0; k < N; ++k) x[i].v[k] *= T(2); }\n"
    )
    main = (
        '#include "scale.cuh"\n#include "launch.h"\n'
        "void f(Vec<float, 3> *x, unsigned n) { LAUNCH((scale<float, 3>), n, x, n); }\n"
    )
    macro = "#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)\n"
    tree(tmp_path, {"scale.cuh": header, "launch.h": macro, "main.cu": main})
    report = scan_here(tmp_path)
    assert lines(report) == ["scale<float, 3> scale.cuh:2 source"]
    assert report.complete


def test_launches_elsewhere() -> None:
    none: frozenset[str] = frozenset()
    k = frozenset({"k"})
    surveys = {
        "a/own.cu": Survey(k, k),
        "b/k.cu": Survey(k, k),
        "b/main.cu": Survey(none, frozenset({"k", "far"})),
        "b/c/main.cu": Survey(none, k),
        "main.cu": Survey(none, k),  # a and b are equally near
    }
    assert launched_elsewhere(surveys) == {
        "a/own.cu": (),
        "b/k.cu": ("b/c/main.cu", "b/main.cu"),
        "b/main.cu": (),
        "b/c/main.cu": (),
        "main.cu": (),
    }


def test_a_template_that_needs_its_arguments_is_one_of_the_includer(tmp_path: Path) -> None:
    """Also where no name says which file launches it: a macro does."""
    header = """template <typename T, int N> struct Vec { T v[N]; };
template <typename T, int N> __global__ void scale(Vec<T, N> *x) { x[0].v[0] *= T(2); }
"""
    source = """#include "k.cuh"
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)
void f(Vec<float, 3> *x, unsigned n) { LAUNCH((scale<float, 3>), n, x); }
"""
    tree(tmp_path, {"k.cuh": header, "m.cu": source, "other.cu": '#include "k.cuh"\n'})
    report = scan_here(tmp_path)
    assert lines(report) == ["scale<float, 3> k.cuh:2 source"]
    assert report.complete


def test_a_lost_kernel_of_a_templates_name_in_another_file_stays(tmp_path: Path) -> None:
    lost = "__global__ void scale(float *x) { auto p = new float[3]; x[0] = p[1]; }\n"
    tree(tmp_path, {"scale.cuh": SCALE, "f.cu": LAUNCH.format(type="float"), "own.cu": lost})
    report = scan_here(tmp_path)
    assert lines(report) == ["scale<float> scale.cuh:2 source"]
    assert [kernel.name for kernel in report.lost] == ["scale"]
