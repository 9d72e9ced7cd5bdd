"""What tree-sitter reads: the text with everything blanked that would only confuse it.

Blanking keeps every offset: one ASCII byte for each character, so byte offsets of the
tree are character offsets of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_PATTERN = (
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<string>\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<char>'(?:\\.|[^'\\\n])+')"
    r"|(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.)*)"
    r"|(?P<pragma>\b_Pragma[ \t]*\([ \t]*\"[^\"\n]*\"[ \t]*\))"
    rf"|(?P<attribute>\b(?:__align__|alignas|__attribute__|__declspec)\s*{_PARENTHESES})"
    rf"|(?P<noexcept>\bnoexcept\b(?:\s*{_PARENTHESES})?)"
    r"|(?P<lambda>\](?:\s*__(?:host|device)__)+)"
)
_LEXEME = re.compile(_PATTERN, re.MULTILINE | re.DOTALL)
# A digit separator looks like the start of a character constant.
_LEXEME_WITH_SEPARATORS = re.compile(
    r"(?P<number>(?<!\w)\d[\w.]*(?:'[\w.]+)+)|" + _PATTERN, re.MULTILINE | re.DOTALL
)
_UNROLL = re.compile(
    r"(?:\#\s*pragma\s+|_Pragma\s*\(\s*\")\s*(?:GCC\s+)?unroll\b\s*(.*)", re.DOTALL
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Pragma:
    """A `#pragma unroll` at `text[start:end]`; its number stands at `[count_start:count_end]`."""

    start: int
    end: int
    count_start: int
    count_end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """`text` is what may be copied, `parsed` what the parser reads; both as long as the source."""

    text: str
    parsed: str
    pragmas: tuple[Pragma, ...]


def blank(text: str) -> str:
    """Spaces in place of everything but line ends."""
    return _NOT_NEWLINE.sub(" ", text)


def mask(text: str) -> Masked:
    """Blank comments, directives, attributes and what strings contain."""
    shown: list[str] = []
    parsed: list[str] = []
    pragmas: list[Pragma] = []
    done = 0
    pattern = _LEXEME_WITH_SEPARATORS if "'" in text else _LEXEME
    for match in pattern.finditer(text):
        start, end = match.span()
        shown.append(text[done:start])
        parsed.append(text[done:start])
        kind, lexeme = match.lastgroup, match.group()
        if kind in {"directive", "pragma"}:
            pragma = _unroll(lexeme, start)
            if pragma is not None:
                pragmas.append(pragma)
        seen, read = _masked_lexeme(kind, lexeme)
        shown.append(seen)
        parsed.append(read)
        done = end
    shown.append(text[done:])
    parsed.append(text[done:])
    visible, readable = "".join(shown), "".join(parsed)
    if "\r" in visible:
        visible, readable = visible.replace("\r", " "), readable.replace("\r", " ")
    if not readable.isascii():
        readable = _NOT_ASCII.sub("x", readable)
    return Masked(visible, readable, tuple(pragmas))


def _masked_lexeme(kind: str | None, lexeme: str) -> tuple[str, str]:
    """The lexeme as it may be copied, and as the parser reads it."""
    if kind in {"string", "char"}:
        quote = lexeme[0]
        return lexeme, quote + "x" * (len(lexeme) - 2) + quote
    if kind == "number":
        return lexeme, lexeme.replace("'", "0")
    if kind == "lambda":
        return lexeme, "]" + blank(lexeme[1:])
    blanked = blank(lexeme)
    return blanked, blanked


def _unroll(lexeme: str, start: int) -> Pragma | None:
    match = _UNROLL.search(lexeme)
    if match is None:
        return None
    count = match.group(1).split("//")[0].rstrip(') \t\r"').lstrip("( \t")
    offset = start + match.start(1) + (match.group(1).index(count) if count else 0)
    indent = len(lexeme) - len(lexeme.lstrip())
    return Pragma(start + indent, start + len(lexeme), offset, offset + len(count))
