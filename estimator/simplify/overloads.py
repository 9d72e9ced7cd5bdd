"""Which of several functions a call means, by the types of its arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.classes import CONSTRUCTOR, CONVERSION, Callee
from estimator.simplify.conversions import SMALL
from estimator.simplify.draft import LostError
from estimator.simplify.enabling import is_enabled
from estimator.simplify.inference import CType
from estimator.simplify.instances import Key, call_key
from estimator.simplify.names import AGGREGATE_TYPES, FLOAT_WORDS
from estimator.simplify.symbols import Parameter, Role, TypeKind
from estimator.simplify.synonyms import plain_name
from estimator.simplify.viable import generality, is_contradicted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_SAME, _QUALIFIED, _PROMOTED, _CONVERTED, _MADE = 0, 1, 8, 16, 32
_ENUMERATIONS = frozenset({TypeKind.ENUM, TypeKind.SCOPED_ENUM})
_LVALUES = frozenset({"identifier", "field_expression", "subscript_expression"})
_RVALUES = frozenset({"number_literal", "binary_expression", "unary_expression"})


@immutable()
class Chosen:
    """A function that a call means, as an instance, and the template values to pass to it."""

    callee: Callee
    key: Key
    runtime: tuple[str, ...] = ()
    parameters: tuple[CType | None, ...] = ()


def choose(
    candidates: Sequence[Callee],
    nodes: Sequence[Node],
    types: Sequence[CType | None],
    draft: Draft,
    at: Node,
    explicit: Sequence[str] = (),
) -> Chosen | None:
    """The best candidate for a call; None where none is viable.

    Raises LostError where several are as good, or the only one cannot be instantiated.
    """
    found: list[tuple[tuple[int, int, int, int], Chosen]] = []
    failure: LostError | None = None
    is_open = False
    for callee in candidates:
        if not fits(callee, len(nodes)):
            continue
        if len(candidates) > 1:
            if not explicit and is_enabled(callee, types, draft) is False:
                continue
            contradicted = is_contradicted(callee.function, types, explicit, draft)
            if contradicted:
                continue
            is_open = is_open or contradicted is None
        try:
            key, runtime = call_key(callee, explicit, nodes, types, draft, at)
        except LostError as why:
            failure = why
            continue
        chosen = Chosen(callee, key, tuple(runtime))
        if len(candidates) == 1:
            return chosen
        cost = _cost(chosen, nodes, types, draft)
        if cost is not None:
            found.append(((cost, *generality(callee.function)), chosen))
    if not found:
        if failure is not None:
            raise failure
        return None
    best = min(rank for rank, _ in found)
    winners = [chosen for rank, chosen in found if rank == best]
    if len(winners) > 1:
        winners = _by_const(winners)
    others = [one for _, one in found]
    is_open = is_open and len(found) > 1
    if len(winners) > 1 or is_open or _is_open(winners[0], others, types, draft):
        name = winners[0].callee.function.name
        raise draft.lose(at, f"the overloaded function '{name}'")
    return winners[0]


def _is_open(
    winner: Chosen, others: Sequence[Chosen], types: Sequence[CType | None], draft: Draft
) -> bool:
    """Whether an argument of unknown type may decide for another function."""
    unknown = [index for index, one in enumerate(types) if one is None]
    if not unknown or len(others) < 2:
        return False
    wanted = [draft.program.parameter_types(one.callee, one.key) for one in (winner, *others)]
    return any(
        len({_shape(one[index]) for one in wanted if index < len(one)}) > 1 for index in unknown
    )


def _shape(one: CType | None) -> tuple[str, int] | None:
    return (plain_name(one.base), one.depth) if one is not None else None


def fits(callee: Callee, count: int) -> bool:
    """Whether a function may take so many arguments."""
    function = callee.function
    if any(one.is_pack for one in function.parameters):
        return count >= function.least_arguments - 1
    return function.least_arguments <= count <= len(function.parameters)


def _by_const(winners: list[Chosen]) -> list[Chosen]:
    """Of two methods that differ in `const`, the one for the object."""
    free = [one for one in winners if not one.callee.function.is_const]
    is_method = all(one.callee.function.role is Role.METHOD for one in winners)
    return free if is_method and len(free) == 1 else winners


def _cost(
    chosen: Chosen, nodes: Sequence[Node], types: Sequence[CType | None], draft: Draft
) -> int | None:
    """How far the arguments are from the parameters; None if one cannot be passed."""
    parameters = draft.program.parameter_types(chosen.callee, chosen.key)
    own = chosen.callee.function.parameters
    total = 0
    for index, (wanted, given) in enumerate(zip(parameters, types, strict=False)):
        if given is None or wanted is None:
            continue
        cost = conversion_cost(given, wanted, draft)
        more = None
        if index < len(own) and not own[index].is_pack and index < len(nodes):
            names = {one.name for one in chosen.callee.function.template or ()}
            is_open = own[index].base in names  # `T &&` takes everything
            more = _binding_cost(own[index], nodes[index], given, wanted, draft, is_open=is_open)
        if cost is None or more is None:
            return None
        total += cost + more
    return total


def _binding_cost(
    parameter: Parameter,
    node: Node,
    given: CType,
    wanted: CType,
    draft: Draft,
    *,
    is_open: bool,
) -> int | None:
    """What `const` and references make of passing a value of a type as that type."""
    is_any = draft.program.is_placeholder(wanted.base)
    if not is_any and plain_name(given.base) != plain_name(wanted.base):
        return 0
    if given.depth != wanted.depth or not (parameter.is_reference or given.depth):
        return 0
    if given.is_const and not wanted.is_const and not is_any:
        return None
    if parameter.is_reference:
        is_right = "&&" in draft.text_of(parameter.node)
        if is_right and node.type in _LVALUES and not is_open:
            return None
        if not is_right and not wanted.is_const and node.type in _RVALUES:
            return None
        if not is_right and wanted.is_const and node.type in _RVALUES:
            return _QUALIFIED
    return _QUALIFIED if wanted.is_const and not given.is_const else 0


def conversion_cost(given: CType, wanted: CType, draft: Draft, *, user: bool = True) -> int | None:
    """What it takes to pass `given` as `wanted`: 0 nothing; None if it is impossible."""
    program = draft.program
    given = replace(given, base=plain_name(given.base))
    wanted = replace(wanted, base=plain_name(wanted.base))
    if given.depth == wanted.depth and given.base == wanted.base:
        return _SAME
    open_given, open_wanted = (
        program.is_placeholder(given.base),
        program.is_placeholder(wanted.base),
    )
    if open_wanted:
        return _SAME if given.depth >= wanted.depth else None
    if given.depth or wanted.depth:
        return _pointer_cost(given, wanted, draft, is_open=open_given)
    if wanted.base in program.records:
        record = program.records[wanted.base]
        if given.base in program.records:
            bases = program.table.all_bases(program.records[given.base])
            return _PROMOTED if any(base.name == wanted.base for base in bases) else None
        if user and not open_given and _constructs(record, given, draft):
            return _MADE
        return None
    if wanted.base in AGGREGATE_TYPES:
        return None
    if given.base in program.records:
        found = program.table.functions(program.records[given.base], CONVERSION)
        return _MADE if user and found else None
    if given.base in AGGREGATE_TYPES:
        return None
    if not open_given:
        kind = _kind(given, draft)
        if _kind(wanted, draft) in _ENUMERATIONS or kind is TypeKind.SCOPED_ENUM:
            return None  # nothing becomes an enumeration by itself
        if wanted.base == "int" and kind is TypeKind.ENUM:
            return _PROMOTED
    return _CONVERTED if open_given else _scalar_cost(given.base, wanted.base)


def _kind(found: CType, draft: Draft) -> TypeKind | None:
    named = draft.program.bindings.get(found.base)
    return named.defined.kind if named is not None else None


def _constructs(record: object, given: CType, draft: Draft) -> bool:
    """Whether a class has a constructor that takes such a value alone."""
    for one in draft.program.table.functions(record, CONSTRUCTOR):  # type: ignore[arg-type]
        if not fits(one, 1) or one.function.template is not None:
            continue
        (wanted, *_) = draft.program.parameter_types(one, ())
        if wanted is None or conversion_cost(given, wanted, draft, user=False) is not None:
            return True
    return False


def _pointer_cost(given: CType, wanted: CType, draft: Draft, *, is_open: bool) -> int | None:
    if is_open:
        return _CONVERTED
    if wanted.depth != given.depth:
        return _CONVERTED if wanted.base == "bool" and not wanted.depth else None
    if wanted.base == "void":
        return _CONVERTED
    given_record = draft.program.records.get(given.base)
    if given_record is not None:
        bases = draft.program.table.all_bases(given_record)
        return _PROMOTED if any(base.name == wanted.base for base in bases) else None
    return None


def _scalar_cost(given: str, wanted: str) -> int:
    if given in FLOAT_WORDS and wanted in FLOAT_WORDS:
        return _PROMOTED if wanted == "double" else _CONVERTED
    if given in SMALL and wanted == "int":
        return _PROMOTED
    return _CONVERTED
