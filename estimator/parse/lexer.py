"""pycparser's lexer with a short way for the tokens that most of a text is made of.

It looks at every character and tries several patterns for each token; here one pattern finds
names, plain numbers and signs together with the blanks in front of them. Everything else, and all
that it says of a token, is pycparser's. It rests on where pycparser's lexer keeps its place in the
text; with one that keeps it elsewhere, that one is used as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pycparser import CParser
from pycparser.c_lexer import CLexer

if TYPE_CHECKING:
    from pycparser.c_lexer import Token

_SIGNS = (
    *("<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"),
    *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="),
    *"+-*/%&|^~!=<>?:;,()].{}",
)
_NUMBER = r"(?:0|[1-9][0-9]*)(?![\w.'])"
# A name before a quote may be a prefix of a string, a point before a digit begins a number, and
# what follows a slash may be a comment.
_NAME = r"[A-Za-z_$][\w$]*(?!['\"\w$])"
_NOT_BEFORE = {".": r"(?![0-9.])", "/": r"(?![/*])", ":": r"(?!:)"}
_PLACES = ("_lexdata", "_pos", "_lineno", "_line_start", "_pending_tok", "_make_token")


def new_parser() -> CParser:
    """A parser of C with the quick lexer, where pycparser's own is the one it knows."""
    parser = CParser()
    if not all(hasattr(parser.clex, place) for place in _PLACES):
        return parser
    return CParser(lexer=QuickLexer)


def _one_of(signs: Sequence[str]) -> str:
    return "|".join(re.escape(sign) + _NOT_BEFORE.get(sign, "") for sign in signs)


@cache
def _kinds() -> dict[str, str]:
    """What pycparser calls each sign, and a number."""
    # Older ones are made with more to call: they tell of braces and ask for types.
    lexer = CLexer(*[lambda *args: None] * (CLexer.__init__.__code__.co_argcount - 1))
    found: dict[str, str] = {}
    for text in (*_SIGNS, "0", "1"):
        lexer.input(text)
        token = lexer.token()
        assert token is not None
        found[text] = token.type
    return found


class QuickLexer(CLexer):  # type: ignore[misc]
    """pycparser's lexer with the short way in front."""

    _pos: int
    _lineno: int
    _line_start: int

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Older lexers decide themselves which name is a type, and tell the parser of braces.
        self._words: dict[str, str] | None = getattr(self, "_keyword_map", None)
        self._quick = _pattern(self._words is not None)
        self._types = _kinds()

    def token(self) -> Token | None:
        found = self._quick.match(self._lexdata, self._pos)
        if found is None or self._pending_tok is not None:
            return super().token()
        kind, value = found.lastgroup, found[found.lastindex or 0]
        start = found.end() - len(value)
        if start > self._pos:
            lines = self._lexdata.count("\n", self._pos, start)
            if lines:
                self._lineno += lines
                self._line_start = self._lexdata.rfind("\n", self._pos, start) + 1
        self._pos = found.end()
        if kind == "name":
            assert self._words is not None
            name = self._words.get(value, "ID")
        else:
            name = self._types.get(value) or self._types["1"]
        return self._make_token(name, value, start)


@cache
def _pattern(with_names: bool) -> re.Pattern[str]:
    signs = _one_of([s for s in _SIGNS if with_names or s not in "{}"])
    names = f"(?P<name>{_NAME})|" if with_names else ""
    return re.compile(rf"[ \t\n]*(?:{names}(?P<number>{_NUMBER})|(?P<sign>{signs}))", re.ASCII)
