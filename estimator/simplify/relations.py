"""What host code says of the variables that it hands to a kernel: `oh` is `H - 2`.

Such a variable is a parameter of its launch function, and so a size of its own. What it is in
other parameters stands beside it: `assume__(oh == H - 2);`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.aggregates import member_values
from estimator.simplify.handedon import may_be_set
from estimator.simplify.members import field_type
from estimator.simplify.names import INTEGER_WORDS
from estimator.simplify.slicing import Slice, Slices

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.hostcode import Known

_DEEPEST = 20
# Numbers that are no sizes: of others a formula in the parameter is worth more.
_NO_SIZES = frozenset({"0", "1"})


@immutable()
class Relation:
    """A parameter of a slice, and the expression that it is, with the slice that this stands in."""

    name: str
    part: Slice
    value: Node
    source: Slice


def relations(slices: Slices, objects: list[str]) -> list[Relation]:
    """What is known of handed variables in parameters that the launch has without them.

    So are the members of `objects`, local structures that are handed by their names. The slices
    get the statements that the expressions need.
    """
    found: list[Relation] = []
    for part in slices.outermost_first():
        for name in sorted(part.handed.keys() & part.parameters.keys()):
            relation = _relation(name, part)
            if relation is not None:
                found.append(relation)
    own = slices.of(slices.own)
    for name in objects:
        found += _of_members(name, own)
    for one in found:
        one.source.need(one.source.evaluator.names_in(one.value) or set())
    return found


def _relation(name: str, part: Slice) -> Relation | None:
    if part.evaluator.type_of(name) not in {"int", "auto"}:
        return None
    argument = part.argument(name)
    known = part.variables.get(name)
    if argument is not None:
        value, source = _single(argument[0]), argument[1]
    elif known is not None and _is_sure(known):
        value, source = _single(known.events[0].value), part
    else:
        return None
    if value is None:
        return None
    roots = _roots(value, source, 0)
    if roots is None or (name, id(part)) in roots:
        return None
    if not roots:
        frame = part.frame
        is_fixed = known is not None and known.type.is_const
        if not is_fixed and may_be_set(name, frame.draft.tree, frame.code):
            return None
        if source.number(value) not in _NO_SIZES:
            return None
    return Relation(name, part, value, source)


def _of_members(name: str, part: Slice) -> Iterator[Relation]:
    """`g_nx == nx`, of `Grid g{a, nx, ny};`: members become parameters too."""
    known = part.variables.get(name)
    for member, node in member_values(name, part.frame.draft, part.frame.code).items():
        value = _single(node)
        record = known.type.base if known is not None else ""
        integer = part.frame.draft.resolved_type(field_type(part.frame.draft, record, member))
        if value is None or not integer or not all(one in INTEGER_WORDS for one in integer.split()):
            continue
        roots = _roots(value, part, 0)
        if roots or (roots is not None and part.number(value) in _NO_SIZES):
            part.parameters.setdefault(f"{name}_{member}", "int ")
            yield Relation(f"{name}_{member}", part, value, part)


def _is_sure(known: Known) -> bool:
    """Whether a variable has the value that it is declared with where the launch stands."""
    is_changed = known.is_parameter or known.is_changed or known.fixed is not None
    return not is_changed and len(known.events) == 1 and not known.events[0].is_conditional


def _single(node: Node | None) -> Node | None:
    """What stands in the parentheses or braces of `int half(n / 2)`."""
    while node is not None and node.type in {"argument_list", "initializer_list"}:
        inside = [one for one in node.named_children if one.type != "comment"]
        node = inside[0] if len(inside) == 1 else None
    return node


def _roots(node: Node, part: Slice, deep: int) -> set[tuple[str, int]] | None:
    """The parameters, of slices, that an expression rests on; None if it needs anything else."""
    names = part.evaluator.names_in(node)
    if names is None or deep > _DEEPEST:
        return None
    found: set[tuple[str, int]] = set()
    for name in names:
        roots = _roots_of_name(name, part, deep + 1)
        if roots is None:
            return None
        found |= roots
    return found


def _roots_of_name(name: str, part: Slice, deep: int) -> set[tuple[str, int]] | None:
    if name in part.parameters:
        return {(name, id(part))}
    same = part.same_in_caller(name)
    if same is not None:
        return _roots_of_name(*same, deep + 1) if deep <= _DEEPEST else None
    given = part.passed.get(name) or part.argument(name)
    if given is not None:
        return _roots(*given, deep)
    known = part.variables.get(name)
    if known is None:
        return set() if part.is_constant(name) else None
    needed = part.needs(name, known) if _is_followed(known) else None
    if needed is None or deep > _DEEPEST:
        return None
    found: set[tuple[str, int]] = set()
    for one in needed - {name}:
        roots = _roots_of_name(one, part, deep + 1)
        if roots is None:
            return None
        found |= roots
    return found


def _is_followed(known: Known) -> bool:
    return not known.is_parameter and not known.is_changed and known.fixed is None
