"""Each token of the preprocessed text leads to where the user wrote it."""

from __future__ import annotations

import pytest

from estimator.source.position import SourceFile
from estimator.source.preprocess import preprocess

# text, a piece of the output, line and column of its first character in the text
PLACES = {
    "copied": ("#define A 1\n  int b;", "b", 2, 7),
    "after a comment": ("#define A 1\nx /* y */ + b;", "b", 2, 13),
    "after a comment of two lines": ("#define A 1\nx /* y\n z */ b;", "b", 3, 7),
    "after tabs": ("#define A 1\n\t\tb;", "b", 2, 3),
    "after a longer macro": ("#define A (1 + 2)\nA + b;", "b", 2, 5),
    "after a shorter macro": ("#define LONG_NAME 7\nLONG_NAME + b;", "b", 2, 13),
    "after a function-like macro": ("#define F(x) x*x\nF(a) + b;", "b", 2, 8),
    "an expansion": ("#define A (1 + 2)\n  A;", "1", 2, 3),
    "an expansion of an expansion": ("#define A 7\n#define B A\n  B;", "7", 3, 3),
    "the macro's own text": ("#define F(x) x*9\ny + F(a);", "9", 2, 5),
    "an argument": ("#define F(x) 2*x\ny + F(a);", "a", 2, 7),
    "an argument's second use": ("#define F(x) x.x\ny + F(a);", ".a", 2, 5),
    "an argument on another line": ("#define F(x, y) x*y\nF(a,\n   b);", "b", 3, 4),
    "after a continuation": ("#define A 1\nx + \\\n  b;", "b", 3, 3),
    "after a macro with continuations": ("#define A 1 \\\n + 2 \\\n + 3\nA;\n b;", "b", 5, 2),
    "after a trigraph": ("#define A 1\nx ??= b;", "b", 2, 7),
    "after trailing blanks": ("#define A 1\nx;   \n\n b;", "b", 4, 2),
    "after a skipped branch": ("#if 0\nx\n#else\n b\n#endif", "b", 4, 2),
    "after wide characters": ("#define A 1\n/* é µ */ b;", "b", 2, 11),
    "in a pragma": ("#define U 4\n #pragma unroll U\n b", "4", 2, 17),
    "after a raw string": ('#define A 1\nR"(x\n)" b;', "b", 3, 4),
}


@pytest.mark.parametrize(("text", "piece", "line", "column"), PLACES.values(), ids=PLACES)
def test_place(text: str, piece: str, line: int, column: int) -> None:
    unit = preprocess(SourceFile("k.cu", text))
    position = unit.positions.position(unit.text.index(piece))
    assert (position.path, position.line, position.column) == ("k.cu", line, column)


def test_every_copied_identifier_is_found_at_its_position() -> None:
    text = "#define TILE 16\n" + "".join(
        f"\tint v{i}; /* c */ float w{i}[TILE] = {{u{i}, TILE}}; // TILE v\n" for i in range(50)
    )
    unit = preprocess(SourceFile("k.cu", text))
    lines = text.splitlines()
    for name in (f"{letter}{i}" for letter in "vwu" for i in range(10, 50)):
        place = unit.positions.position(unit.text.index(name))
        assert lines[place.line - 1].startswith(name, place.column - 1)
