"""`_Pragma("…")` operators → `#pragma …` lines, while tokens are laid out."""

from __future__ import annotations

from collections.abc import Iterator

from estimator.source.layout import Layout
from estimator.source.tokens import ID, SPACE, STRING, Token


def lay_out(tokens: Iterator[Token], layout: Layout) -> None:
    """Give all `tokens` to `layout`, in order."""
    for token in tokens:
        if token.type == ID and token.value == "_Pragma":
            _operator(token, tokens, layout)
        else:
            layout.add(token)


def _operator(name: Token, tokens: Iterator[Token], layout: Layout) -> None:
    """One operator; what does not look like one is passed on as it is."""
    seen = [name]
    expected = ["(", "", ")"]
    text = ""
    for token in tokens:
        seen.append(token)
        if token.type == SPACE:
            continue
        wanted = expected.pop(0)
        if wanted == "" and token.type == STRING:
            text = token.value
        elif token.value != wanted:
            break
        if not expected:
            content = text[text.find('"') + 1 : -1]
            layout.add_pragma(name, content.replace('\\"', '"').replace("\\\\", "\\"))
            return
    for token in seen:
        layout.add(token)
