"""Value classes: dataclasses that nothing changes once they are made.

`dataclass(frozen=True)` has each `__init__` go through `object.__setattr__`, field by field, and
an analysis makes tens of thousands of small values: 4 % of its time, and a tenth of a start.
Here the type checker, which sees every line, keeps them from being changed instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

C = TypeVar("C")

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    @dataclass_transform(frozen_default=True, field_specifiers=(field,))
    def immutable(**options: bool) -> Callable[[C], C]:
        """A class decorator; `slots` (on unless told), `eq` and `order` as `dataclass` has them."""

else:

    def immutable(*, slots: bool = True, eq: bool = True, order: bool = False) -> Any:
        """A class decorator; `slots` (on unless told), `eq` and `order` as `dataclass` has them."""

        def decorate(cls: type) -> type:
            hashed = eq and cls.__dict__.get("__hash__") is None
            return dataclass(slots=slots, eq=eq, order=order, unsafe_hash=hashed)(cls)

        return decorate
