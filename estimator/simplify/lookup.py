"""Which definition a name means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.grammars.operations import MATH
from estimator.simplify.inference import CType, infer
from estimator.simplify.names import SCALAR_TYPES
from estimator.simplify.symbols import (
    Function,
    FunctionKind,
    Role,
    Symbols,
    Type,
    TypeKind,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import TypeVar

    from tree_sitter import Node

    from estimator.simplify.classes import Callee, Record
    from estimator.simplify.draft import Draft
    from estimator.simplify.records_table import RecordsTable

    Defined = TypeVar("Defined", Function, Type, Variable)

_UNIQUE = re.compile(r"\W+")


def nearest(found: Sequence[Defined], scope: str) -> list[Defined]:
    """The definitions of a name that are seen from inside namespace `scope`, innermost first."""
    inside = [one for one in found if not one.scope or f"{scope}::".startswith(f"{one.scope}::")]
    if not inside:
        return list(found)
    longest = max(len(one.scope) for one in inside)
    return [one for one in inside if len(one.scope) == longest]


def find_type(symbols: Symbols, name: str, scope: str) -> Type | None:
    """The definition of a type by its name; None for builtin and unknown ones."""
    found = symbols.types.get(name)
    return nearest(found, scope)[0] if found else None


def primary(found: Sequence[Function]) -> list[Function]:
    """The functions without explicit specialisations of a template among them."""
    templates = any(one.template for one in found)
    return [one for one in found if one.specialises is None and not (templates and is_special(one))]


def is_special(function: Function) -> bool:
    """Whether a function is an explicit specialisation for the GPU: `template <> …`."""
    if function.specialises is not None:
        return True
    return function.template == () and function.kind is not FunctionKind.KERNEL


def candidates(symbols: Symbols, name: str, scopes: list[str], draft: Draft) -> list[Function]:
    """The functions of the file that a name may mean, where a draft stands."""
    found = primary(symbols.functions.get(name, ()))
    if not found:
        return []
    if scopes:
        wanted = "::".join(scope for scope in scopes if scope)
        return [one for one in found if f"::{one.scope}".endswith(f"::{wanted}")]
    return _seen(found, draft)


def elsewhere(symbols: Symbols, name: str, found: Sequence[Callee], draft: Draft) -> list[Function]:
    """The functions of a name in other namespaces than those found, that may run here."""
    scopes = {one.function.scope for one in found}
    others = [one for one in primary(symbols.functions.get(name, ())) if one.scope not in scopes]
    device = [one for one in others if one.kind is not FunctionKind.HOST]
    is_device = draft.kind in {FunctionKind.KERNEL, FunctionKind.DEVICE}
    return device or others if is_device else others


def function_value(name: str, offset: int, draft: Draft) -> str | None:
    """Ask for a function whose name stands for its address; None where it is called, or none."""
    program = draft.program
    if name not in program.symbols.functions or draft.kind is None:
        return None
    after = draft.past_space(offset + len(name))
    if draft.tree.parsed[after : after + 1] in {"(", "<"} or draft.local(name, offset) is not None:
        return None
    found = [one for one in candidates(program.symbols, name, [], draft) if one.template is None]
    if len(found) != 1 or found[0].kind is FunctionKind.KERNEL:
        return None
    if draft.kind is not FunctionKind.HOST:
        if _launches(found[0], draft):
            return None  # a local name that hides it
        program.use_on_device(found[0])
    return program.require_function(found[0])


def _launches(function: Function, draft: Draft) -> bool:
    """Whether a function of the host launches kernels."""
    start, end = function.node.start_byte, function.node.end_byte
    launches = draft.tree.launches
    is_host = function.kind is FunctionKind.HOST
    return is_host and any(start <= one.start_byte < end for one in launches)


def find_function(
    symbols: Symbols,
    name: str,
    scopes: list[str],
    call: Node,
    count: int,
    draft: Draft,
    explicit: Sequence[str] = (),
) -> Function | None:
    """The function that a call with `count` arguments means; None if the file has none.

    `explicit` template arguments leave only templates.

    Raises LostError where overloads cannot be told apart.
    """
    from estimator.simplify.classes import Callee
    from estimator.simplify.overloads import fits
    from estimator.simplify.viable import takes_explicit

    found = candidates(symbols, name, scopes, draft)
    if explicit:
        found = [one for one in found if takes_explicit(one, explicit, draft)]
    fitting = [one for one in found if fits(Callee(one), count)]
    if not fitting:
        if any(one.kind is not FunctionKind.HOST for one in found):
            raise draft.lose(call, f"the call of '{name}' with {count} arguments")
        return None
    if len(fitting) > 1:
        return _overloaded(fitting, call, name, draft, explicit)
    return fitting[0]


def _seen(found: list[Function], draft: Draft) -> list[Function]:
    if draft.kind in {FunctionKind.KERNEL, FunctionKind.DEVICE}:
        device = [one for one in found if one.kind is not FunctionKind.HOST]
        found = device or found
    return nearest(found, draft.scope)


def _overloaded(
    fitting: list[Function], call: Node, name: str, draft: Draft, explicit: Sequence[str]
) -> Function:
    """Tell overloads apart by the types of the arguments, as far as those are plain."""
    listed = call.child_by_field_name("arguments")
    arguments = listed.named_children if listed is not None else []
    types = [infer(draft.tree, argument, draft.locals) for argument in arguments]
    scored = []
    from estimator.simplify.viable import generality, is_contradicted

    for function in fitting:
        if is_contradicted(function, types, explicit, draft):
            continue
        score = _score(function, types, draft)
        if score is not None:
            scored.append((score, function))
    if scored:
        best = max(score for score, _ in scored)
        winners = [function for score, function in scored if score == best]
        if len(winners) == 1:
            return winners[0]
        plain = [function for function in winners if function.template is None]
        if len(plain) == 1:
            return plain[0]
        if not plain and None not in types:
            special = min(generality(function) for function in winners)
            winners = [one for one in winners if generality(one) == special]
            if len(winners) == 1:
                return winners[0]
    raise draft.lose(call, f"the overloaded function '{name}'")


def _score(function: Function, types: list[CType | None], draft: Draft) -> int | None:
    """How many arguments match exactly; None if one certainly does not fit."""
    generic = {parameter.name for parameter in function.template or ()}
    score = 0
    for parameter, given in zip(function.parameters, types, strict=False):
        if given is None:
            continue
        depth = given.depth - parameter.depth
        if parameter.base in generic:
            if depth < 0:
                return None
            continue
        if depth != 0:
            return None
        same = draft.resolved_type(given.base) == draft.resolved_type(parameter.base)
        if same:
            score += 1
        elif given.depth or draft.is_aggregate(given.base) != draft.is_aggregate(parameter.base):
            return None
    return score


_OPERATORS = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "&": "and", "|": "or",
    "^": "xor", "<<": "shl", ">>": "shr", "==": "eq", "!=": "ne", "<": "lt", ">": "gt",
    "<=": "le", ">=": "ge", "&&": "both", "||": "either", "!": "not", "~": "inv", "=": "assign",
    "[]": "at", "()": "call", "->": "arrow", "++": "inc", "--": "dec", ",": "comma",
}  # fmt: skip


def c_name(name: str) -> str:
    """A function's name in C: `operator+` → `add`, `operator+=` → `add_assign`."""
    sign = name.removeprefix("operator")
    if sign == name or not sign or sign[0].isalnum() or sign[0] == "_":
        return name
    if sign in _OPERATORS:
        return _OPERATORS[sign]
    return f"{_OPERATORS.get(sign[:-1], 'op')}_assign"


def method_name(
    table: RecordsTable,
    function: Function,
    owner: Record,
    this: Record | None,
    *,
    is_init: bool,
) -> str:
    """`S__f`, made longer where a class has several functions of that name."""
    prefix = (this or owner).name
    members = table.members(owner.defined)
    siblings = (
        members.functions.get(function.name) or members.friends.get(function.name) or [function]
    )
    if function.role is Role.CONSTRUCTOR:
        base = f"{prefix}__init" if is_init else f"{prefix}__new"
        if is_init and owner is not this:
            base = f"{prefix}__{owner.name}"
    elif function.role is Role.CONVERSION:
        base = f"{prefix}__as"
    else:
        base = f"{prefix}__{c_name(function.name)}"
    if len(siblings) < 2:
        return base
    if [len(one.parameters) for one in siblings].count(len(function.parameters)) == 1:
        return f"{base}__{len(function.parameters)}"
    types = "_".join(_UNIQUE.sub("_", p.base) + "p" * p.depth for p in function.parameters)
    return f"{base}__{types or 'void'}"


_SELECTIONS = frozenset({"min", "max", "abs", "fabs"})


def is_added_to_builtin(function: Function) -> bool:
    """Whether a function has the name of one of CUDA's, and takes other types than that."""
    if function.name not in MATH.keys() | _SELECTIONS or not function.parameters:
        return False
    return any(
        not one.depth and one.base not in SCALAR_TYPES and not function.template
        for one in function.parameters
    )


def unused(name: str, count: int, taken: Collection[str]) -> str:
    """The name with a number behind it where it is taken, from `count` on."""
    found = name
    while found in taken:
        found, count = f"{name}__{count}", count + 1
    return found


def function_names(symbols: Symbols) -> dict[Function, str]:
    """A C name for every function: its own, made longer where several have it."""
    names: dict[Function, str] = {}
    taken: set[str] = set()
    for name, found in symbols.functions.items():
        if "operator" in name:
            name = f"operator_{c_name(name)}"
        own = primary(found)
        ranked = [one for one in own if one.kind is not FunctionKind.HOST]
        ranked += [one for one in own if one.kind is FunctionKind.HOST]
        alone = sum(one.kind is not FunctionKind.HOST for one in own) == 1
        arities = [len(one.parameters) for one in own]
        for index, one in enumerate(ranked):
            choices = [name] if len(ranked) == 1 or (alone and index == 0) else []
            if is_added_to_builtin(one):
                choices = []  # `fmaxf(float2, float2)` stands beside CUDA's own
            if one.scope and len({other.scope for other in ranked}) > 1:
                choices.append(_UNIQUE.sub("_", one.scope) + "__" + name)
            if arities.count(len(one.parameters)) == 1:
                choices.append(f"{name}__{len(one.parameters)}")
            types = "_".join(_UNIQUE.sub("_", p.base) + "p" * p.depth for p in one.parameters)
            choices.append(f"{name}__{types or 'void'}")
            chosen = next((choice for choice in choices if choice not in taken), "")
            suffix = 2
            while not chosen:
                numbered = f"{choices[-1]}_{suffix}"
                chosen = numbered if numbered not in taken else ""
                suffix += 1
            taken.add(chosen)
            names[one] = chosen
    return names


def alias_target(symbols: Symbols, name: str, scope: str, text: str) -> str | None:
    """The type that a plain alias stands for (`using T = float`); None for everything else."""
    defined = find_type(symbols, name, scope)
    if defined is None or defined.kind is not TypeKind.ALIAS or defined.template is not None:
        return None
    node = defined.node
    target = node.child_by_field_name("type")
    if target is None:
        return None
    if node.type == "alias_declaration":
        specifier = target.child_by_field_name("type")
        if target.child_by_field_name("declarator") is not None or specifier is None:
            return None
        return text[specifier.start_byte : specifier.end_byte]
    declarator = node.child_by_field_name("declarator")
    if declarator is None or declarator.type != "type_identifier":
        return None
    if target.child_by_field_name("body") is not None:
        return None
    return text[target.start_byte : target.end_byte]
