"""What goes wrong with a GPU name or a profile file."""

from __future__ import annotations

from estimator.source.codes import BAD_PROFILE, UNKNOWN_GPU
from estimator.source.diagnostics import Code

__all__ = ["BAD_PROFILE", "UNKNOWN_GPU", "GpuError"]


class GpuError(Exception):
    """A GPU that cannot be used: `code` is K501 (unknown) or K502 (broken profile).

    `message` says what is wrong, all faults of a profile one a line; `help` is the next step.
    """

    def __init__(self, message: str, help: str, code: Code) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.code = code

    def __str__(self) -> str:
        return f"{self.message} [{self.code.id}]\n  {self.help}"
