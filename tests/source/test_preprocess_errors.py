"""Broken input: a diagnostic with its place, the rest of the text, and never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estimator.source.position import SourceFile
from estimator.source.preprocess import preprocess

# text, position and part of the message of the one diagnostic, what is left of the text
ERRORS = {
    "comment": ("int a; /* b\nc", "1:8", "comment without an end", "int a;"),
    "raw string": ('a = R"(b\nc', "1:5", "raw string without an end", 'a = R"(b\nc'),
    "stray endif": ("int a;\n  #endif\nint b;", "2:3", "#endif without #if", "int a;\nint b;"),
    "stray else": ("#else\nint b;", "1:1", "#else without #if", "int b;"),
    "no endif": ("int a;\n #if 1\nint b;", "2:2", "#if without #endif", "int a;\nint b;"),
    "error": ("#ifndef X\n #error set X\n#endif\nb;", "2:2", "#error set X", "b;"),
    "include nothing": ("#include\nb;", "1:1", "after #include", "b;"),
    "include a number": ("#include 3\nb;", "1:1", "after #include", "b;"),
    "define nothing": ("#define\nb;", "1:1", "after #define", "b;"),
    "define a number": ("#define 3 4\nb;", "1:1", "after #define", "b;"),
    "define malformed": ("#define F(a,,b) a\nb;", "1:9", "malformed definition of F", "b;"),
    "ifdef nothing": ("#ifdef\na\n#endif\nb;", "1:1", "expected a macro name", "b;"),
    "if nothing": ("#if\na\n#endif\nb;", "1:1", "expected an expression", "b;"),
    "if cut short": ("#if !defined(\na\n#endif\nb;", "1:1", "expected an expression", "b;"),
    "if malformed": ("#if 1 +\na\n#endif\nb;", "1:1", "cannot be evaluated", "b;"),
    "if by zero": ("#if 1 / 0\na\n#endif\nb;", "1:1", "cannot be evaluated", "b;"),
    "unknown directive": ("#foo\nb;", "1:1", "unknown directive #foo", "b;"),
    "too few arguments": ("#define F(a,b) a\nx F(1);", "2:3", "requires 2 arguments", "x F(1);"),
    "unclosed arguments": ("#define F(a) a\nF(1;", "2:2", "are not closed", "F(1;"),
}


@pytest.mark.parametrize(("text", "place", "message", "left"), ERRORS.values(), ids=ERRORS)
def test_error(text: str, place: str, message: str, left: str) -> None:
    unit = preprocess(SourceFile("k.cu", text))
    (diagnostic,) = unit.diagnostics
    assert diagnostic.code.id == "K110"
    assert str(diagnostic.position) == f"k.cu:{place}"
    assert message in diagnostic.message
    assert "\n".join(line for line in unit.text.splitlines() if line) == left


def test_an_unclosed_string_is_left_to_the_parser() -> None:
    unit = preprocess(SourceFile("k.cu", '#define A 1\nc = "abc\nA;'))
    assert unit.text.split() == ["c", "=", '"abc', "1;"]


def test_deep_nesting() -> None:
    unit = preprocess(SourceFile("k.cu", "#if 1\n" * 200 + "a;\n" + "#endif\n" * 200))
    assert (unit.text.split(), unit.diagnostics) == (["a;"], ())


@pytest.mark.parametrize(
    "text",
    [
        "#define A0 1 1\n" + "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40)) + "A40",
        "".join(f"#define A{i + 1} A{i}\n" for i in range(3000)) + "A3000",
    ],
    ids=["doubling", "chain"],
)
def test_expansion_is_bounded(text: str) -> None:
    assert [d.code.id for d in preprocess(SourceFile("k.cu", text)).diagnostics] == ["K110"]


def test_a_long_line() -> None:
    text = "#define N 16\n" + "int a; " * 150_000 + "N"
    assert preprocess(SourceFile("k.cu", text)).text.endswith("int a; 16\n")


_WORDS = (
    "# define undef if ifdef ifndef elif else endif include pragma error defined F G __VA_ARGS__"
    " ... _Pragma __LINE__ ( ) , \" ' /* */ // ## 1 0.5f 1' < > +"
)
_PIECES = st.sampled_from([*_WORDS.split(), "\\\n", "\n", "\n", 'R"(', ')"'])


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=40), st.booleans())
def test_never_raises(pieces: list[str], spaced: bool) -> None:
    text = "#define F(x) x G\n#define G F(1)\n" + (" " if spaced else "").join(pieces)
    unit = preprocess(SourceFile("k.cu", text))
    assert not any("cannot be preprocessed" in d.message for d in unit.diagnostics)
    for index in range(len(unit.text)):
        assert unit.positions.position(index).path == "k.cu"
