"""Standard output: what it can show, and writing to it."""

from __future__ import annotations

import os
import shutil
import sys

_NARROWEST, _WIDEST, _DEFAULT = 40, 120, 80
_SAMPLE = "→³⌊⌋·−µ×–"


def prepare_streams() -> None:
    """What a stream's encoding lacks comes out as an escape, never as an exception."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def knows_unicode() -> bool:
    """Whether standard output can show the signs that formulas are written with."""
    try:
        _SAMPLE.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def is_terminal() -> bool:
    """Whether standard output is a terminal that knows more than plain text."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def shows_color() -> bool:
    """Whether colours are wanted (https://no-color.org)."""
    return not os.environ.get("NO_COLOR")


def width() -> int:
    """The terminal's width in characters, 80 where there is none."""
    columns = shutil.get_terminal_size((_DEFAULT, 24)).columns
    return max(_NARROWEST, min(columns, _WIDEST))


def write(text: str) -> None:
    """Write to standard output at once, so that a closed pipe is noticed here."""
    sys.stdout.write(text)
    sys.stdout.flush()
