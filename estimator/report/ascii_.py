"""Text for terminals and files that know no more than ASCII."""

from __future__ import annotations

import re

_PLAIN = str.maketrans(
    {
        "→": "->", "×": "x", "·": "*", "−": "-", "–": "-", "µ": "u", "≥": ">=", "≤": "<=",
        "≈": "~", "…": "...", "’": "'", "“": '"', "”": '"', "⌊": "floor(", "⌋": ")",
        "⌈": "ceil(", "⌉": ")", "\N{NO-BREAK SPACE}": " ",
    }
)  # fmt: skip
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWER = re.compile(f"[{_SUPERSCRIPTS}]+")


def to_ascii(text: str) -> str:
    """The text with ASCII spellings; what has none is a backslash escape."""
    digits = str.maketrans(_SUPERSCRIPTS, "0123456789")
    text = _POWER.sub(lambda power: "^" + power.group().translate(digits), text)
    return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode("ascii")
