"""pcpp as kcost uses it: exact places, diagnostics instead of output, bounded work.

Importing this module imports pcpp, which takes some 40 ms: `preprocess` does so when it must.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from estimator.source import codes
from estimator.source.diagnostics import InputError
from estimator.source.headers import Headers, header_name, is_known
from estimator.source.lines import Lines
from estimator.source.macros import MacroExpander
from estimator.source.position import SourceFile
from estimator.source.read import read_text
from estimator.source.tokens import INTEGER, SPACE, Token
from estimator.source.undecided import Question

INCLUDE_DEPTH_LIMIT = 200
TEXT_LIMIT = 64_000_000  # characters of all files together, with repetitions

_MISSING = ""  # the value of the token that stands for what a directive lacks
# #if expressions at whose end pcpp, looking for an include guard, reads on.
_CUT_SHORT = (["!"], ["!", "defined"], ["!", "defined", "("])
_NEEDS_ARGUMENT = frozenset(("define", "undef", "include", "ifdef", "ifndef", "if", "elif"))


class Expander(MacroExpander):
    """One run over one file and what it includes; `diagnostics` fill up as tokens are drawn."""

    def __init__(
        self,
        main: SourceFile,
        include_dirs: Sequence[str],
        macros: Mapping[str, str],
        headers: Headers,
    ) -> None:
        super().__init__(main, macros)
        self._headers = headers
        self._include_dirs = tuple(include_dirs)
        self._entering = main
        self._folders: list[str] = []
        # The files being read, with the macros at their start where they stand in themselves.
        self._open: list[tuple[str, dict[str, str] | None]] = []
        self._macros_now: dict[str, str] | None = None
        self.questions: list[Question] = []

    def tokens(self) -> Iterator[Token]:
        """The preprocessed tokens of the main file, blanks among them. Raises AbandonedError."""
        return self._file_tokens(self.main)

    # --- files ------------------------------------------------------------------------------

    def _file_tokens(self, file: SourceFile) -> Iterator[Token]:
        self.characters += len(file.text)
        if self.characters > TEXT_LIMIT:
            self.abandon(self.directive, "the included files are too large together")
        self._entering = file
        self._folders.append(os.path.dirname(file.path))
        self._open.append((_identity(file.path), self._macros_now))
        yield from self.parsegen("", file.path, _identity(file.path))
        self._open.pop()
        self._folders.pop()

    def group_lines(self, input: str, abssource: str) -> Iterator[list[Token]]:
        """The logical lines of the file being entered, in place of pcpp's altered text."""
        return self._checked_lines(Lines(self._entering, self.macros))

    def _checked_lines(self, lines: Lines) -> Iterator[list[Token]]:
        yield from lines
        if lines.unclosed is not None:
            what, offset = lines.unclosed
            self.report(codes.PREPROCESSOR, (lines.file, offset), f"{what} without an end")

    def include(self, tokens: list[Token], original_line: list[Token]) -> Iterator[Token]:
        """The tokens of the header that the directive names."""
        place = next(token for token in original_line if token.type != SPACE).source
        self.directive = place
        header = header_name("".join(token.value for token in tokens))
        if header is None:
            self.report(codes.PREPROCESSOR, place, 'expected "FILE" or <FILE> after #include')
            return
        name, angled = header
        folders = self._include_dirs if angled else (self._folders[-1], *self._include_dirs)
        path = self._headers.find(name, folders)
        if path is None:
            if not angled and not is_known(name):
                self.report(codes.HEADER_NOT_FOUND, place, f'header "{name}" was not found')
            return
        if self._seen(path):
            return
        if self.include_depth >= INCLUDE_DEPTH_LIMIT:
            self.abandon(place, f"includes are nested more than {INCLUDE_DEPTH_LIMIT} deep")
        if self._endless(path):
            self.abandon(place, f'"{name}" includes itself without end')
        try:
            file = read_text(path)
        except InputError as error:
            self._headers.texts[path] = None
            self.report(codes.PREPROCESSOR, place, error.diagnostic.message)
            return
        self._headers.texts[path] = file.text
        yield from self._file_tokens(file)

    def _endless(self, path: str) -> bool:
        """Whether a file is entered inside itself with the very macros of the time before."""
        before = [macros for key, macros in self._open if key == _identity(path)]
        self._macros_now = self._macro_texts() if before else None
        return bool(before) and before[-1] == self._macros_now

    def _macro_texts(self) -> dict[str, str]:
        return {
            name: "".join(token.value for token in macro.value)
            for name, macro in self.macros.items()
        }

    def _seen(self, path: str) -> bool:
        key = _identity(path)
        if key not in self.include_once:
            return False
        guard = self.include_once[key]
        return guard is None or guard in self.macros

    # --- directives -------------------------------------------------------------------------

    def on_directive_handle(
        self, directive: Token, toks: list[Token], ifpassthru: bool, precedingtoks: list[Token]
    ) -> bool:
        """Called before each directive, in branches not taken too: so nothing is reported.

        Where an argument is lacking, a stand-in spares pcpp an IndexError; it is reported when
        it is used.
        """
        self.lastdirective = directive
        self.directive = precedingtoks[0].source
        name = directive.value
        if name in ("elifdef", "elifndef"):
            self.report(codes.PREPROCESSOR, self.directive, f"#{name} is not supported")
        if name == "if" and [tok.value for tok in toks] in _CUT_SHORT:
            toks.clear()
        if not toks and name in _NEEDS_ARGUMENT:
            missing = Token(INTEGER, _MISSING, directive.file, directive.lexpos, directive.lineno)
            toks.append(missing)
        return True

    def on_directive_unknown(
        self, directive: Token, toks: list[Token], ifpassthru: bool, precedingtoks: list[Token]
    ) -> bool:
        """#error and directives that pcpp does not know, in branches that are taken."""
        name = directive.value
        rest = "".join(tok.value for tok in toks)
        if name == "error":
            self.report(codes.PREPROCESSOR, self.directive, f"#error {rest}".rstrip())
        elif name not in ("warning", "line", "ident", "pragma") and directive.type != INTEGER:
            self.report(codes.PREPROCESSOR, self.directive, f"unknown directive #{name}")
        return True

    def on_unknown_macro_in_defined_expr(self, tok: Token) -> bool:
        """Unknown names are not defined."""
        if tok.value == _MISSING:
            self.report(codes.PREPROCESSOR, self.directive, "expected a macro name")
        else:
            self._ask(tok.value)
        return False

    def on_unknown_macro_in_expr(self, ident: str) -> int:
        """Undefined macros count as 0 in #if; `true` is 1 in C++."""
        if ident not in ("true", "false"):
            self._ask(ident)
        return int(ident == "true")

    def _ask(self, name: str) -> None:
        file, offset = self.directive
        self.questions.append(Question(name, file, offset))

    def evalexpr(self, tokens: list[Token]) -> tuple[int, None]:
        """The value of an #if or #elif expression; 0 where it is malformed."""
        solid = [token.value for token in tokens if token.type != SPACE]
        if not solid or solid[0] == _MISSING or solid[-1] == "defined":
            self.report(codes.PREPROCESSOR, self.directive, "expected an expression")
            return 0, None
        try:
            value, _ = super().evalexpr(tokens)
        except (LookupError, AttributeError, TypeError, RecursionError):
            self.report(codes.PREPROCESSOR, self.directive, "the condition cannot be evaluated")
            return 0, None
        return value, None

    def on_error(self, file: object, line: int, msg: str) -> None:
        """pcpp's own errors; `file` is a token's place."""
        place = file if isinstance(file, tuple) else self.directive
        if msg.startswith("Could not evaluate"):
            place, msg = self.directive, "the condition cannot be evaluated"
        elif msg.startswith("Misplaced"):
            place, msg = self.directive, f"{msg.split()[-1]} without #if"
        elif msg.startswith("Unterminated"):
            # The place is that of the line's first token, which may be its indentation.
            source, offset = place
            place = source, source.text.index("#", offset)
            found = re.search(r"#\s*(\w+)", msg)
            msg = f"#{found[1] if found else 'if'} without #endif"
        else:
            msg = msg[:1].lower() + msg[1:]
        self.report(codes.PREPROCESSOR, place, msg)


def _identity(path: str) -> str:
    return os.path.realpath(path)
