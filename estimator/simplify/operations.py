"""Function objects of the user's own that are handed to a library: `Reduce(v, MaxOp())`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.classes import CALL
from estimator.simplify.overloads import choose
from estimator.simplify.passing import require
from estimator.simplify.typeof import type_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


def require_operations(value: Node, arguments: list[Node], draft: Draft) -> None:
    """Ask for the `operator()` of every object among the arguments, applied to two values such
    as `value`."""
    given = type_of(value, draft)
    for argument in arguments:
        made = type_of(argument, draft)
        record = draft.program.records.get(made.base) if made is not None else None
        if record is None or made is None or made.depth:
            continue
        methods = draft.program.table.functions(record, CALL)
        chosen = choose(methods, [value, value], [given, given], draft, argument)
        if chosen is not None:
            require(chosen, draft)
