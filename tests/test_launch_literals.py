"""What a launch passes as a literal is known: `true`, `false`, and pointers that are null."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.report.model import KernelReport

KERNEL = """__global__ void k(const float *x, const float *b, float *y, int n, bool twice)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    if (TEST) v += b[i];
    if (twice) v *= 2.f;
    y[i] = v;
}
"""
GRID = "<<<(n + 127) / 128, 128>>>"


def reports(path: Path, text: str) -> list[KernelReport]:
    file = path / "k.cu"
    file.write_text(text)
    (result,) = analyze(str(file)).files
    assert not result.diagnostics
    return list(result.kernels)


def costs(report: KernelReport) -> tuple[str, str]:
    """FLOPs and loads of the whole grid."""
    flops = report.grid.flops.get("fp32")
    shown = sympy_text(flops.formula) if flops is not None else "0"
    return shown, sympy_text(report.grid.loads["global"].formula)


# A null b is not read: n loads of x, and an addition less.
@pytest.mark.parametrize("test", ["b", "b != nullptr", "NULL != b", "!(b == 0)", "b && i > -1"])
@pytest.mark.parametrize("null", ["nullptr", "NULL", "0", "(const float *)0", "{}"])
def test_null_pointers(tmp_path: Path, test: str, null: str) -> None:
    host = f"void f(const float *x, float *y, int n) {{ k{GRID}(x, {null}, y, n, true); }}"
    (report,) = reports(tmp_path, KERNEL.replace("TEST", test) + host)
    assert costs(report) == ("n", "n")
    assert not report.unknowns
    assert "b = nullptr, as launched" in [note.message for note in report.assumptions]


@pytest.mark.parametrize(
    "host",
    [
        "const float *b = nullptr; LAUNCH(b)",
        "const float *const b{}; LAUNCH(b)",
        "auto b = static_cast<const float *>(nullptr); LAUNCH((b))",
    ],
)
def test_a_variable_that_is_null(tmp_path: Path, host: str) -> None:
    launch = host.replace("LAUNCH(", f"k{GRID}(x, ").replace(")", ")", 1)
    launch = launch.replace("(x, b)", "(x, b, y, n, false);").replace(
        "(x, (b))", "(x, (b), y, n, false);"
    )
    text = f"void f(const float *x, float *y, int n) {{ {launch} }}"
    (report,) = reports(tmp_path, KERNEL.replace("TEST", "b") + text)
    assert costs(report) == ("0", "n")


@pytest.mark.parametrize(
    "before",
    [
        "float *b = nullptr; cudaMalloc(&b, 4 * n);",
        "float *b = nullptr; cudaMalloc((void **)&b, 4 * n);",
        "float *b = nullptr; if (n > 5) b = other;",
        "float *b = nullptr; allocate(b, n);",
        "float *b = nullptr; b = other;",
        "float *b = nullptr; float *&r = b; r = other;",
        "float *b; b = nullptr; for (int t = 0; t < n; t++) { b = other;",
    ],
)
def test_a_variable_that_may_have_been_set(tmp_path: Path, before: str) -> None:
    end = "}" * before.count("{")
    text = (
        "void f(const float *x, float *y, int n, float *other) "
        f"{{ {before} k{GRID}(x, b, y, n, false); {end} }}"
    )
    (report,) = reports(tmp_path, KERNEL.replace("TEST", "b") + text)
    assert "p@6" in [unknown.name for unknown in report.unknowns]


def test_a_call_that_leads_to_the_launch_passes_null(tmp_path: Path) -> None:
    text = (
        f"void w(const float *x, const float *b, float *y, int n) {{ k{GRID}(x, b, y, n, true); }}"
        "void f(const float *x, float *y, int n) { w(x, nullptr, y, n); }"
    )
    (report,) = reports(tmp_path, KERNEL.replace("TEST", "b") + text)
    assert costs(report) == ("n", "n")


def test_flags_and_nulls_make_launches_differ(tmp_path: Path) -> None:
    text = (
        "void f(const float *x, const float *b, float *y, int n) {"
        + "".join(
            f"k{GRID}(x, {given}, y, n, {flag});\n"
            for given, flag in (("NULL", "false"), ("NULL", "true"), ("b", "true"), ("0", "false"))
        )
        + "}"
    )
    found = reports(tmp_path, KERNEL.replace("TEST", "b != nullptr") + text)
    assert [costs(report) for report in found[:2]] == [("0", "n"), ("n", "n")]
    assert [report.launch.count for report in found] == [3, 3, 3]
    assert [one.name for one in found[2].unknowns][:1] == ["p@6"]


def test_a_null_pointer_that_is_not_asked_about_is_no_other_launch(tmp_path: Path) -> None:
    """The null array is accessed as any other, where something else says that it is not."""
    text = (
        "void f(const float *x, const float *b, float *y, int n) {"
        f"k{GRID}(x, b, y, n, true); k{GRID}(x, nullptr, y, n, true); }}"
    )
    (report,) = reports(tmp_path, KERNEL.replace("TEST", "n > 8") + text)
    assert costs(report) == ("2*n", "2*n")


def test_a_null_member_and_a_null_in_a_device_function(tmp_path: Path) -> None:
    text = (
        "__device__ float add(float v, const float *b, int i) { return b ? v + b[i] : v; }\n"
        "__global__ void k(const float *x, const float *b, float *y, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; const bool has = b;\n"
        "  if (i < n) y[i] = has ? 0 : add(x[i], b, i); }\n"
        f"void f(const float *x, float *y, int n) {{ k{GRID}(x, nullptr, y, n); }}"
    )
    (report,) = reports(tmp_path, text)
    assert costs(report) == ("0", "n")


@pytest.mark.parametrize(("flag", "flops"), [("true", "2*n"), ("false", "0")])
def test_true_and_false(tmp_path: Path, flag: str, flops: str) -> None:
    text = (
        "__global__ void k(float *x, int n, bool a, const bool b)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;\n"
        "  if (a) x[i] += 1; if (b == true) x[i] *= 2; }\n"
        f"void f(float *x, int n) {{ const bool use = {flag}; k{GRID}(x, n, {flag}, use); }}"
    )
    (report,) = reports(tmp_path, text)
    assert costs(report)[0] == flops
