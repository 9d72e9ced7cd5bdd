"""Macro definitions and their expansion: pcpp's, with exact places and bounded work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pcpp
from pcpp.parser import Macro

from estimator.source import codes
from estimator.source.conditions import integers_for
from estimator.source.diagnostics import Code, Diagnostic, diagnose
from estimator.source.position import SourceFile
from estimator.source.predefined import PREDEFINED
from estimator.source.tokens import ID, SPACE, PastedTokens, Place, Token, tokenize

_EXPANSION_LIMIT = 1_000_000  # tokens, for a small file
_EXPANSIONS_PER_CHARACTER = 8


class AbandonedError(Exception):
    """Preprocessing cannot go on; the diagnostic that says why is recorded already."""


class MacroExpander(pcpp.Preprocessor):  # type: ignore[misc]
    """The macros of one run, and the diagnostics that it makes."""

    def __init__(self, main: SourceFile, macros: Mapping[str, str]) -> None:
        self.main = main
        self.diagnostics: list[Diagnostic] = []
        self.directive: Place = (main, 0)
        self.characters = 0  # of all files entered so far
        self._expanded = 0
        self._expanding: Sequence[str] = ()
        self._fixed: frozenset[str] = frozenset()
        super().__init__()
        self.lexer = PastedTokens()
        self.evaluator: Any = integers_for(self.evaluator)
        self.expand_filemacro = False
        self.macros.pop("__PCPP__", None)
        self.macros.update(_predefined())
        quoted = main.path.replace("\\", "\\\\").replace('"', '\\"')
        self.define(f'__FILE__ "{quoted}"')
        for name, value in macros.items():
            self.define(f"{name} {' '.join(value.split())}")
        self._fixed = frozenset(name.split("(")[0] for name in macros)

    def report(self, code: Code, place: Place, message: str) -> None:
        """Record a diagnostic at `place`."""
        file, offset = place
        if not file.path:  # a definition given as text
            file, offset = self.directive
        diagnostic = diagnose(code, file.position(offset), message)
        if self.diagnostics[-1:] != [diagnostic]:
            self.diagnostics.append(diagnostic)

    def abandon(self, place: Place, message: str) -> None:
        """Record what cannot be gone on with, and raise AbandonedError."""
        self.report(codes.PREPROCESSOR, place, message)
        raise AbandonedError

    def tokenize(self, text: str) -> list[Token]:
        """Tokens of a definition given as text."""
        return tokenize(text)

    def define(self, tokens: str | list[Token]) -> None:
        """Define a macro, unless the user fixed its value."""
        if isinstance(tokens, str):
            tokens = tokenize(tokens)
        name = tokens[0] if tokens else None
        if name is None or name.type != ID or name.value == "defined":
            self.report(codes.PREPROCESSOR, self.directive, "expected a macro name after #define")
            return
        if name.value in self._fixed:
            return
        try:
            super().define(tokens)
        except (LookupError, AttributeError):
            self.report(codes.PREPROCESSOR, name.source, f"malformed definition of {name.value}")
            return
        macro = self.macros.get(name.value)
        for token in macro.value if macro else ():
            token.made = True

    def undef(self, tokens: str | list[Token]) -> None:
        """Forget a macro, unless the user fixed its value."""
        if isinstance(tokens, str):
            tokens = tokenize(tokens)
        name = tokens[0]
        if name.type != ID:
            self.report(codes.PREPROCESSOR, self.directive, "expected a macro name after #undef")
        elif name.value not in self._fixed:
            self.macros.pop(name.value, None)

    def expand_macros(
        self, tokens: list[Token], expanding_from: Sequence[str] | None = None
    ) -> list[Token]:
        """`tokens` with macros replaced, except for `expanding_from`.

        pcpp forgets those names when it expands arguments, so that `#define f(x) g(f(x))` would
        never end; without the argument, the ones of the expansion under way hold.
        """
        outer = self._expanding
        self._expanding = outer if expanding_from is None else expanding_from
        try:
            return self._expand_uses(tokens, self._expanding)
        finally:
            self._expanding = outer

    def _expand_uses(self, tokens: list[Token], expanding_from: Sequence[str]) -> list[Token]:
        """Hands pcpp one use at a time: it searches and splices its whole list for each."""
        out: list[Token] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if not self._may_expand(token, expanding_from):
                out.append(token)
                index += 1
                continue
            use, index = self._one_use(tokens, index)
            while True:
                piece = super().expand_macros(use, list(expanding_from))
                self._spend(len(piece), token)
                # What a macro leaves may be the name of another one whose arguments follow.
                last = _last_solid(piece)
                if last is None or not self._may_expand(piece[last], expanding_from):
                    break
                arguments_end = self._arguments_end(tokens, index)
                if arguments_end is None:
                    break
                out.extend(piece[:last])
                use = [*piece[last:], *tokens[index:arguments_end]]
                index = arguments_end
            out.extend(piece)
        return out

    def _may_expand(self, token: Token, expanding_from: Sequence[str]) -> bool:
        if token.type != ID:
            return False
        name = token.value
        if name not in self.macros:
            return name in ("__LINE__", "__COUNTER__")
        return name not in expanding_from and name not in getattr(token, "expanded_from", ())

    def _one_use(self, tokens: list[Token], index: int) -> tuple[list[Token], int]:
        """The macro's name with its arguments, and the index after them."""
        macro = self.macros.get(tokens[index].value)
        end = index + 1
        if macro is not None and macro.arglist is not None:
            end = self._arguments_end(tokens, end) or end
        return tokens[index:end], end

    def _arguments_end(self, tokens: list[Token], index: int) -> int | None:
        """The index after the parenthesised arguments at `index`, if there are any."""
        while index < len(tokens) and tokens[index].type == SPACE:
            index += 1
        if index == len(tokens) or tokens[index].value != "(":
            return None
        begin, depth = index, 0
        while index < len(tokens):
            value = tokens[index].value
            index += 1
            if value == "(":
                depth += 1
            elif value == ")":
                depth -= 1
                if depth == 0:
                    self._spend(index - begin, tokens[begin])
                    return index
        message = "the arguments of a macro are not closed before the end or the next directive"
        self.report(codes.PREPROCESSOR, tokens[begin].source, message)
        self._spend(index - begin, tokens[begin])
        return None

    def _spend(self, count: int, token: Token) -> None:
        self._expanded += count
        if self._expanded > _EXPANSION_LIMIT + _EXPANSIONS_PER_CHARACTER * self.characters:
            self.abandon(token.source, "macros expand to too much text")


_PREDEFINED_MACROS: dict[str, Macro] = {}


def _predefined() -> dict[str, Macro]:
    """pcpp's form of the predefined macros, made once; expansions copy their tokens."""
    if not _PREDEFINED_MACROS:
        for name, text in PREDEFINED.items():
            value = tokenize(text)
            for token in value:
                token.made = True
            macro = Macro(name, value)
            macro.source, macro.lineno = value[0].source, 0
            _PREDEFINED_MACROS[name] = macro
    return _PREDEFINED_MACROS


def _last_solid(tokens: list[Token]) -> int | None:
    for index in range(len(tokens) - 1, -1, -1):
        if tokens[index].type != SPACE:
            return index
    return None
