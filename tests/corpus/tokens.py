"""A program's text as tokens: what a layout may not change."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<directive>^[ \t]*\#[^\n]*) | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    | (?P<word>[^\W\d]\w*) | (?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)
    | (?P<mark><<<|>>>|<<=|>>=|\.\.\.|->|\+\+|--|::|<<|[-+*/%&|^=!<>]=|&&|\|\||[^\s])
    | (?P<blank>\s*\n|[^\S\n]+)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `blank` is what stood before it in the plain text."""

    text: str
    kind: str
    blank: str


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text; comments are left out, directives are one token each."""
    found: list[Token] = []
    blank = ""
    for match in _TOKEN.finditer(text):
        kind, value = match.lastgroup or "", match.group()
        if kind in ("blank", "comment"):
            blank += value if kind == "blank" else " "
            continue
        found.append(Token(value.strip() if kind == "directive" else value, kind, blank))
        blank = ""
    return found
