"""The quick lexer gives the tokens that pycparser's own gives."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycparser.c_lexer import CLexer

from estimator.parse import lexer
from estimator.parse.c11 import in_c11
from estimator.parse.lexer import QuickLexer
from estimator.simplify.simplify import simplify
from estimator.source.preprocess import preprocess
from estimator.source.read import read_source

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.cu"))
PIECES = [
    *[
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        ".",
        "...",
        "->",
        "++",
        "--",
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "&&",
        "|",
        "||",
        "^",
        "~",
        "!",
        "!=",
        "==",
        "<",
        "<=",
        "<<",
        "<<=",
        ">>=",
        "?",
        ":",
        "=",
    ],
    *[
        "a",
        "int",
        "_Alignas",
        "$shared",
        "L",
        "u8",
        "0",
        "00",
        "7",
        "10",
        "0x1F",
        "1u",
        "1.5f",
        ".5",
        "1e3",
        "1.",
        "'a'",
        '"s"',
        "L'a'",
        'u8"s"',
        "#",
    ],
    *["//", "/*", "0b1", "09", "1'000", "\n", "\t", "\\", "@", "é"],
    " ",
    "\n#pragma x\n",
    "\n#line 7\n",
]


def tokens(kind: type[CLexer], text: str) -> tuple[list[Any], list[Any]]:
    """The tokens of a text, and the errors found."""
    errors: list[Any] = []
    # Older ones are told of braces, and ask which names are types.
    older = "on_lbrace_func" in inspect.signature(CLexer).parameters
    others: list[Any] = [lambda *args: None] * (3 if older else 0)
    made = kind(lambda *args: errors.append(args), *others)
    made.input(text, "k.cu")
    found = []
    while (token := made.token()) is not None and len(found) < 100_000:
        found.append(token)
    return found, errors


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples(path: Path) -> None:
    unit = preprocess(read_source(str(path)), include_dirs=(), macros={})
    text = in_c11(simplify(unit).text)
    assert tokens(QuickLexer, text) == tokens(CLexer, text)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text(text: str) -> None:
    assert tokens(QuickLexer, text) == tokens(CLexer, text)


def test_a_lexer_that_is_not_known_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(lexer.new_parser().clex) is QuickLexer
    monkeypatch.setattr(lexer, "_PLACES", ("_elsewhere",))
    assert type(lexer.new_parser().clex) is CLexer
