"""Type parameters that every call binds anew: what may not depend on one, since it is chosen once.

A function's type parameter stays open where the type of an argument is not known. A structure of
members may be made of it; a class with more than these, a specialisation or a value may not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.draft import LostError
from estimator.simplify.symbols import TypeKind
from estimator.source.codes import TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.program import Program
    from estimator.simplify.symbols import Type

_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
_FUNCTIONS = frozenset({"function_definition", "lambda_expression"})


def refuse_class(defined: Type, arguments: Sequence[str], at: Node, draft: Draft) -> None:
    """Raise LostError for an instance of a class template, at a node of the source, of which
    nothing says what it is: an argument is open, may be a reference, or has no known value."""
    if is_plain(defined, draft.program):
        return
    shown = " ".join(draft.text_of(at).split())
    refuse_open(shown, arguments, at.start_byte, draft.program)
    name = _forwarded(at, draft)
    if name is not None:
        message = f"whether '{name}' stands for a reference is not known, and '{shown}' depends"
        raise LostError(at.start_byte, f"{message} on it", TEMPLATE)
    if defined.name in draft.program.symbols.specialised and "sizeof" in " ".join(arguments):
        message = f"which specialisation '{shown}' means is not known"
        raise LostError(at.start_byte, message, TEMPLATE)


def refuse_open(shown: str, texts: Iterable[str], at: int, program: Program) -> None:
    """Raise LostError where what is chosen by `texts`, template arguments, depends on a type
    that is open; `shown` is what the user wrote, at the offset `at`."""
    for text in texts if program.placeholders else ():
        name = _open_name(text, program)
        if name is not None:
            raise depends_on(name, shown, at)


def depends_on(name: str, shown: str, at: int) -> LostError:
    """The exception for what `shown` is, which depends on the type parameter `name`."""
    message = f"what '{name}' stands for is not known, and '{shown}' depends on it"
    return LostError(at, message, TEMPLATE)


def _open_name(text: str, program: Program) -> str | None:
    """The user's name of an open type parameter in a text, or in what its classes are made of."""
    for word in _WORD.findall(text):
        if word in program.placeholders:
            return program.placeholders[word]
        record = program.bindings.get(word)
        name = _open_name(" ".join(record.arguments), program) if record is not None else None
        if name is not None:
            return name
    return None


def is_plain(defined: Type, program: Program) -> bool:
    """Whether a type has members of its own and nothing else, whatever its parameters are."""
    if defined.kind is not TypeKind.RECORD:
        return True
    if defined.constants or defined.name in program.symbols.specialised:
        return False
    members = program.table.members(defined)
    return not (members.bases or members.functions or members.types or members.enumerators)


def _forwarded(at: Node, draft: Draft) -> str | None:
    """A template argument that is `T` of `f(T &&x)`: a reference if an lvalue is passed."""
    listed = at.child_by_field_name("arguments")
    names = {draft.text_of(one) for one in listed.named_children} if listed is not None else set()
    node = at.parent
    while node is not None and node.type not in _FUNCTIONS:
        node = node.parent
    body = node.child_by_field_name("body") if node is not None else None
    if node is None or body is None:
        return None
    head = draft.tree.parsed[node.start_byte : body.start_byte]
    return next((one for one in sorted(names) if _is_forwarded(one, head)), None)


def _is_forwarded(name: str, head: str) -> bool:
    return name.isidentifier() and re.search(rf"[(,]\s*{name}\s*&&", head) is not None
