"""Preprocessing: text in → text out, line by line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from estimator.source.position import SourceFile
from estimator.source.preprocess import PreprocessedUnit, preprocess


def run(text: str, **macros: str) -> PreprocessedUnit:
    return preprocess(SourceFile("k.cu", text), macros=macros)


def squeezed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


EXPANSIONS = {
    "object-like": ("#define N 16\nint a[N];", "int a[16];"),
    "function-like": ("#define IDX(i,j) ((i)*8+(j))\na[IDX(r, c+1)];", "a[((r)*8+(c+1))];"),
    "arguments in arguments": ("#define SQ(x) ((x)*(x))\nSQ(SQ(a))", "((((a)*(a)))*(((a)*(a))))"),
    "no arguments, no use": ("#define F(x) x\nint F = 1;", "int F = 1;"),
    "arguments on other lines": ("#define F(a,b) a+b\nF(x,\n  y) z", "x+\n  y z"),
    "a macro that leaves a name": ("#define F G\n#define G(x) [x]\nF(3) F", "[3] G"),
    "paste": ("#define CAT(a,b) a##b\nCAT(x, 1) CAT(,y) CAT(1.0,f)", "x1 y 1.0f"),
    "stringise": ('#define S(x) #x\nS(a "b")', '"a \\"b\\""'),
    "variadic": ("#define P(f, ...) f(0, ##__VA_ARGS__)\nP(g) P(g, 1, 2)", "g(0) g(0, 1, 2)"),
    "undef": ("#define A 1\nA\n#undef A\nA", "1\nA"),
    "recursive": ("#define A B\n#define B A\nA", "A"),
    "recursive through arguments": ("#define f(x) g(f(x))\n#define g(x) (x)\nf(2)", "(f(2))"),
    "no gluing of signs": ("#define M -1\n#define P +\nx-M; P+y;", "x- -1; + +y;"),
    "not in strings or comments": ("#define A 1\n\"A\" /* A */ 'A' // A", "\"A\" 'A'"),
    "not in a number's suffix": ("#define F 3\n#define f 4\n1.0F + 2.f", "1.0F + 2.f"),
    "not in a raw string": ('#define A 1\nR"(A " // A)" A', 'R"(A " // A)" 1'),
    "digit separators": ("#define A 1\n1'000'000 A 'A'", "1'000'000 1 'A'"),
    "continuation": ("#define A 1 \\\n  + 2\nA;", "1   + 2;"),
    "if": ("#if N > 8\na\n#elif 1\nb\n#else\nc\n#endif", "b"),
    "skipped text": ("#if 0\ndon't\n#error no\n#else\nc\n#endif", "c"),
    "nested": ("#ifdef X\n#if 1\na\n#endif\n#else\nb\n#endif", "b"),
    "numbers in if": ("#if 0x10u == 1'6 && 0b11 == 3 && 010 == 8 && true\ny\n#endif", "y"),
    "device code is seen": ("#ifdef __CUDA_ARCH__\nd\n#else\nh\n#endif", "d"),
    "C++17": ("#if __cplusplus >= 201703L && __CUDA_ARCH__ >= 700\ny\n#endif", "y"),
    "constants": ("INT_MAX M_PI FLT_MAX", "2147483647 3.14159265358979323846 3.402823466e+38F"),
    "constants can be redefined": ("#undef M_PI\n#define M_PI 3.14f\nM_PI", "3.14f"),
    "left alone": ("#define A 1\nassert(A); printf(NULL);", "assert(1); printf(NULL);"),
    "pragma": ("#define U 4\n  #pragma unroll U\n  for", "  #pragma unroll 4\n  for"),
    "pragma once": ("#pragma once\n#define U 4\nU", "4"),
    "launch": ("#define B 256\nk<<<n / B, B>>>(x);", "k<<<n / 256, 256>>>(x);"),
    "line": ("#define L __LINE__\n\nL", "3"),
    "pragma operator": (
        '#define UNROLL _Pragma("unroll 4")\nUNROLL for (;;) ;',
        "#pragma unroll 4\n       for (;;) ;",
    ),
}


@pytest.mark.parametrize(("text", "expected"), EXPANSIONS.values(), ids=EXPANSIONS)
def test_text_out(text: str, expected: str) -> None:
    unit = run(text)
    assert squeezed(unit.text) == expected
    assert unit.diagnostics == ()


def test_lines_and_indentation_stay() -> None:
    unit = run("#define N 4\n/* two\n lines */ int a;\n#if 1\n\tint b[N];  // c\n#endif\nint c;")
    assert unit.text.splitlines() == ["", "", "          int a;", "", "\tint b[4];", "", "int c;"]


def test_macros_of_the_user_win() -> None:
    text = "#define N 16\n#undef N\n#ifndef N\n#define N 8\n#endif\nint a[N]; M_PI"
    assert squeezed(run(text, N="1024", M_PI="3").text) == "int a[1024]; 3"


def test_a_file_without_macros_keeps_every_offset() -> None:
    text = '#include <cstdio>\nint a; /* b\n */ "/*"; // c\n#pragma unroll\n'
    blank = '                 \nint a;     \n    "/*";     \n#pragma unroll\n'
    unit = run(text)
    assert unit.text == blank
    assert unit.positions.position(text.index('"')).column == 5


def test_a_file_without_macros_does_not_load_pcpp() -> None:
    program = (
        "import sys; from estimator.source.preprocess import *;"
        "preprocess(SourceFile('k.cu', '#include <cstdio>\\nint a; // b'));"
        "assert 'pcpp' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    run('#error a\n#warning b\n#include "none.h"\n#if (\n#endif\n#define F(\nF(1')
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#define AT(r, c) ((r) * N + (c))\nint x = A\\\nT(i, 2);\n", "int x = ((i) * N + (2));"),
        ("float x = 1e\\\n-3f;\n", "float x = 1e-3f;"),
        ("float x = 1e-\\\n3f;\n", "float x = 1e-3f;"),
        ("float grö\\\nße = größe\\\n_2;\n", "float größe = größe_2;"),
    ],
)
def test_words_and_numbers_across_continuations(before: str, after: str) -> None:
    text = preprocess(SourceFile("k.cu", before)).text
    assert "".join(text.split()) == "".join(after.split())
