"""A file's logical lines as tokens, no finer than the macros in sight need them.

Text without macro names is one token a line: preprocessing costs per token, not per character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from estimator.source.position import SourceFile
from estimator.source.predefined import BUILTIN
from estimator.source.splice import splice
from estimator.source.tokens import ID, OTHER, PRAGMA, SPACE, Token, match_token

_PRAGMA = re.compile(r"#[^\S\n]*pragma\b(?![^\S\n]+once\b)")
# Text that is neither comment nor literal nor directive; while arguments of a macro may stand
# there, without what separates them.
_TEXT = re.compile(r"""(?:[^\s#"'/][^\n#"'/]*|/(?![/*]))+""")
_ARGUMENT_TEXT = re.compile(r"""(?:[^\s(),#"'/][^\n(),#"'/]*|/(?![/*]))+""")
_NAME = re.compile(r"\.?\d(?:[eEpP][+-]|[\w.])*|(?:[^\W\d]|\$)[\w$]*")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)+")
_COMMENT = re.compile(r"//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)")
_WORD_END = re.compile(r"(?<![\w.$])(?:\.?\d(?:[eEpP][+-]|[\w.])*|[\w.$]*)\Z")


def _goes_on(value: str, after: str) -> bool:
    """Whether a character continues the word or number at the end of a text."""
    return bool(_WORD_END.match(after)) or (after in "+-" and value[-1] in "eEpP")


class Lines:
    """Iterates over a file's logical lines, each a list of tokens that ends in a newline.

    `macros` is looked at line by line, so that a directive changes how the next line is read.
    After the iteration `unclosed` says which comment or raw string has no end: what, and where.
    """

    def __init__(self, file: SourceFile, macros: Mapping[str, object]) -> None:
        self.file = file
        self.unclosed: tuple[str, int] | None = None
        self._macros = macros
        self._spliced = splice(file.text)
        self._text = self._spliced.text
        self._starts = [*file.line_starts, len(file.text) + 1]
        self._position = 0
        self._line = 1
        # Arguments of a macro may follow, possibly on later lines, `_depth` parentheses deep.
        self._in_arguments = False
        self._depth = 0

    def __iter__(self) -> Iterator[list[Token]]:
        while self._position < len(self._text):
            blank = _BLANK_LINES.match(self._text, self._position)
            if blank:
                self._position = blank.end()
                continue
            line = self._next_line()
            if any(token.type != SPACE for token in line):
                yield line

    def _next_line(self) -> list[Token]:
        tokens: list[Token] = []
        solid: Token | None = None  # the last token but blanks
        directive = False
        while self._position < len(self._text):
            if solid is None and self._text[self._position] == "#":
                pragma = _PRAGMA.match(self._text, self._position)
                directive = pragma is None
                if pragma:
                    solid = self._token(PRAGMA, pragma.group())
                    tokens.append(solid)
                    continue
            if not directive and self._add_text(tokens):
                solid = tokens[-1]
                continue
            token = self._fine_token()
            tokens.append(token)
            if token.type != SPACE:
                solid = token
                if directive:
                    continue
                if token.type == ID and not self._in_arguments and self._is_macro(token.value):
                    # A macro's name across a cut: from here on parentheses count.
                    self._in_arguments, self._depth = True, 0
                elif self._in_arguments:
                    self._depth = max(0, self._depth + (token.value == "(") - (token.value == ")"))
            elif token.value == "\n":
                self._end_line(solid)
                return tokens
        tokens.append(Token(SPACE, "\n", self.file, len(self.file.text), self._line))
        return tokens

    def _end_line(self, solid: Token | None) -> None:
        if solid is not None and not self._depth and not self._is_macro(solid.value):
            self._in_arguments = False

    def _is_macro(self, name: str) -> bool:
        return name in self._macros or name in BUILTIN

    def _add_text(self, tokens: list[Token]) -> bool:
        """Append the text here up to the next literal, comment or parenthesis, if there is any."""
        pattern = _ARGUMENT_TEXT if self._in_arguments else _TEXT
        text, start = self._text, self._position
        cut = self._spliced.next_cut(start)
        found = pattern.match(text, start, cut)
        if found is None:
            return False
        value, after = found.group(), text[found.end() : found.end() + 1]
        is_cut = found.end() == cut
        if after and (after in "\"'" or (is_cut and _goes_on(value, after))):
            # The prefix of a literal, or a word across a cut.
            value = value[: _WORD_END.search(value).start()]  # type: ignore[union-attr]
        value = value.rstrip()
        if not value:
            return False
        words = _NAME.findall(value)
        if self._macros.keys().isdisjoint(words) and BUILTIN.isdisjoint(words):
            tokens.append(self._token(OTHER, value))
        else:
            self._add_text_with_macros(tokens, value)
        return True

    def _add_text_with_macros(self, tokens: list[Token], value: str) -> None:
        end = 0
        for word in _NAME.finditer(value):
            if not self._is_macro(word.group()):
                continue
            self._add_piece(tokens, value[end : word.start()])
            tokens.append(self._token(ID, word.group()))
            end = word.end()
            if not self._in_arguments:
                # From here on parentheses count; the rest is read again.
                self._in_arguments, self._depth = True, 0
                return
        self._add_piece(tokens, value[end:])

    def _add_piece(self, tokens: list[Token], piece: str) -> None:
        core = piece.strip()
        if not core:
            if piece:
                tokens.append(self._token(SPACE, piece))
            return
        before = len(piece) - len(piece.lstrip())
        if before:
            tokens.append(self._token(SPACE, piece[:before]))
        tokens.append(self._token(OTHER, core))
        if before + len(core) < len(piece):
            tokens.append(self._token(SPACE, piece[before + len(core) :]))

    def _fine_token(self) -> Token:
        type, value = match_token(self._text, self._position)
        token = self._token(type, value)
        if self._position == len(self._text):
            self._check_end(token)
        if type == SPACE and not value.isspace():
            token.value = " "  # a comment, perhaps of several lines
        return token

    def _token(self, type: str, value: str) -> Token:
        """The token of `value`, which stands at the current position; steps over it."""
        offset = self._spliced.original(self._position)
        while self._starts[self._line] <= offset:
            self._line += 1
        self._position += len(value)
        return Token(type, value, self.file, offset, self._line)

    def _check_end(self, token: Token) -> None:
        value = token.value
        if token.type == SPACE:
            begin = -1
            for comment in _COMMENT.finditer(value):
                begin = comment.start() if comment.group().startswith("/*") else -1
            if begin >= 0 and not value.endswith("*/", begin + 2):
                # Exact unless a continuation stands in the blanks before the comment.
                self.unclosed = "comment", token.lexpos + begin
        elif 'R"' in value[:4] and "(" in value:
            delimiter = value[value.index('"') + 1 : value.index("(")]
            if not value.endswith(f'){delimiter}"'):
                self.unclosed = "raw string", token.lexpos
