"""Macros that nobody can see, in front of functions: `EXPORT_API __global__ void k(int n)`."""

from __future__ import annotations

import re
from dataclasses import replace

from estimator.simplify.mask import Masked, blank
from estimator.simplify.names import BUILTIN_TYPES, SPECIFIERS

_QUALIFIER = re.compile(r"\b__(?:global|device|host)__\b")
_DELIMITERS = frozenset(';{}()<>=,[]"#')
_BOUNDS = re.compile(r"\b__(?:launch_bounds|cluster_dims)__\s*\(")
_WORD = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?!\w|\s*::)")


def blank_unknown_macros(masked: Masked) -> Masked:
    """Blank words in a function's header that are neither specifier, type nor name."""
    text, parsed = masked.text, masked.parsed
    gaps = list(masked.gaps)
    done = 0
    for qualifier in _QUALIFIER.finditer(parsed):
        if qualifier.start() < done:
            continue
        begin, done = qualifier.span()
        while begin > 0 and parsed[begin - 1] not in _DELIMITERS:
            begin -= 1
        while done < len(parsed) and parsed[done] not in _DELIMITERS:
            done += 1
        for start, end in _unknown_words(parsed, begin, done):
            gaps.append((start, end))
            text = text[:start] + blank(text[start:end]) + text[end:]
            parsed = parsed[:start] + blank(parsed[start:end]) + parsed[end:]
    return replace(masked, text=text, parsed=parsed, gaps=tuple(sorted(gaps)))


def _unknown_words(parsed: str, start: int, end: int) -> list[tuple[int, int]]:
    words = list(_WORD.finditer(parsed, start, end))
    typed = [word for word in words if word.group() in BUILTIN_TYPES]
    unknown = [
        word
        for word in words
        if word.group() not in SPECIFIERS and word.group() not in BUILTIN_TYPES
    ]
    followed_by = parsed[end : end + 1]
    if followed_by in {"(", "[", "=", ";", "{", "<"} and not _BOUNDS.match(parsed, _last(words)):
        unknown = unknown[:-1]  # the name that is declared
    if typed or not unknown:
        return [word.span() for word in unknown]
    if len(unknown) < 2:
        return []
    kept = next((word for word in reversed(unknown) if not word.group().isupper()), unknown[-1])
    return [word.span() for word in unknown if word is not kept]


def _last(words: list[re.Match[str]]) -> int:
    return words[-1].start() if words else 0
