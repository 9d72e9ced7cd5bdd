"""The same tokens laid out in another way, and where each of them then stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from corpus.tokens import Token

_JUNK = ("}} {{ ) (", "int x = ;", "it's not code", "#if 1\nelse { }\n#endif", "<<<>>> /* } */")
_REMARKS = ("", " x", " { ( [", ' "', " it's", " // }", " \\", " ;", " größer → π", " */*"[:2])


@dataclass(frozen=True, slots=True)
class Style:
    """How to lay a program out. Chances are in per cent, for each gap, token or statement."""

    braces: str = "plain"  # plain, line, knr, allman, gnu, tokens
    newline: str = "\n"
    indent: str = "    "
    mark: bool = False  # a byte order mark
    comments: int = 0
    continued: int = 0  # line continuations in gaps
    split: int = 0  # line continuations inside words and numbers
    odd_blanks: int = 0  # form feeds, vertical tabs, tabs
    skipped: int = 0  # `#if 0` blocks
    macros: int = 0  # statements that become macros
    names: str = "plain"  # plain, long, utf8
    seed: int = 0


@dataclass
class Laid:
    """`places[i]`: line and column of token `i`; tokens of a macro have those of its use.

    `ends[i]` is the place behind it, where what is missing is said to be missing.

    `groups[i]` is the first token that shares the place of token `i`; `names` maps new names
    to those before.
    """

    text: str
    places: list[tuple[int, int]]
    ends: list[tuple[int, int]]
    groups: list[int]
    names: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        return self.text.encode("utf-8")


def plain(tokens: list[Token]) -> Laid:
    """The tokens as they stood, without comments."""
    return lay_out(tokens, Style(), ())


def lay_out(tokens: list[Token], style: Style, local_names: tuple[str, ...]) -> Laid:
    """The tokens in a style; `local_names` may be renamed."""
    return _Layout(tokens, style, local_names).laid()


class _Layout:
    def __init__(self, tokens: list[Token], style: Style, local_names: tuple[str, ...]) -> None:
        self.tokens = tokens
        self.style = style
        self.random = Random(style.seed)
        self.renamed = {name: _new_name(name, style.names) for name in local_names}
        self.parts: list[str] = []
        self.line, self.column = 1, 1
        self.fresh = True  # at the start of a line
        self.depth = 0
        self.parentheses = 0

    def laid(self) -> Laid:
        macros = dict(self._macros())
        places: list[tuple[int, int]] = []
        ends: list[tuple[int, int]] = []
        groups: list[int] = []
        for number, (start, end) in enumerate(macros.items()):
            body = " ".join(self._text(token) for token in self.tokens[start:end])
            self._write(f"#define BODY_{number} {body}\n")
        names = {start: f"BODY_{number}" for number, start in enumerate(macros)}
        index = 0
        while index < len(self.tokens):
            end = macros.get(index, index + 1)
            self._gap(index)
            places.extend([(self.line, self.column)] * (end - index))
            groups.extend([index] * (end - index))
            self._token(index, names.get(index))
            ends.extend([(self.line, self.column)] * (end - index))
            index = end
        self._write("\n")
        text = "".join(self.parts)
        if self.style.newline != "\n":
            text = text.replace("\n", self.style.newline)
        if self.style.mark:
            text = "\ufeff" + text
        return Laid(text, places, ends, groups, {new: old for old, new in self.renamed.items()})

    # -- tokens ------------------------------------------------------------------------------

    def _text(self, token: Token) -> str:
        if token.kind == "word":
            return self.renamed.get(token.text, token.text)
        if token.kind == "directive":
            return re.sub(r"[^\W\d]\w*", lambda m: self.renamed.get(m[0], m[0]), token.text)
        return token.text

    def _token(self, index: int, macro: str | None) -> None:
        token = self.tokens[index]
        text = macro or self._text(token)
        if token.kind in ("word", "number") and len(text) > 1 and self._chance(self.style.split):
            cut = self.random.randrange(1, len(text))
            text = f"{text[:cut]}\\\n{text[cut:]}"
        self._write(text)
        if token.kind == "directive":
            self._write("\n")
        elif macro is None:
            self.depth += (token.text == "{") - (token.text == "}")
            self.parentheses += (token.text in "([") - (token.text in ")]")

    def _write(self, text: str) -> None:
        self.parts.append(text)
        lines = text.count("\n")
        self.line += lines
        self.column = len(text) - text.rfind("\n") if lines else self.column + len(text)
        self.fresh = text.endswith("\n")

    def _chance(self, percent: int) -> bool:
        return percent > 0 and self.random.randrange(100) < percent

    # -- gaps --------------------------------------------------------------------------------

    def _gap(self, index: int) -> None:
        """What stands between a token and the one before it."""
        token, style = self.tokens[index], self.style
        before = self.tokens[index - 1] if index else None
        starts = before is None or (before.text in (";", "{", "}") and not self.parentheses)
        if token.kind == "directive":
            self._write("" if self.fresh else "\n")
            return
        if starts and self._chance(style.skipped):
            junk = self.random.choice(_JUNK)
            self._write(f"{'' if self.fresh else chr(10)}#if 0\n{junk}\n#endif\n")
        self._separate(token, before)
        if self._chance(style.comments):
            remark = self.random.choice(_REMARKS)
            if self.random.randrange(2):
                self._write(f"/*{remark} */ ")
            else:
                self._write(f"//{remark}.\n")
        if self._chance(style.continued):
            self._write(self.random.choice((" \\\n", "\\\n", " \\\n\\\n  ")))
        if self._chance(style.odd_blanks):
            self._write(self.random.choice(("\t", "\f", "\v", " \t ", "  ")))

    def _separate(self, token: Token, before: Token | None) -> None:
        style = self.style.braces
        if style == "plain":
            self._write(token.blank)
        elif style == "tokens":
            self._write("" if self.fresh else "\n")
        elif before is None or before.kind == "directive":
            return
        elif style == "line":
            self._write(" ")
        else:
            self._styled(token, before, style)

    def _styled(self, token: Token, before: Token, style: str) -> None:
        """A line for each statement, braces where the style has them."""
        depth = self.depth - (token.text == "}")
        indent = self.style.indent * max(depth, 0)
        if style == "gnu" and token.text in "{}" and depth:
            indent += "  "
        ends = before.text in (";", "{", "}") and not self.parentheses
        breaks = token.text == "{" and style != "knr" and not self.parentheses
        self._write(f"\n{indent}" if ends or breaks else " ")

    # -- macros ------------------------------------------------------------------------------

    def _macros(self) -> Iterator[tuple[int, int]]:
        """Statements inside of functions that become macros: from, to."""
        start, depth, parentheses = None, 0, 0
        for index, token in enumerate(self.tokens):
            depth += (token.text == "{") - (token.text == "}")
            parentheses += (token.text in "([") - (token.text in ")]")
            if token.text in ("{", "}") or token.kind == "directive":
                start = index + 1 if depth and not parentheses else None
            elif token.text == ";" and not parentheses:
                if start is not None and start < index and self._chance(self.style.macros):
                    yield start, index + 1
                start = index + 1 if depth else None


def _new_name(name: str, kind: str) -> str:
    if kind == "long":
        return f"{name}_{'a_name_as_long_as_a_sentence_' * 8}{len(name)}"
    if kind == "utf8":
        return f"größe_{name}_数"
    return name
