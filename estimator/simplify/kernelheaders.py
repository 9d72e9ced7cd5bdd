"""Headers of kernels: CUDA's attributes in any order, and macros that nobody can see.

The parser knows `__launch_bounds__` with two numbers only, and none of the other attributes
that may stand in `__global__ void __launch_bounds__(128) __cluster_dims__(2) k(float *x)`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.mask import Masked, blank
from estimator.simplify.names import SPECIFIERS

if TYPE_CHECKING:
    from estimator.simplify.tree import Tree

_GLOBAL = re.compile(r"\b__global__\b")
_BEFORE = frozenset(";{}<>=,[]:\"#'")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_ATTRIBUTES = frozenset({
    "__launch_bounds__",
    "__cluster_dims__",
    "__maxnreg__",
    "__block_size__",
    "__local_maxnreg__",
})  # fmt: skip
_TYPED = frozenset({"void", "auto"})
_NOT_MACROS = SPECIFIERS | _TYPED | {"decltype", "requires", "try", "noexcept", "override", "final"}
_OPENING = {"(": ")", "<": ">", "[": "]"}


@immutable()
class _Word:
    """A word of a header, `[start, end)`, and where its parentheses open and end, if it has."""

    text: str
    start: int
    end: int
    opened: int = 0
    closed: int = 0

    @property
    def stop(self) -> int:
        """Where the word ends with its parentheses."""
        return self.closed or self.end


def clear_headers(masked: Masked) -> Masked:
    """Blank what the parser does not know in the headers of kernels.

    Attributes go, apart from two numbers in `__launch_bounds__`; unknown words go too if the
    rest is a header, and are listed as `left_out`.
    """
    parsed = masked.parsed
    spans: list[tuple[int, int]] = []
    left_out: list[int] = []
    for qualifier in _GLOBAL.finditer(parsed):
        start = _header_start(parsed, qualifier.start())
        if spans and start < spans[-1][1]:
            continue
        for word, is_macro in _unread(parsed, list(_words(parsed, start))):
            spans.append((word.start, word.stop))
            if is_macro:
                left_out.append(word.start)
    if not spans:
        return masked
    return replace(
        masked,
        text=_blanked(masked.text, spans),
        parsed=_blanked(parsed, spans),
        gaps=tuple(sorted({*masked.gaps, *spans})),
        left_out=tuple(left_out),
    )


def unfound_kernels(tree: Tree, found: list[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The kernels with a body in the text that are in none of the `found` stretches.

    Gives each one's `__global__` and its name, `?` where that is not to be seen.
    """
    stretches = sorted(found)
    starts = [start for start, _ in stretches]
    for qualifier in _GLOBAL.finditer(tree.parsed):
        at = qualifier.start()
        index = bisect_left(starts, at + 1) - 1
        if any(start <= at < end for start, end in stretches[max(0, index - 8) : index + 1]):
            continue
        if not _has_body(tree.parsed, at):
            continue
        words = list(_words(tree.parsed, at))
        index = _parameters(tree.parsed, words)
        yield at, words[index].text if index >= 0 else "?"


def _header_start(parsed: str, at: int) -> int:
    depth = 0
    while at > 0:
        before = parsed[at - 1]
        if before in "()":
            depth += 1 if before == ")" else -1
        if depth < 0 or (depth == 0 and before in _BEFORE):
            break
        at -= 1
    return at


def _words(parsed: str, at: int) -> Iterator[_Word]:
    """The words from an offset to the body or the semicolon."""
    last: _Word | None = None
    while at < len(parsed) and parsed[at] not in "{};[=#\"'":
        char = parsed[at]
        name = _NAME.match(parsed, at)
        if name is not None:
            if last is not None:
                yield last
            last = _Word(name.group(), *name.span())
            at = name.end()
        elif char in "(<":
            closed = _closed(parsed, at)
            if closed < 0:
                break
            if char == "(" and last is not None and not last.closed:
                last = replace(last, opened=at, closed=closed)
            at = closed
        else:
            at += 1
    if last is not None:
        yield last


def _closed(parsed: str, at: int) -> int:
    """Behind what closes the bracket at an offset; -1 if nothing does."""
    opening, closing = parsed[at], _OPENING[parsed[at]]
    depth = 0
    for index in range(at, len(parsed)):
        char = parsed[index]
        depth += (char == opening) - (char == closing)
        if depth == 0:
            return index + 1
        if char == ";" or (char == "{" and opening == "<"):
            break
    return -1


def _parameters(parsed: str, words: list[_Word]) -> int:
    """Which word has the parameters: the last one that can; -1 if none can."""
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        if not word.closed or word.text in _ATTRIBUTES or word.text in _NOT_MACROS:
            continue
        if not parsed[word.opened + 1 : word.closed].lstrip()[:1].isdigit():
            return index
    return -1


def _unread(parsed: str, words: list[_Word]) -> Iterator[tuple[_Word, bool]]:
    """What is to be blanked in a header, and whether it is a macro."""
    name = _parameters(parsed, words)
    if name < 0:
        return
    is_typed = any(word.text in _TYPED for word in words[:name])
    is_plain = not any(word.text in {"requires", "auto"} for word in words)
    for index, word in enumerate(words):
        if word.text in _ATTRIBUTES:
            if word.text == "__launch_bounds__":
                third = _third(parsed, word)
                if third:
                    yield _Word("", third, word.closed - 1), False
            else:
                yield word, False
        elif word.text in _NOT_MACROS or index == name or "::" in word.text:
            continue
        elif is_typed and (index < name or is_plain):
            yield word, True


def _third(parsed: str, bounds: _Word) -> int:
    """Where the comma in front of a third argument stands; 0 if there is none."""
    depth = commas = 0
    for index in range(bounds.opened, bounds.closed):
        char = parsed[index]
        depth += (char in "([<") - (char in ")]>")
        if char == "," and depth == 1:
            commas += 1
            if commas == 2:
                return index
    return 0


def _has_body(parsed: str, at: int) -> bool:
    for index in range(at, len(parsed)):
        if parsed[index] in "{;}":
            return parsed[index] == "{"
    return False


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        parts += [text[done:start], blank(text[start:end])]
        done = max(done, end)
    return "".join([*parts, text[done:]])
