"""Wrong usage that has a code: shown in one line with the next step, exit status 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

import click

ANALYSED, NOT_ANALYSED, WRONG_USAGE, UNEXPECTED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141


class UsageProblem(click.ClickException):
    """`message` says what is wrong, `help` what to do, `code` is the diagnostic's code."""

    exit_code = WRONG_USAGE

    def __init__(self, message: str, help: str, code: str) -> None:
        super().__init__(message)
        self.help = help
        self.code = code

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the problem to `file`, by default standard error."""
        click.echo(f"kcost: error: {self.message} [{self.code}]\n  {self.help}", file, err=True)


def nearest(name: str, known: Iterable[str]) -> str:
    """`; the nearest: N, M`, or all names there are, or nothing if there is none."""
    from difflib import get_close_matches

    names = sorted(set(known))
    if not names:
        return ""
    by_case = {candidate.lower(): candidate for candidate in reversed(names)}
    close = [by_case[n] for n in get_close_matches(name.lower(), by_case, n=3, cutoff=0.5)]
    if close:
        return f"; the nearest: {', '.join(close)}"
    return f"; there are: {', '.join(names)}" if len(names) <= 8 else ""
