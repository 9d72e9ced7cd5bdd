"""What stops a run: a kernel that the oracle cannot read, or that does something undefined."""

from __future__ import annotations

from estimator.source.position import Position


class OracleError(Exception):
    """The kernel cannot be run to its end; says why and, where known, at which position."""

    def __init__(self, message: str, position: Position | None = None) -> None:
        super().__init__(f"{position}: {message}" if position else message)
        self.position = position


class Jump(Exception):
    """A goto on its way to its label, in the translated program."""

    def __init__(self, label: str) -> None:
        super().__init__(f"no label {label} further on")
        self.label = label
