"""What `simplify` gives to `parse`: the simplified text, cut into items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from estimator.immutable import immutable
from estimator.source.diagnostics import Diagnostic
from estimator.source.position import PositionMap


class ItemKind(str, Enum):
    """What a top-level piece of simplified CUDA C declares."""

    TYPE = "type"
    VARIABLE = "variable"
    FUNCTION = "function"
    KERNEL = "kernel"
    LAUNCH = "launch"


@immutable()
class Item:
    """One top-level declaration: `text[start:end]` of the simplified text."""

    kind: ItemKind
    name: str
    start: int
    end: int


@immutable()
class LostItem:
    """An item that could not be simplified, and why; kernels that need it are lost too.

    `path` is the file that it stands in, empty where that is not known; `shown` its name as the
    user wrote it, where that is another one.
    """

    kind: ItemKind
    name: str
    diagnostic: Diagnostic
    path: str = ""
    shown: str = ""


@immutable()
class LaunchWarning:
    """What of a launch cannot be followed; `kernel` is empty where it is not known."""

    kernel: str
    diagnostic: Diagnostic


@immutable()
class Spoken:
    """A function as C++ calls it, where the text has another name for it.

    `name`: `hit` for the method `S__hit`, `operator+`, `S::f` for a static one, the class for a
    constructor, nothing for a conversion. `is_reference`: its result is an address in the text.
    """

    name: str
    is_method: bool = False
    is_reference: bool = False


@immutable()
class SimplifiedUnit:
    """One translation unit in simplified CUDA C.

    `positions` leads from offsets of `text` to the user's files. `lost` items are not in
    `text`. `diagnostics` holds those of the preprocessor and of `simplify`, those of lost items
    and launches included. `written` has the names of types that the user wrote otherwise, such as
    `Vec<float, 4>` for `Vec__float_4`; `functions` the same for functions.
    """

    path: str
    text: str
    positions: PositionMap
    items: tuple[Item, ...]
    lost: tuple[LostItem, ...]
    launch_warnings: tuple[LaunchWarning, ...]
    diagnostics: tuple[Diagnostic, ...]
    written: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Spoken] = field(default_factory=dict)
