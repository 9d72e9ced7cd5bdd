"""C23 as C11 of the same length, for a pycparser that knows no C23."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser import CParser, c_ast

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.parse.attributes import (
    cuda_attributes,
    number_arguments,
    place_arguments,
    string_argument,
)
from estimator.parse.c11 import in_c11, typeof_operand
from estimator.source.position import Position

WRITTEN = {
    "attribute": ("[[cuda::shared]] float s[4];", "_Alignas($shared)float s[4];"),
    "numbers": ("[[cuda::called(3, -5)]] int n", "_Alignas($called(3, -5))int n"),
    "strings": ('[[cuda::given("a]]", "\\"")]] int n', '_Alignas($given("a]]", "\\""))int n'),
    "no literals": ("[[cuda::launch_bounds(f<2>(a[1]), 4)]] int n", "_Alignas($launch_bounds)               int n"),
    "of a statement": ("    [[cuda::unroll(4)]] for (;;) ;", "                        for (;;) ;"),
    "of others": ("[[nodiscard]] int n; a[b[0]] = 1;", "              int n; a[b[0]] = 1;"),
    "auto": ("auto x = automatic + my_auto;", "$aut x = automatic + my_auto;"),
    "constexpr": ("constexpr int n = 4;", "const     int n = 4;"),
    "typeof": ("typeof (f(a)[1]) x; typeof(x) y;", "enum{$ =f(a)[1]} x; enum{$=x} y;"),
    "a line's end": ("typeof\n\n(x) y;", "enum{$\n\n=x} y;"),
    "a tab": ("[[cuda::global]]\tvoid f();", "_Alignas($global)void f();"),
    "separators": ("x = 1'000 + 0x1'F + u8'a';", "x = 1000  + 0x1F  + u8'a';"),
    "quoted": ("ptx__(\"auto [[cuda::x]]\", '\"', auto);", "ptx__(\"auto [[cuda::x]]\", '\"', $aut);"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_constructs(text: str, expected: str) -> None:
    assert in_c11(text) == expected
    assert len(expected) == len(text)


def declared(text: str) -> c_ast.Decl:
    return CParser().parse(in_c11(text)).ext[-1]


def test_attributes_of_declarations() -> None:
    function = declared(
        '[[cuda::global]] [[cuda::called(3, 5, "a\\\\b.cu", 7, 9)]] [[cuda::instance("f<\\"x\\">")]]\n'
        "void f([[cuda::value(-64)]] int n, [[cuda::reference]] const float x) { }"
    )
    found = cuda_attributes(function.decl)
    assert set(found) == {"global", "called", "instance"}
    assert found["global"] == ()
    assert string_argument(found["instance"]) == 'f<"x">'
    assert place_arguments(found["called"], "k.cu") == [
        Position("k.cu", 3, 5), Position("a\\b.cu", 7, 9),
    ]  # fmt: skip
    n, x = function.decl.type.args.params
    assert number_arguments(cuda_attributes(n)["value"]) == [-64]
    assert cuda_attributes(x) == {"reference": ()}


def test_positions_stay() -> None:
    function = declared("void f(void)\n{\n    [[cuda::shared]] constexpr float s = 1, t = 2;\n}\n")
    s, t = function.body.block_items
    assert [(one.coord.line, one.coord.column) for one in (s, t)] == [(3, 38), (3, 45)]
    assert "shared" in cuda_attributes(t)


def test_the_operand_of_typeof() -> None:
    operand = typeof_operand(declared("int a; typeof(a + 1) b;").type.type)
    assert isinstance(operand, c_ast.BinaryOp)
    assert typeof_operand(declared("enum { A = 1 } a;").type.type) is None


def loads(body: str, tmp_path: Path, before: str = "") -> str:
    file = tmp_path / "k.cu"
    file.write_text(f"{before}__global__ void k(float *a)\n{{\n{body}\n}}\n")
    report = analyze(str(file)).files[0]
    assert not report.diagnostics
    return sympy_text(report.kernels[0].per_thread.loads["global"].formula)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("static const int n[3] = {[1] = 4}; for (int i = 0; i < n[1]; ++i) a[0] = a[i];", "4"),
        ("for (int i = 0; i < 1'0; ++i) a[0] = a[i];", "10"),
        ("const bool b = true; float *p = nullptr; if (b) p = a; a[0] = p[1];", "1"),
        ("bool b = false; if (b || !true) a[0] = a[1]; a[1] = a[2];", "1"),
        ("auto n = true ? 3 : 4; for (decltype(n) i = 0; i < n; ++i) a[0] = a[i];", "3"),
        ("int value = 2, shared = 3; for (int i = 0; i < value * shared; ++i) a[0] = a[i];", "6"),
        ("for (int half = 8; half > 0; half /= 2) a[0] = a[half];", "4"),
    ],
)
def test_words_that_c11_lacks(body: str, count: str, tmp_path: Path) -> None:
    assert loads(body, tmp_path) == count


def test_types_may_be_called_like_attributes(tmp_path: Path) -> None:
    before = "typedef float shared; typedef int value;\n"
    body = "__shared__ shared s[4]; value i = 1; s[0] = 1; a[0] = a[i] + s[0];"
    assert loads(body, tmp_path, before) == "1"


@pytest.mark.parametrize(
    ("bounds", "threads"), [("4 * 32", 128), ("MOST / 2", 64), ("later<float, 4>()", 256)]
)
def test_launch_bounds_are_computed(bounds: str, threads: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "constexpr int MOST = 128;\n"
        f"__global__ void __launch_bounds__({bounds}) k(float *a, int n)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) a[i] = 1;\n}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert str(kernel.launch.block[0]) == str(threads)
