"""Decisions drawn by hypothesis in tests, by a seeded generator where files are written."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st
from oracle.writer import Writer

from corpus.layout import Style


class RandomWriter(Writer):
    """A writer whose decisions follow from a seed."""

    def __init__(self, random: Random) -> None:
        super().__init__(lambda strategy: None)  # type: ignore[arg-type]
        self.random = random

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def choose(self, *choices: tuple[str, str]) -> tuple[str, str]:
        return self.random.choice(choices)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def chance(self, one_in: int) -> bool:
        return self.random.randint(1, one_in) == one_in


_BRACES = ("plain", "line", "knr", "allman", "gnu", "tokens")
_NEWLINES = ("\n", "\r\n", "\r")
_INDENTS = ("    ", "\t", "  ", "")
_SOME = (0, 5, 30)
_FEW = (0, 2, 10)


def style_of(writer: Writer) -> Style:
    """A style with some of everything."""

    def one(choices: tuple[int, ...]) -> int:
        return choices[writer.number(0, len(choices) - 1)]

    return Style(
        braces=writer.pick(*_BRACES),
        newline=writer.pick(*_NEWLINES),
        indent=writer.pick(*_INDENTS),
        mark=writer.chance(4),
        comments=one(_SOME),
        continued=one(_SOME),
        split=one(_FEW),
        odd_blanks=one(_SOME),
        skipped=one(_SOME),
        macros=one(_SOME),
        names=writer.pick("plain", "long", "utf8"),
        seed=writer.number(0, 2**16),
    )


@st.composite
def writers(draw: st.DrawFn) -> Writer:
    """A writer whose decisions hypothesis draws, and shrinks."""
    return Writer(draw)
