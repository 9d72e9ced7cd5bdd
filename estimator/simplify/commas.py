"""`(a = i, …)`: assignments in parentheses, which the parser takes for a fold expression over `=`.

A statement is read without its parentheses. Elsewhere `|` stands in place of the first `=`, so that
the comma is the comma that it is. Only what the parser reads is changed, not what is copied.
"""

from __future__ import annotations

import re

_SIGN = r"(?P<sign>(?:[-+*/%&|^]|<<|>>)?=(?!=))"
_NAME = r"[A-Za-z_]\w*(?:\s*::\s*\w+)*"
_STEPS = r"(?:\s*\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]|\s*(?:\.|->)\s*\w+)*"
_ASSIGNED = re.compile(
    rf"\(\s*(?:\*\s*)*(?:\([^()]*\)|{_NAME}(?:\s*\([^()]*\))?){_STEPS}\s*{_SIGN}"
)
_WORD = re.compile(r"[A-Za-z_]\w*$")
_ENDED = re.compile(r"\s*;")
_BRACKETS = re.compile(r"[()\[\]{},;]")
_FARTHEST = 400  # characters of a condition in front of a statement that are looked at
_BEFORE_VALUE = frozenset("=(,;{}?:&|+-*/<>!")
_BEFORE_STATEMENT = frozenset(";{}")
_VALUE_WORDS = frozenset({"if", "while", "switch", "return"})
_STATEMENT_WORDS = frozenset({"else", "do"})
_HEADS = frozenset({"if", "while", "for", "switch"})


def unlike_folds(parsed: str) -> str:
    """The text in which no assignment in front of a comma looks like a fold expression."""
    changed = list(parsed) if _ASSIGNED.search(parsed) else None
    if changed is None:
        return parsed
    at = 0
    while (found := _ASSIGNED.search(parsed, at)) is not None:
        at = found.start() + 1
        close = _close_behind_comma(parsed, found.end())
        if close is None:
            continue
        if _is_statement(parsed, found.start(), close):
            changed[found.start()] = changed[close] = " "
        elif _is_value(parsed, found.start()):
            first, last = found.span("sign")
            changed[first:last] = "|".ljust(last - first)
    return "".join(changed)


def _close_behind_comma(text: str, at: int) -> int | None:
    """Where the parenthesis around `at` ends, if a comma stands in it by itself."""
    depth, has_comma = 0, False
    for match in _BRACKETS.finditer(text, at):
        sign = match.group()
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            if depth == 0:
                return match.start() if sign == ")" and has_comma else None
            depth -= 1
        elif depth == 0:
            if sign == ";":
                return None
            has_comma = True
    return None


def _is_statement(text: str, start: int, close: int) -> bool:
    """Whether what stands in parentheses is a statement by itself."""
    if not _ENDED.match(text, close + 1):
        return False
    before = _before(text, start)
    if not before or before[-1] in _BEFORE_STATEMENT:
        return True
    if before[-1] == ")":
        return _word_before(before[: _opening(before)]) in _HEADS
    return _word_before(before) in _STATEMENT_WORDS


def _is_value(text: str, start: int) -> bool:
    before = _before(text, start)
    return before[-1:] in _BEFORE_VALUE or _word_before(before) in _VALUE_WORDS


def _before(text: str, start: int) -> str:
    return text[max(0, start - _FARTHEST) : start].rstrip()


def _word_before(text: str) -> str:
    found = _WORD.search(text.rstrip())
    return found.group() if found is not None else ""


def _opening(text: str) -> int:
    """Where the parenthesis begins that ends the text."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return at
    return 0
