"""Source text → preprocessing tokens that know which characters of which file they are.

pcpp's own lexer joins lines, rewrites trigraphs and takes numbers such as `1.5f` apart, so its
offsets and tokens cannot be trusted; the tokens here carry pcpp's type names and replace them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from estimator.source.position import SourceFile

Place = tuple[SourceFile, int]
"""A file and an offset in it."""

ID, INTEGER, FLOAT, STRING, CHAR = "CPP_ID", "CPP_INTEGER", "CPP_FLOAT", "CPP_STRING", "CPP_CHAR"
SPACE, PRAGMA, OTHER = "CPP_WS", "CPP_PRAGMA", "CPP_OTHER"

# Alternatives in order; what lacks its end matches up to the end of the line or text, so that each
# character is read a bounded number of times.
_TOKEN = re.compile(
    r"""
    (?P<CPP_ID>(?!(?:u8|[uUL])?R?["'])(?:[^\W\d]|\$)[\w$]*)
  | (?P<SPACE>(?:[^\S\n]+|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z))+)
  | (?P<NEWLINE>\n)
  | (?P<NUMBER>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
  | (?P<RAW>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?s:.*?)(?:\)(?P=delimiter)"|\Z))
  | (?P<CPP_STRING>(?:u8|[uUL])?R?"[^"\\\n]*(?:\\.[^"\\\n]*)*"?)
  | (?P<CPP_CHAR>(?:u8|[uUL])?R?'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)
  | (?P<CPP_DPOUND>\#\#)
  | (?P<CPP_LSHIFT><<(?!=|<)) | (?P<CPP_RSHIFT>>>(?!=|>))
  | (?P<CPP_LESSEQUAL><=) | (?P<CPP_GREATEREQUAL>>=) | (?P<CPP_EQUALITY>==)
  | (?P<CPP_INEQUALITY>!=) | (?P<CPP_LOGICALAND>&&) | (?P<CPP_LOGICALOR>\|\|)
  | (?P<CPP_OTHER><<<|>>>|<<=|>>=|\+\+|--|->|::|\.\.\.|[-+*/%&|^]=)
  | (?P<CPP_POUND>\#) | (?P<CPP_PLUS>\+) | (?P<CPP_MINUS>-) | (?P<CPP_STAR>\*)
  | (?P<CPP_FSLASH>/) | (?P<CPP_PERCENT>%) | (?P<CPP_BAR>\|) | (?P<CPP_AMPERSAND>&)
  | (?P<CPP_TILDE>~) | (?P<CPP_HAT>\^) | (?P<CPP_LESS><) | (?P<CPP_GREATER>>)
  | (?P<CPP_EXCLAMATION>!) | (?P<CPP_QUESTION>\?) | (?P<CPP_LPAREN>\() | (?P<CPP_RPAREN>\))
  | (?P<CPP_COMMA>,) | (?P<CPP_COLON>:)
  | (?P<REST>(?s:.))
    """,
    re.VERBOSE,
)
_INTEGER = re.compile(r"(?:0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)(?:[uUlLzZ]{0,3})")

_TYPES = {"SPACE": SPACE, "NEWLINE": SPACE, "RAW": STRING, "REST": OTHER}


class Token:
    """One preprocessing token, with the attributes that pcpp reads and writes.

    `file` and `lexpos` are where its characters stand and never change. `source` is where the
    user wrote it: pcpp gives all tokens of an expansion the `source` of the macro's name.
    `made` marks tokens out of a macro's definition. pcpp adds `expanded_from`.
    """

    __slots__ = ("expanded_from", "file", "lexpos", "lineno", "made", "source", "type", "value")
    expanded_from: list[str]

    def __init__(self, type: str, value: str, file: SourceFile, lexpos: int, lineno: int) -> None:
        self.type = type
        self.value = value
        self.file = file
        self.lexpos = lexpos
        self.lineno = lineno
        self.source: Place = (file, lexpos)
        self.made = False

    def __copy__(self) -> Token:
        # Macros copy every token that they leave: without a call of __init__ for each.
        token = Token.__new__(Token)
        token.type, token.value = self.type, self.value
        token.file, token.lexpos, token.lineno = self.file, self.lexpos, self.lineno
        token.source = self.source
        token.made = self.made
        expanded_from = getattr(self, "expanded_from", None)
        if expanded_from is not None:
            # A list of its own: pcpp appends to it in place.
            token.expanded_from = list(expanded_from)
        return token


def match_token(text: str, position: int) -> tuple[str, str]:
    """The type and the characters of the token at `position`, which is inside `text`."""
    found = _TOKEN.match(text, position)
    assert found is not None, "the last alternative matches anything"
    kind, value = found.lastgroup or "", found.group()
    if kind == "NUMBER":
        kind = INTEGER if _INTEGER.fullmatch(value) else FLOAT
    return _TYPES.get(kind, kind), value


def tokenize(text: str) -> list[Token]:
    """The tokens of a text that is no file: a macro's definition, a pasted token."""
    file = SourceFile("", text)
    tokens = []
    position = 0
    while position < len(text):
        type, value = match_token(text, position)
        tokens.append(Token(type, value, file, position, 1))
        position += len(value)
    return tokens


class PastedTokens:
    """What pcpp asks of a PLY lexer to find out what kind of token `##` made."""

    def __init__(self) -> None:
        self._tokens: Iterator[Token] = iter(())

    def clone(self) -> PastedTokens:
        return PastedTokens()

    def input(self, text: str) -> None:
        self._tokens = iter(tokenize(text))

    def token(self) -> Token | None:
        return next(self._tokens, None)
