"""`k < size<4>()` and `k < Size<4>::value` as comparisons: the parser would take `k<size<4>` for
an instance of a template."""

from __future__ import annotations

import re
from collections.abc import Iterator

_HEADER = re.compile(r"\btemplate\s*<")
_CALL = r"\b(?:%s)\s*<[^<>;(){}]*>\s*(?:\(|::)"
# The name in front of a `<`, or of a member.
_LAST_WORD = re.compile(r"(?<!:)\b[A-Za-z_]\w*\Z")
_NAME = re.compile(r"[A-Za-z_]\w*")
# How far a comparison may stand in front of the call.
_FARTHEST = 400
_LONGEST_WORD = 80
_KEYWORDS = frozenset({"template", "operator", "static_cast", "reinterpret_cast", "const_cast"})


def with_comparisons(text: str) -> str:
    """The text with `>` in place of `<` where that compares a name that is no template's with an
    expression in which one is used; for the parser alone, which reads both alike."""
    if not _HEADER.search(text):
        return text
    templates = set(_templates(text))
    signs: list[int] = []
    for call in re.finditer(_CALL % "|".join(templates), text) if templates else ():
        start = max(0, call.start() - _FARTHEST)
        sign = max(text.rfind(one, start, call.start()) for one in "<>;{}")
        if sign < 0 or text[sign] != "<" or text[sign + 1] in "<=":
            continue
        before = _LAST_WORD.search(text[max(start, sign - _LONGEST_WORD) : sign].rstrip())
        if before and before.group() not in templates | _KEYWORDS:
            signs.append(sign)
    for sign in signs:
        text = f"{text[:sign]}>{text[sign + 1 :]}"
    return text


def _templates(text: str) -> Iterator[str]:
    """The names of all templates of a file, those of variables and types too."""
    for header in _HEADER.finditer(text):
        depth, at = 1, header.end()
        while depth and at < len(text):
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
        declared = re.split(r"[({;=:]", text[at : at + 1000].replace("::", "  "), maxsplit=1)[0]
        names = _NAME.findall(declared)
        if names:
            yield names[-1]
