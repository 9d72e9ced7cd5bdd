"""Copies of objects: by the class's own function, or by one that C++ calls for a member of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import Returns
from estimator.simplify.inference import CType

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.draft import Draft
    from estimator.simplify.symbols import Function

_TEMPORARIES = frozenset({"call_expression", "compound_literal_expression", "binary_expression"})
_ASSIGN = "operator="


def copies(record: Record, draft: Draft) -> bool:
    """Whether a class has a copy constructor of its own that does more than copy."""
    from estimator.simplify.passing import constructors

    for one in constructors(record, draft):
        parameters = one.function.parameters
        if len(parameters) != 1 or not parameters[0].is_reference or not one.function.has_body:
            continue
        if one.function.template:
            continue
        wanted = draft.program.parameter_types(one, ())[0]
        if wanted is not None and wanted.base == record.name:
            return not _is_plain(one.function, record, draft)
    return False


def _is_plain(function: Function, record: Record, draft: Draft) -> bool:
    """Whether a copy constructor copies every member and nothing else: `: x(o.x), y(o.y) {}`."""
    body = function.node.child_by_field_name("body")
    other = function.parameters[0].name
    if body is None or body.named_child_count:
        return False
    listed = next((one for one in function.node.children if one.type == _LIST), None)
    given = ["".join(draft.text_of(one).split()) for one in listed.named_children] if listed else []
    fields = draft.program.table.fields(record)
    plain = {f"{name}({other}.{name})" for name in fields}
    braced = {text.replace("(", "{").replace(")", "}") for text in plain}
    return len(given) == len(fields) and all(one in plain | braced for one in given)


_LIST = "field_initializer_list"


def assigns(record: Record, draft: Draft) -> bool:
    """Whether a class has an `operator=` of its own for its objects."""
    for one in draft.program.table.members(record.defined).functions.get(_ASSIGN, ()):
        if one.has_body and len(one.parameters) == 1 and one.parameters[0].depth == 0:
            base = one.parameters[0].base.partition("<")[0].rpartition("::")[2].strip()
            if base == record.defined.name:
                return True
    return False


def hidden(record: Record, draft: Draft, own: Callable[[Record, Draft], bool]) -> str | None:
    """A member or base that has a function of its own where the whole object is copied."""
    answers, question = draft.program.table.answers, (own, record.name)
    if question not in answers:
        answers[question] = _hidden(record, draft, own)
    found = answers[question]
    return found if isinstance(found, str) else None


def _hidden(record: Record, draft: Draft, own: Callable[[Record, Draft], bool]) -> str | None:
    table = draft.program.table
    for base in table.bases(record):
        if own(base, draft) or hidden(base, draft, own):
            return base.defined.name
    for name in table.members(record.defined).fields:
        found = table.field_type(record, name)
        inner = draft.program.records.get(found.base) if found is not None else None
        if inner is None or inner is record:
            continue
        field, _ = table.fields(record)[name]
        if field.declarator.type in {"pointer_declarator", "reference_declarator"}:
            continue
        if own(inner, draft) or hidden(inner, draft, own):
            return name
    return None


def refuse_hidden_copy(record: Record, node: Node, draft: Draft) -> None:
    """Raise LostError where a member's copy constructor would be called unseen."""
    name = hidden(record, draft, copies)
    if name is not None:
        shown = record.defined.name
        raise draft.lose(node, f"the copy of a '{shown}', whose '{name}' copies itself,")


def _object_class(found: CType | None, draft: Draft) -> Record | None:
    """The class of an object; None for pointers and what is none."""
    if found is None or found.depth:
        return None
    return draft.program.records.get(found.base)


def refuse_hidden_assignment(found: CType | None, node: Node, draft: Draft) -> None:
    """Raise LostError where a member's `operator=` would be called unseen."""
    record = _object_class(found, draft)
    name = hidden(record, draft, assigns) if record is not None else None
    if record is not None and name is not None:
        shown = record.defined.name
        raise draft.lose(node, f"the assignment of a '{shown}', whose '{name}' assigns itself,")


def refuse_copy(found: CType | None, node: Node, draft: Draft) -> None:
    """Raise LostError where an object is copied in a way that calls no function here."""
    record = _object_class(found, draft)
    if record is None:
        return
    refuse_hidden_copy(record, node, draft)
    if copies(record, draft):
        raise draft.lose(node, f"a copy of a '{record.defined.name}' that is made here")


def is_temporary(node: Node, draft: Draft) -> bool:
    """Whether an expression makes an object that needs no copy."""
    if node.type != "call_expression":
        return node.type in _TEMPORARIES
    from estimator.simplify.calls import returns_address
    from estimator.simplify.resultof import called_function

    chosen = called_function(node, draft)
    return chosen is None or not returns_address(chosen, draft)


def returned_as_it_is(node: Node, draft: Draft) -> bool:
    """Whether `return x;` gives a variable of the function, which is not copied."""
    if node.type != "identifier" or draft.returns is not Returns.VALUE:
        return False
    name, around = draft.text_of(node), node.parent
    while around is not None and around.type not in {"function_definition", "lambda_expression"}:
        if around.type == "compound_statement" and name in _declared(around, draft):
            return True
        around = around.parent
    return False


def _declared(block: Node, draft: Draft) -> set[str]:
    """The objects that a block declares, not those that it names anew."""
    from estimator.simplify.declarators import declarators_of, declared_name, reference_layer

    found: set[str] = set()
    for child in block.named_children:
        for declarator in declarators_of(child) if child.type == "declaration" else ():
            name = declared_name(declarator)
            if name is not None and reference_layer(declarator) is None:
                found.add(draft.text_of(name))
    return found
