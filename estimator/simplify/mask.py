"""What tree-sitter reads: the text with everything blanked that would only confuse it.

Blanking keeps every offset: one ASCII byte for each character, so byte offsets of the
tree are character offsets of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from estimator.immutable import immutable
from estimator.simplify.commas import unlike_folds
from estimator.simplify.comparisons import with_comparisons
from estimator.simplify.layouts import NATURAL, OTHER_TYPE, Layout, Layouts, layout_of, packs_of

_PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_ANGLES = r"<(?:[^<>;(){}]|<(?:[^<>;(){}]|<[^<>;(){}]*>)*>)*>"
_MEMBER = rf"(?:[A-Za-z_]\w*\s*(?:{_ANGLES}\s*)?::\s*)+[A-Za-z_]\w*(?:\s*{_ANGLES})?"
_LEXEMES = {
    # A digit separator looks like the start of a character constant, so numbers come first.
    "number": r"(?<!\w)\d[\w.]*(?:'[\w.]+)+",
    "raw": r"\bR\"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)\"",
    "comment": r"//[^\n]*|/\*.*?(?:\*/|\Z)",
    "string": r"\"(?:\\.|[^\"\\\n])*\"",
    "char": r"'(?:\\.|[^'\\\n])+'",
    "directive": r"^[ \t]*\#(?:[^\n\\]|\\.)*",
    "pragma": r"\b_Pragma[ \t]*\([ \t]*\"[^\"\n]*\"[ \t]*\)",
    "attribute": rf"\b(?:__align__|alignas|__attribute__|__declspec)\s*{_PARENTHESES}",
    # The parser does not know them behind `template <…>`.
    "standard": r"\[\[(?:[^\[\]]|\[[^\[\]]*\])*\]\]",
    "noexcept": rf"\bnoexcept\b(?:\s*{_PARENTHESES})?",
    # The parser wants `friend` in front; what is a friend is called by the GPU or is not needed.
    "friend": r"\b(?:(?:__(?:host|device|forceinline)__|inline|static|constexpr)\s+)+(?=friend\b)",
    "lambda": r"\](?:\s*__(?:host|device)__)+",
    # The parser wants it in front of types only: `f(typename T::type())` makes a value.
    "typename": rf"(?:(?<=[-(,=?:+%*/&|!{{])\s*|(?<=\breturn)\s+)\btypename(?=\s+{_MEMBER}\s*[({{]"
    r"(?!\s*[*&]))",
}
# What a text must contain for a lexeme to be looked for in it.
_TRIGGERS = {
    "number": ("'",),
    "raw": ('R"',),
    "comment": ("//", "/*"),
    "string": ('"',),
    "char": ("'",),
    "directive": ("#",),
    "pragma": ("_Pragma",),
    "attribute": ("__align__", "alignas", "__attribute__", "__declspec"),
    "standard": ("[[",),
    "noexcept": ("noexcept",),
    "friend": ("friend",),
    "lambda": ("]__", "] __"),
    "typename": ("typename",),
}
_UNROLL = re.compile(
    r"(?:\#\s*pragma\s+|_Pragma\s*\(\s*\")\s*(?:GCC\s+)?unroll\b\s*(.*)", re.DOTALL
)
_TILE = re.compile(r"\bthread_block_tile\s*<[^<>;(){}]*>")
# The parser wants a name for `unsigned : 0;`, whose blanks have room for one.
_UNNAMED_BITS = re.compile(
    r"(?<=[{;\s])(?P<type>(?:unsigned|signed|int|short|char|long|u?int\d+_t)\b)"
    r"(?P<before>\s*):(?P<after>\s*)(?=\d+\s*;)"
)
# `(unsigned(n) + 1)` reads like a function's type in parentheses; `unsigne_(n)` is a call.
# `[=, *this]`, which the parser does not know.
_COPIED_OBJECT = re.compile(r"(?<![\w)\]])(\[[=&\w\s,]*)\*this(?=\s*[,\]])")
_SIZED_CALL = re.compile(r"(?<=\()\s*(?:unsigned|signed|short|long)(?=\s*\(\s*[^\s*&)^])")
# `const T *... x`: the parser knows packs of values and references alone.
_POINTER_PACK = re.compile(
    r"\*(?:\s|\*|\b(?:const|restrict|__restrict(?:__)?)\b)*(?=\.\.\.\s*[A-Za-z_])"
)
_NOT_NEWLINE = re.compile(r"[^\n]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@immutable()
class Pragma:
    """A `#pragma unroll` at `text[start:end]`; `count` is its number as written, or empty."""

    start: int
    end: int
    count: str


@immutable()
class Masked:
    """`text` is what may be copied, `parsed` what the parser reads; both as long as the source.

    `gaps` are the stretches blanked within a line, `layouts` what attributes said of members; at
    `left_out` stand macros that are not known and were left out.
    """

    text: str
    parsed: str
    pragmas: tuple[Pragma, ...]
    gaps: tuple[tuple[int, int], ...]
    layouts: Layouts = NATURAL
    left_out: tuple[int, ...] = ()


def blank(text: str) -> str:
    """Spaces in place of everything but line ends."""
    return _NOT_NEWLINE.sub(" ", text)


def _needed(text: str) -> Iterator[str]:
    for kind, triggers in _TRIGGERS.items():
        if any(trigger in text for trigger in triggers):
            yield kind


@cache
def _pattern(kinds: frozenset[str]) -> re.Pattern[str] | None:
    """Looks only for the lexemes that a text can have: most texts have few kinds."""
    if not kinds:
        return None
    parts = [f"(?P<{kind}>{lexeme})" for kind, lexeme in _LEXEMES.items() if kind in kinds]
    return re.compile("|".join(parts), re.MULTILINE | re.DOTALL)


def mask(text: str) -> Masked:
    """Blank comments, directives, attributes and what strings contain."""
    shown: list[str] = []
    parsed: list[str] = []
    pragmas: list[Pragma] = []
    gaps: list[tuple[int, int]] = []
    layouts: list[Layout] = []
    others: list[tuple[int, str]] = []
    done = 0
    pattern = _pattern(frozenset(_needed(text)))
    for match in pattern.finditer(text) if pattern is not None else ():
        start, end = match.span()
        kind, lexeme = match.lastgroup, match.group()
        if kind == "attribute":
            if OTHER_TYPE.search(lexeme):
                continue
            layout = layout_of(lexeme, start)
            if layout is not None:
                layouts.append(layout)
        shown.append(text[done:start])
        parsed.append(text[done:start])
        if kind in {"directive", "pragma"}:
            pragma = _unroll(lexeme, start)
            if pragma is not None:
                pragmas.append(pragma)
            else:
                others.append((start, lexeme))
        if kind in {"attribute", "standard", "noexcept", "friend", "typename"}:
            gaps.append((end - len(lexeme.lstrip()), end))
        seen, read = _masked_lexeme(kind, lexeme)
        shown.append(seen)
        parsed.append(read)
        done = end
    shown.append(text[done:])
    parsed.append(text[done:])
    visible, readable = (_UNNAMED_BITS.sub(_named_bits, "".join(part)) for part in (shown, parsed))
    readable = _SIZED_CALL.sub(lambda word: f"{word.group()[:-1]}_", unlike_folds(readable))
    readable = _COPIED_OBJECT.sub(r"\1 this", with_comparisons(readable))
    if "..." in readable:
        readable = _POINTER_PACK.sub(lambda signs: blank(signs.group()), readable)
    if "\r" in visible:
        visible, readable = visible.replace("\r", " "), readable.replace("\r", " ")
    if "thread_block_tile" in readable:
        # `thread_block_tile<32> t` would be read as two comparisons.
        readable = _TILE.sub(lambda tile: re.sub(r"[^\w\n]", "_", tile.group()), readable)
    if not readable.isascii():
        readable = _NOT_ASCII.sub("x", readable)
    laid_out = Layouts(tuple(layouts), packs_of(others))
    return Masked(visible, readable, tuple(pragmas), tuple(gaps), laid_out)


def _named_bits(match: re.Match[str]) -> str:
    blanks = match["before"] + match["after"]
    at = next((n for n, one in enumerate(blanks) if one != "\n"), None)
    if at is None or len(blanks) == 1:
        return match.group()
    kept = blanks[:at] + blanks[at + 1 :]
    return f"{match['type']}{kept[0]}_:{kept[1:]}"


def _masked_lexeme(kind: str | None, lexeme: str) -> tuple[str, str]:
    """The lexeme as it may be copied, and as the parser reads it."""
    if kind in {"string", "char"}:
        quote = lexeme[0]
        return lexeme, quote + "x" * (len(lexeme) - 2) + quote
    if kind == "raw":
        # C has no such strings, and what a kernel prints is not looked at.
        return '""' + blank(lexeme[2:]), '""' + blank(lexeme[2:])
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
    indent = len(lexeme) - len(lexeme.lstrip())
    return Pragma(start + indent, start + len(lexeme), " ".join(count.split()))
