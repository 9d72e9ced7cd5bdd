"""`std::integer_sequence` and what makes one: numbers from 0 on, for a pack to be deduced from.

`std::index_sequence<I...>` is read as `iseq__<size_t, I...>`, `std::make_index_sequence<N>` as
`mkseq__<size_t, N>` and `std::index_sequence_for<T...>` as `forseq__<T...>`. The first is a class
template, `grammars/standard.py`; the others are written out here. [intseq]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.grammars.standard import SEQUENCES
from estimator.simplify.draft import LostError
from estimator.simplify.fold import fold
from estimator.source.codes import TOO_LARGE

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.symbols import Type

_FORMS = {
    "integer_sequence": "iseq__<",
    "index_sequence": "iseq__<size_t,",
    "make_integer_sequence": "mkseq__<",
    "make_index_sequence": "mkseq__<size_t,",
    "index_sequence_for": "forseq__<",
}
_LISTED = "|".join(sorted(_FORMS, key=len, reverse=True))
_NAMED = rf"(?<![\w:])(?:::\s?)?(?:cuda\s?::\s?)?std\s?::\s?(?P<name>{_LISTED})\s?<"
_SHORT = rf"(?<![\w:.])(?P<short>{_LISTED})\s?<"
_OWN = re.compile(rf"\b(?:struct|class|using|define)\s+(?:{_LISTED})\b")
_EMPTY = re.compile(r"\s*>")
_MOST = 4096  # nobody writes more by hand what a pack is written out to


def with_sequences(text: str, *, opened: bool) -> tuple[str, int | None]:
    """The text with the names of sequences as they are read, as long as it was, and where the
    first one stands; `opened`: the names stand without their namespace as well."""
    if "_sequence" not in text:
        return text, None
    both = opened and not _OWN.search(text)
    pattern = re.compile(f"{_NAMED}|{_SHORT}" if both else _NAMED)
    first = pattern.search(text)

    def read(match: re.Match[str]) -> str:
        form = _FORMS[match["name"] or match["short"]]
        if _EMPTY.match(text, match.end()):
            form = form.rstrip(",")
        return form.ljust(len(match.group()))

    return pattern.sub(read, text), first.start() if first is not None else None


def written_out(
    defined: Type, arguments: list[str], node: Node, draft: Draft
) -> tuple[Type, list[str]]:
    """`mkseq__<int, 3>` → `iseq__<int, 0, 1, 2>`; any other template as it is.

    Raises LostError where the length is not known.
    """
    if defined.name not in SEQUENCES:
        return defined, arguments
    plain = draft.program.find_type("iseq__", "")
    is_counted = defined.name == "mkseq__" and len(arguments) == 2
    length = fold(arguments[1]) if is_counted else len(arguments)
    if plain is None or length is None or length < 0 or (defined.name == "mkseq__") > is_counted:
        raise draft.lose(node, "a sequence whose length is not known here")
    if length > _MOST:
        message = f"a sequence of more than {_MOST} numbers is not supported"
        raise LostError(node.start_byte, message, TOO_LARGE)
    first = arguments[0] if is_counted else "size_t"
    return plain, [first, *map(str, range(int(length)))]
