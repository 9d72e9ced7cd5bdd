"""Values on their way to a parameter, a variable or a result: conversions by users' functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.classes import CONSTRUCTOR, CONVERSION, Callee
from estimator.simplify.copies import copies as copies_itself
from estimator.simplify.copies import is_temporary, refuse_hidden_copy
from estimator.simplify.declarators import layers
from estimator.simplify.defaults import field_default, maker
from estimator.simplify.inference import CType
from estimator.simplify.names import AGGREGATE_TYPES
from estimator.simplify.overloads import Chosen, choose, conversion_cost
from estimator.simplify.symbols import FunctionKind
from estimator.simplify.typeof import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.draft import Draft


@immutable()
class Plan:
    """How a value of a class is made: by a function, or in braces, or as a copy."""

    function: str = ""
    added: tuple[str, ...] = ()
    chosen: Chosen | None = None
    is_copy: bool = False
    defaults: str = ""  # members that braces must set, as they are not listed


def plan(wanted: CType, nodes: Sequence[Node], draft: Draft, at: Node) -> Plan:
    """How a value of type `wanted` is made of arguments. Raises LostError."""
    record = draft.program.records.get(wanted.base)
    if record is None:
        return Plan()
    types = [type_of(node, draft) for node in nodes]
    first = types[0] if len(types) == 1 else None
    is_same = first is not None and not first.depth and first.base == record.name
    if is_same and (is_temporary(nodes[0], draft) or not copies_itself(record, draft)):
        if not is_temporary(nodes[0], draft):
            refuse_hidden_copy(record, at, draft)
        return Plan(is_copy=True)
    own = constructors(record, draft)
    inherited = inherited_constructors(record, draft) if nodes else []
    if not own and not inherited:
        if len(nodes) == 1 and types[0] is None and nodes[0].type != "initializer_list":
            fields = draft.program.table.fields(record)
            if len(fields) > 1:
                return Plan(is_copy=True)
        function = maker(record, draft)
        if function and nodes and len(nodes) < len(draft.program.table.fields(record)):
            raise draft.lose(at, f"a '{record.defined.name}' of which some members are given")
        if function and not nodes:
            return Plan(function)
        return Plan(defaults=default_members(record, len(nodes), draft))
    own = [*own, *inherited]
    name = record.defined.name
    if (
        len(own) > 1
        and len(nodes) == 1
        and types[0] is None
        and nodes[0].type != "initializer_list"
    ):
        raise draft.lose(at, f"the constructor of '{name}' for a value of unknown type")
    chosen = choose(own, nodes, types, draft, at)
    if chosen is None:
        if not nodes and all(one.function.parameters for one in own):
            raise draft.lose(at, f"the constructor of '{name}' without arguments")
        raise draft.lose(at, f"the constructor of '{name}' with these arguments")
    return Plan(require(chosen, draft), tuple(added(chosen, len(nodes), draft)), chosen)


def constructors(record: Record, draft: Draft) -> list[Callee]:
    """A class's own constructors with a body, copies by the compiler aside."""
    found = draft.program.table.members(record.defined).functions.get(CONSTRUCTOR, ())
    return [
        Callee(one, record, record) for one in found if one.has_body or not _is_defaulted(one.node)
    ]


def inherited_constructors(record: Record, draft: Draft) -> list[Callee]:
    """The constructors of bases that a class takes over: `using Base::Base;`."""
    table = draft.program.table
    found: list[Callee] = []
    for name in table.members(record.defined).using:
        for base in table.bases(record):
            if name not in {base.defined.name, *_names_of(base, record, name, draft)}:
                continue
            listed = [*constructors(base, draft), *inherited_constructors(base, draft)]
            found.extend(
                Callee(one.function, one.owner, record) for one in listed if one.function.parameters
            )
    return found


def _names_of(base: Record, record: Record, name: str, draft: Draft) -> list[str]:
    """An alias of a base by which a class names it: `using Base = A<T>; using Base::Base;`."""
    inner = draft.program.table.draft(record)
    return [name] if inner.canonical(name).base == base.name else []


def _is_defaulted(node: Node) -> bool:
    return any(
        child.type in {"default_method_clause", "delete_method_clause"} for child in node.children
    )


def is_trivial(record: Record, draft: Draft) -> bool:
    """Whether a variable of the class is left as it is when nothing is said."""
    answers, question = draft.program.table.answers, (is_trivial, record.name)
    if question not in answers:
        answers[question] = _is_trivial(record, draft)
    return bool(answers[question])


def _is_trivial(record: Record, draft: Draft) -> bool:
    table = draft.program.table
    own = constructors(record, draft)
    for one in own:
        function = one.function
        if function.least_arguments:
            continue
        body = function.node.child_by_field_name("body")
        busy = body is not None and body.named_child_count > 0
        lists = any(child.type == "field_initializer_list" for child in function.node.children)
        if busy or lists or not function.has_body:
            return False
        break
    else:
        if own:
            return False
    if any(one.default is not None for one, _ in table.fields(record).values()):
        return False
    for name, (member, _) in table.fields(record).items():
        inner = table.field_type(record, name)
        other = draft.program.records.get(inner.base) if inner is not None else None
        if other is None or inner is None:
            continue
        is_object = not inner.depth or _is_object_array(inner, member.declarator)
        if is_object and not is_trivial(other, draft):
            return False
    return all(is_trivial(base, draft) for base in table.bases(record))


def _is_object_array(found: CType, declarator: Node) -> bool:
    around = [one.type for one in layers(declarator)][:-1]
    return found.depth == len(around) and set(around) == {"array_declarator"}


def default_members(record: Record, count: int, draft: Draft) -> str:
    """`.y = 2` for each field behind the first `count` that has a value to start with."""
    from estimator.simplify import arrays

    table = draft.program.table
    found: list[str] = []
    for index, (name, (one, inside)) in enumerate(table.fields(record).items()):
        if index < count:
            continue
        inner = table.field_type(record, name)
        other = draft.program.records.get(inner.base) if inner is not None else None
        inside_draft = table.draft(inside)
        inside_draft.kind = draft.kind
        if inner is not None and other is not None and _is_object_array(inner, one.declarator):
            array = arrays.array_of(inner, one.declarator, inside_draft)
            if array is not None and (one.default is not None or not is_trivial(other, draft)):
                text = arrays.member_list(one.default, array, inside_draft, one.declarator)
                found.append(f".{name} = {text}")
            continue
        text = field_default(one, inside, record, draft)
        if text:
            found.append(f".{name} = {text}")
    return ", ".join(found)


def require(chosen: Chosen, draft: Draft) -> str:
    """Ask for the chosen function; gives its simplified name."""
    callee = chosen.callee
    if draft.kind in {FunctionKind.KERNEL, FunctionKind.DEVICE}:
        draft.program.use_on_device(callee.function)
    return draft.program.require_function(callee.function, chosen.key, callee.owner, callee.this)


def added(chosen: Chosen, given: int, draft: Draft) -> list[str]:
    """Default arguments and template values that the call leaves out."""
    found: list[str] = []
    callee = chosen.callee
    for parameter in callee.function.parameters[given:]:
        if parameter.default is not None:
            found.append(
                draft.program.rendered_default(callee, chosen.key, parameter.default, draft)
            )
    return [*found, *chosen.runtime]


def pass_arguments(chosen: Chosen, nodes: Sequence[Node], draft: Draft) -> None:
    """Convert each argument to its parameter's type, where a user's function does that."""
    wanted = draft.program.parameter_types(chosen.callee, chosen.key)
    given = chosen.callee.function.parameters
    for index, (node, one) in enumerate(zip(nodes, wanted, strict=False)):
        if node.parent is None or node.parent.type != "parameter_pack_expansion":
            copies = index < len(given) and not given[index].is_reference
            convert(node, one, draft, copies=copies)


def convert(node: Node, wanted: CType | None, draft: Draft, *, copies: bool = False) -> None:
    """Wrap an expression, or give a braced list its type.

    `copies`: an object is copied on the way, by its class's own constructor if that has one.
    """
    if node.type == "initializer_list":
        braces(node, wanted, draft)
        return
    if wanted is None or not draft.program.is_typed:
        return
    given = type_of(node, draft)
    if given is None or draft.program.is_placeholder(given.base):
        return
    if wanted.depth:
        if given.base in draft.program.records and not given.depth:
            convert_by_operator(node, given, wanted, draft)
        return
    record = draft.program.records.get(wanted.base)
    if given.base == wanted.base:
        if not copies or record is None or is_temporary(node, draft):
            return
        if not copies_itself(record, draft):
            refuse_hidden_copy(record, node, draft)
            return
    if wanted.base in draft.program.records:
        record = draft.program.records[wanted.base]
        if given.base in draft.program.records:
            bases = draft.program.table.all_bases(draft.program.records[given.base])
            if any(base.name == record.name for base in bases):
                return
        made = plan(wanted, [node], draft, node)
        if made.function:
            draft.before(node.start_byte, f"{made.function}(")
            draft.after(node.end_byte, "".join(f", {text}" for text in made.added) + ")")
    elif given.base in draft.program.records and not given.depth:
        if wanted.base in AGGREGATE_TYPES:
            return
        convert_by_operator(node, given, wanted, draft)


def convert_by_operator(node: Node, given: CType, wanted: CType, draft: Draft) -> bool:
    """`x` → `S__as_float(x)`, by the class's conversion operator."""
    best: tuple[int, Chosen] | None = None
    for one in draft.program.table.functions(draft.program.records[given.base], CONVERSION):
        result = draft.program.result_of(one, ())
        cost = conversion_cost(result, wanted, draft, user=False) if result is not None else None
        if cost is not None and (best is None or cost < best[0]):
            best = cost, Chosen(one, ())
    if best is None:
        return False
    draft.before(node.start_byte, f"{require(best[1], draft)}(")
    draft.after(node.end_byte, ")")
    return True


def convert_to_pointer(node: Node, given: CType, draft: Draft) -> bool:
    """`x` in `x[i]` → `S__as_float_p(x)`, where the class converts to one pointer."""
    found = draft.program.table.functions(draft.program.records[given.base], CONVERSION)
    results = [draft.program.result_of(one, ()) for one in found]
    pointers = [one for one in results if one is not None and one.depth == 1]
    return bool(pointers) and convert_by_operator(node, given, pointers[0], draft)


def braces(node: Node, wanted: CType | None, draft: Draft) -> None:
    """`{a, b}` → `(T){a, b}` or `T__new(a, b)`; its parts are converted in turn."""
    if wanted is None or wanted.base in {"", "auto"} or draft.program.is_placeholder(wanted.base):
        raise draft.lose(node, "a braced list without a type")
    inner = node.named_children
    opened, closed = node.start_byte, node.end_byte
    if (
        wanted.base not in draft.program.records and not draft.is_aggregate(wanted.base)
    ) or wanted.depth:
        if len(inner) > 1:
            raise draft.lose(node, "a braced list without a type")
        draft.replace(opened, opened + 1, "(" if inner else "(0")
        draft.replace(closed - 1, closed, ")")
        return
    made = plan(wanted, inner, draft, node)
    if made.chosen is not None:
        draft.replace(opened, opened + 1, f"{made.function}(")
        tail = ", ".join(made.added)
        draft.replace(closed - 1, closed, (", " if inner and tail else "") + tail + ")")
        pass_arguments(made.chosen, inner, draft)
        return
    if made.function:
        draft.replace(opened, closed, f"{made.function}()")
        return
    draft.before(opened, f"({wanted.base})")
    fill(node, wanted, made, draft)


def fill(node: Node, wanted: CType, made: Plan, draft: Draft) -> None:
    """The inside of braces that list members: nested lists keep their braces."""
    inner = node.named_children
    if made.defaults:
        closed = node.end_byte - 1
        draft.replace(closed, closed + 1, (", " if inner else "") + made.defaults + "}")
    record = draft.program.records.get(wanted.base)
    if record is None:
        return
    table = draft.program.table
    for name, child in zip(table.fields(record), inner, strict=False):
        found = table.field_type(record, name)
        if found is None or found.depth:
            continue
        if child.type == "initializer_list":
            if constructors_of(found, draft):
                braces(child, found, draft)
            elif found.base in draft.program.records:
                inside = plan(found, child.named_children, draft, child)
                if inside.function:
                    braces(child, found, draft)
                else:
                    fill(child, found, inside, draft)
        elif child.type != "initializer_pair":
            convert(child, found, draft, copies=True)


def constructors_of(found: CType, draft: Draft) -> bool:
    """Whether values of a type are made by a function of the user's."""
    record = draft.program.records.get(found.base)
    return record is not None and bool(constructors(record, draft))
