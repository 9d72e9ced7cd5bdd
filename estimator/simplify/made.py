"""What became of an item: made, or failed."""

from __future__ import annotations

from estimator.immutable import immutable
from estimator.simplify.draft import LostError, Piece
from estimator.simplify.unit import ItemKind


@immutable()
class Made:
    """An item as it was made. `order`: where in the source it belongs.

    `kernel`: the kernel that a launch launches.
    """

    kind: ItemKind
    name: str
    order: int
    pieces: tuple[Piece, ...]
    kernel: str = ""


@immutable()
class Failed:
    """An item that was lost, and the exception that says why."""

    kind: ItemKind
    name: str
    order: int
    why: LostError
    is_host: bool = False
