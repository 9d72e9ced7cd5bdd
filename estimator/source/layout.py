"""Preprocessed tokens → text that reads like the source, and its position map."""

from __future__ import annotations

from bisect import bisect_right

from estimator.source.position import PositionMap, SourceFile
from estimator.source.tokens import PRAGMA, SPACE, Place, Token

_SIGNS = frozenset("+-*/%&|^<>=!:.#")
"""Characters of which two in a row may read as one operator."""

_DEEPEST_INDENT = 200


class Layout:
    """Puts each token on its own line where it can, and keeps indentation and spacing.

    Lines of the main file keep their numbers, except after an included file that is longer
    than the lines before the next token, and after a `_Pragma` that takes a line of its own.
    """

    def __init__(self, main: SourceFile) -> None:
        self.positions = PositionMap()
        self._main = main
        self._parts: list[str] = []
        self._length = 0
        self._line = 1
        self._at_line_start = True
        self._file = main
        self._file_line = 0  # the line in `_file` of the last token
        self._shift = 0  # output line − line in `_file`; the main file tries to keep 0
        self._space = ""
        self._in_pragma = False
        self._break_due = False
        self._last = ""
        self._last_verbatim_end = -1  # in `_file`; −1 after a made token

    @property
    def text(self) -> str:
        """All of it so far; ends in a newline if there is anything."""
        return "".join(self._parts) + ("" if self._at_line_start else "\n")

    def add(self, token: Token) -> None:
        """Append one token; blanks only say what separates the tokens around them."""
        value = token.value
        if token.type == SPACE:
            self._space = value if value != "\n" else self._space or " "
            if value == "\n" and self._in_pragma:
                self._in_pragma, self._break_due = False, True
            return
        if not value:
            return
        (file, offset), verbatim = place_of(token)
        line = bisect_right(file.line_starts, offset)
        if file is not self._file:
            self._enter(file, line)
        if self._break_due or token.type == PRAGMA:
            self._break()
            self._break_due, self._in_pragma = False, token.type == PRAGMA
        if line > self._file_line:
            self._go_to(line)
        if self._at_line_start:
            start = file.line_starts[line - 1]
            use_file, use = token.source
            # The first token of an expansion stands where the macro's name stood.
            self._indent(file, start, use if use_file is file and use >= start else offset)
        elif self._space or self._would_join(value, verbatim, offset):
            self._put(self._space or " ")
        self._map(file, offset, verbatim=verbatim)
        self._put(value)
        self._at_line_start = False
        self._line += value.count("\n")  # a raw string
        self._file_line += value.count("\n")
        self._space, self._last = "", value
        self._last_verbatim_end = offset + len(value) if verbatim else -1

    def add_pragma(self, token: Token, text: str) -> None:
        """The `_Pragma` operator at `token`, as the directive line that it stands for."""
        line = Token(PRAGMA, f"#pragma {text}", token.file, token.lexpos, token.lineno)
        line.source, line.made = token.source, True
        self.add(line)
        self._in_pragma, self._break_due = False, True

    def _enter(self, file: SourceFile, line: int) -> None:
        self._break()
        self._shift = 0 if file is self._main else self._line - line
        self._file, self._file_line = file, 0
        self._last_verbatim_end = -1

    def _go_to(self, line: int) -> None:
        missing = line + self._shift - self._line
        if missing > 0:
            self._put("\n" * missing)
            self._line += missing
            self._at_line_start = True
        elif self._file_line:
            self._break()
        self._file_line = line

    def _break(self) -> None:
        if not self._at_line_start:
            self._put("\n")
            self._line += 1
            self._at_line_start = True

    def _indent(self, file: SourceFile, start: int, offset: int) -> None:
        before = file.text[start:offset][:_DEEPEST_INDENT]
        self._put(before if before.isspace() else " " * len(before))

    def _would_join(self, value: str, verbatim: bool, offset: int) -> bool:
        """Whether the token, put right after the last one, would be read as part of it."""
        if verbatim and offset == self._last_verbatim_end:
            return False
        left, right = self._last[-1], value[0]
        if left.isalnum() or left == "_":
            return right.isalnum() or right in "_\"'" or (right == "." and left.isdigit())
        return (left in _SIGNS and right in _SIGNS) or (left == "." and right.isdigit())

    def _map(self, file: SourceFile, offset: int, *, verbatim: bool) -> None:
        segments = self.positions.segments
        if segments and (last := segments[-1]).file is file and last.verbatim is verbatim:
            advance = self._length - last.start if verbatim else 0
            if last.source_offset + advance == offset:
                return
        self.positions.add(self._length, file, offset, verbatim=verbatim)

    def _put(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)


def place_of(token: Token) -> tuple[Place, bool]:
    """Where the user wrote the token, and whether its characters stand there.

    Tokens of the file, also as arguments of a macro, stand at their own place. What a macro's
    definition made belongs to the place where the macro is used.
    """
    if not token.made and token.file.text.startswith(token.value, token.lexpos):
        return (token.file, token.lexpos), True
    return token.source, False
