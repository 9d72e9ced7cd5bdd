"""What calls and operators mean, and the types of what they give."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.grammars import operations
from estimator.simplify.classes import CONVERSION, Callee
from estimator.simplify.conversions import combined, promoted
from estimator.simplify.draft import LostError
from estimator.simplify.inference import VECTOR, CType
from estimator.simplify.instances import call_key
from estimator.simplify.names import AGGREGATE_TYPES
from estimator.simplify.overloads import Chosen, choose, conversion_cost, fits
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.symbols import TypeKind
from estimator.simplify.synonyms import plain_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from estimator.simplify.draft import Draft

_EXTREMA = re.compile(r"(?:u|ll|ull)?(?:min|max)$")
_LIKE_ARGUMENT = frozenset({"move", "forward", "as_const"})
_FLOATING = frozenset({"float", "double", "half", "__half", "nv_bfloat16", "__nv_bfloat16"})
# Math functions whose first argument alone decides; of the others all do.
_ONE_OPERAND = frozenset({"ldexp", "scalbn", "frexp", "modf", "jn", "yn", "sincos", "sincospi"})
_POINTED = frozenset({"__ldg", "__ldcs", "__ldcg", "__ldca", "__ldlu", "__ldcv"})


def operator_candidates(
    sign: str, types: Sequence[CType | None], draft: Draft
) -> list[tuple[Callee, bool]]:
    """The user's operators for operands of these types; True where the first is the object."""
    name = f"operator{sign}"
    program = draft.program
    found: list[tuple[Callee, bool]] = []
    first = types[0]
    if first is not None and not first.depth and first.base in program.records:
        record = program.records[first.base]
        methods = program.table.functions(record, name)
        if sign == "=":  # every class has its own, which hides those of its bases
            methods = [one for one in methods if one.owner is record]
        if first.is_const:
            methods = [one for one in methods if one.function.is_const] or methods
        found.extend((one, True) for one in methods)
    if sign not in {"[]", "()", "->"}:
        found.extend((Callee(one), False) for one in program.symbols.functions.get(name, ()))
        for given in types:
            if given is not None and not given.depth and given.base in program.records:
                for one in program.table.friends(program.records[given.base], name):
                    if all(one.function.node != other.function.node for other, _ in found):
                        found.append((one, False))
    return found


def chosen_operator(
    sign: str,
    nodes: Sequence[Node],
    types: Sequence[CType | None],
    draft: Draft,
    at: Node,
) -> Chosen | None:
    """The user's operator that an expression means; None where it is a builtin one."""
    program = draft.program
    if sign not in program.symbols.operators and "friend" not in program.symbols.operators:
        return None
    if not any(is_object(one, draft) or is_enumeration(one, draft) for one in types):
        return None
    candidates = operator_candidates(sign, types, draft)
    methods = [one for one, is_method in candidates if is_method]
    methods = [one for one in methods if _viable(one, nodes[1:], types[1:], draft, at)]
    if methods:
        return choose(methods, nodes[1:], types[1:], draft, at)
    free = [one for one, is_method in candidates if not is_method]
    free = [one for one in free if _viable(one, nodes, types, draft, at)]
    return choose(free, nodes, types, draft, at) if free else None


def _viable(
    callee: Callee,
    nodes: Sequence[Node],
    types: Sequence[CType | None],
    draft: Draft,
    at: Node,
) -> bool:
    """Whether operands can be passed: if not, the builtin operator is meant."""
    if not fits(callee, len(types)):
        return False
    try:
        key, _ = call_key(callee, (), nodes, types, draft, at)
    except LostError:
        return False
    wanted = draft.program.parameter_types(callee, key)
    return all(
        given is None or one is None or conversion_cost(given, one, draft) is not None
        for one, given in zip(wanted, types, strict=False)
    )


def is_object(found: CType | None, draft: Draft) -> bool:
    """Whether a value is of a class, or of one of CUDA's vector types."""
    return (
        found is not None
        and not found.depth
        and (
            found.base in draft.program.records
            or draft.resolved_type(found.base) in AGGREGATE_TYPES
        )
    )


def is_enumeration(found: CType | None, draft: Draft) -> bool:
    """Whether a value is of an enumeration of the file."""
    if found is None or found.depth:
        return False
    record = draft.program.bindings.get(found.base)
    return record is not None and record.defined.kind in {TypeKind.ENUM, TypeKind.SCOPED_ENUM}


def operator_result(
    sign: str, nodes: Sequence[Node], types: Sequence[CType | None], draft: Draft
) -> CType | None:
    """The type of an expression with a user's operator; None where it is a builtin one."""
    chosen = chosen_operator(sign, nodes, types, draft, nodes[0])
    return draft.program.result_of(chosen.callee, chosen.key) if chosen is not None else None


def builtin_operand(found: CType | None, draft: Draft) -> CType | None:
    """What a builtin operator computes with: an enumeration's number, what an object gives."""
    if found is None or found.depth:
        return found
    record = draft.program.records.get(found.base)
    if record is not None:
        conversions = draft.program.table.functions(record, CONVERSION)
        if len(conversions) != 1 or conversions[0].function.template is not None:
            return found
        return draft.program.result_of(conversions[0], ()) or found
    named = draft.program.bindings.get(found.base)
    if named is None or named.defined.kind is not TypeKind.ENUM:
        return found
    underlying = named.defined.node.child_by_field_name("base")
    return CType("int") if underlying is None else draft.canonical(draft.text_of(underlying))


def called_function(node: Node, draft: Draft) -> Chosen | None:
    """The user's function that a call means; None for builtin and unknown ones."""
    from estimator.simplify.resolve import resolve_call

    found = resolve_call(node, draft)
    return found[0] if found is not None else None


def builtin_result(draft: Draft, function: Node, arguments: Node) -> CType | None:
    """The type that a call of one of CUDA's functions gives."""
    from estimator.simplify.typeof import type_of

    last = last_name(function)
    name_node = last.child_by_field_name("name") if last.type == "template_function" else last
    name = draft.text_of(name_node or last)
    if name.startswith("make_") and (VECTOR.match(name[5:]) or name[5:] in AGGREGATE_TYPES):
        return CType(name[5:])
    if name == "numeric_limits" or "numeric_limits" in "".join(scopes_of(function, draft)):
        return None
    given = [type_of(one, draft) for one in arguments.named_children]
    first = given[0] if given else None
    if name in _LIKE_ARGUMENT:
        return first
    if name == "abs" or name.startswith("__shfl"):
        index = 1 if name.endswith("_sync") else 0
        found = given[index] if index < len(given) else None
        return promoted(found) if found is not None else None
    if name in _POINTED or name.startswith("atomic"):
        return CType(first.base, depth=first.depth - 1) if first and first.depth else None
    if _EXTREMA.match(name) and len(given) == 2:
        return combined(given[0], given[1])
    if name in operations.CONVERSIONS:
        return CType(operations.CONVERSIONS[name])
    math = operations.MATH.get(name)
    if math is None or math.packed:
        return None
    if math.result == "int":
        return CType(_whole_result(name))
    if math.result in {"fp32", "fp64"}:
        return CType("float" if math.result == "fp32" else "double")
    operands = given[:1] if name in _ONE_OPERAND else given
    if first is None or any(one is None or one.depth for one in operands):
        return None
    if any(one is not None and plain_name(one.base) != plain_name(first.base) for one in operands):
        return CType("double")  # `pow(x, 2)` of a float too
    return CType(first.base) if first.base in _FLOATING else CType("double")


def _whole_result(name: str) -> str:
    """What functions give that give no floating-point number, as C++ declares them."""
    if name.startswith(("is", "signbit")):
        return "bool"
    length = {"lr": "long", "ll": "long long"}
    return length.get(name[:2], "int")
