"""Source text cut into pieces that mutations move around; joined again they are the text."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"""
    [^\W\d]\w* | \.?\d(?:[eEpP][+-]|[\w.'])* | "(?:\\.|[^"\\\n])*"? | '(?:\\.|[^'\\\n])*'?
    | //[^\n]* | /\*.*?(?:\*/|\Z) | <<<|>>>|<<=|>>=|\.\.\.|->|\+\+|--|::|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||\#\#
    | \n | [^\S\n]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING = {"(": ")", "[": "]", "{": "}"}


def tokens_of(text: str) -> list[str]:
    """All pieces of a text, blanks and line ends among them."""
    return _PIECE.findall(text)


def is_name(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"


def is_number(token: str) -> bool:
    return token[:1].isdigit() or (token[:1] == "." and token[1:2].isdigit())


def closing(tokens: list[str], start: int) -> int:
    """The index of the bracket that closes the one at `start`, or that of the last token."""
    depth = 0
    for index in range(start, len(tokens)):
        if tokens[index] in OPENING:
            depth += 1
        elif tokens[index] in OPENING.values():
            depth -= 1
            if depth <= 0:
                return index
    return len(tokens) - 1


def statements(tokens: list[str]) -> list[tuple[int, int]]:
    """Stretches `[start, end)` that look like statements: up to a semicolon, or with a block."""
    found = []
    for index, token in enumerate(tokens):
        if token not in ("{", ";", "}"):
            continue
        start = index + 1
        end = start
        while end < len(tokens) and tokens[end] not in (";", "}"):
            if tokens[end] in OPENING:
                last = closing(tokens, end)
                if tokens[end] == "{":
                    end = last
                    break
                end = last
            end += 1
        if end < len(tokens) and tokens[end] in (";", "}") and "".join(tokens[start:end]).strip():
            found.append((start, end + 1))
    return found
