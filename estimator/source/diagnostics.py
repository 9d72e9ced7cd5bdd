"""What went wrong with an input: a code, a severity, a place, a message and a next step."""

from __future__ import annotations

from enum import Enum

from estimator.immutable import immutable
from estimator.source.position import Position


class Severity(str, Enum):
    """`ERROR`: something was not analysed. `WARNING`: it was, and the reader should know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@immutable()
class Code:
    """One kind of diagnostic; its identifier never changes its meaning."""

    id: str
    severity: Severity
    title: str
    help: str


@immutable()
class Diagnostic:
    """One finding about the input, tied to a place in it."""

    code: Code
    position: Position
    message: str
    help: str

    def __str__(self) -> str:
        severity = self.code.severity.value
        return f"{self.position}: {severity}: {self.message} [{self.code.id}]\n  {self.help}"


class InputError(Exception):
    """Carries the diagnostic for the part of the input that cannot be analysed."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


def diagnose(code: Code, position: Position, message: str, help: str | None = None) -> Diagnostic:
    """A diagnostic of `code`, with the code's own next step unless `help` names a better one."""
    return Diagnostic(code, position, message, help or code.help)
