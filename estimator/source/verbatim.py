"""Preprocessing without a preprocessor: files in which only comments have to go.

Many kernels have no macro at all. Their text keeps every offset, and pcpp is not imported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from estimator.source.headers import Headers

_COMMENT_OR_TEXT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*(?s:.*?)(?:\*/|(?P<unclosed>\Z)))
    | (?P<raw>(?:u8|[uUL])?R") | [^\W\d]\w* | \.?\d(?:'\w|[\w.])*
    | "[^"\\\n]*(?:\\.[^"\\\n]*)*"? | '[^'\\\n]*(?:\\.[^'\\\n]*)*'?""",
    re.VERBOSE,
)
_DIRECTIVE = re.compile(r"^[^\S\n]*#[^\n]*", re.MULTILINE)
_INCLUDE = re.compile(r"\s*#\s*include\s*<([^>\n]+)>\s*")
_PRAGMA = re.compile(r"\s*#\s*pragma\b(.*)")
_NAME = re.compile(r"[^\W\d]\w*")


class _NeedsPreprocessorError(Exception):
    pass


def without_comments(
    text: str, include_dirs: Sequence[str], macro_names: AbstractSet[str], headers: Headers
) -> str | None:
    """`text` with comments and `#include <…>` blanked out, every offset kept.

    None when it takes a preprocessor: for any other directive but `#pragma`, a header that is
    found in `include_dirs`, a name of `macro_names`, a line continuation, a raw string, or an
    unclosed comment.
    """
    if "\\" in text and re.search(r"\\[^\S\n]*\n", text):
        return None

    def blank_comment(found: re.Match[str]) -> str:
        if found.lastgroup is None:
            return found.group()
        if found["comment"] is None or found["unclosed"] is not None:
            raise _NeedsPreprocessorError
        return _blank(found.group())

    def check_directive(found: re.Match[str]) -> str:
        line = found.group()
        include, pragma = _INCLUDE.fullmatch(line), _PRAGMA.fullmatch(line)
        if include and not headers.find(include[1], include_dirs):
            return _blank(line)
        if pragma:
            return _blank(line) if pragma[1].strip() == "once" else line
        raise _NeedsPreprocessorError

    try:
        bare = _COMMENT_OR_TEXT.sub(blank_comment, text)
        bare = _DIRECTIVE.sub(check_directive, bare)
    except _NeedsPreprocessorError:
        return None
    if macro_names & set(_NAME.findall(bare)):
        return None
    return bare


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
