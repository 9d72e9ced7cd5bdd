"""Constructors: functions that make an object, member by member, and return it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.defaults import member_defaults

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.classes import Record
    from estimator.simplify.draft import Draft


def construct(node: Node, this: Record | None, draft: Draft, *, is_init: bool) -> None:
    """`V(float a) : x(a) { … }` → `V V__new(float a) { V self; self.x = a; … return self; }`."""
    body = node.child_by_field_name("body")
    if body is None or this is None or draft.owner is None:
        return
    listed = next((one for one in node.children if one.type == "field_initializer_list"), None)
    start = "{" if is_init else f"{{ {this.name} self;"
    given = set()
    delegated = False
    if listed is not None:
        for one in listed.named_children:
            name = _member_name(one, draft)
            given.add(name)
            delegated = delegated or name == draft.owner.defined.name
    defaults = "" if delegated else member_defaults(draft.owner, this, given, draft)
    if listed is None:
        draft.replace(body.start_byte, body.start_byte + 1, start + defaults)
    else:
        colon = listed.start_byte
        draft.replace(colon, colon + 1, start + defaults)
        _initialisers(listed, this, draft)
        draft.replace(body.start_byte, body.start_byte + 1, "")
    if not is_init:
        close = body.end_byte - 1
        space = "" if draft.tree.text[close - 1] in " \n" else " "
        later = _heirs_defaults(node, this, draft)
        draft.replace(close, close + 1, f"{space}{later}return self; }}")


def _heirs_defaults(node: Node, this: Record, draft: Draft) -> str:
    """What the classes start their members with that inherit this constructor."""
    owner, table = draft.owner, draft.program.table
    assert owner is not None
    found: list[str] = []
    while this is not owner:
        below = next(
            base
            for base in table.bases(this)
            if base.name == owner.name or owner in table.all_bases(base)
        )
        text = member_defaults(this, draft.this or this, {below.defined.name}, draft)
        found.insert(0, text)
        this = below
    text = "".join(found).strip()
    if text and "return" in draft.text_of(node.child_by_field_name("body") or node):
        raise draft.lose(node, "an inherited constructor that returns")
    return f"{text} " if text else ""


def _member_name(one: Node, draft: Draft) -> str:
    first = one.named_children[0]
    if first.type in {"template_method", "template_type", "template_function"}:
        first = first.child_by_field_name("name") or first
    return draft.text_of(first)


def _initialisers(listed: Node, this: Record, draft: Draft) -> None:
    """`x(a), y{b}` → `self.x = a; self.y = b;`."""
    children = listed.named_children
    previous = listed.start_byte + 1
    for one in children:
        if one.type == "comment":
            continue
        start = one.start_byte
        if previous > listed.start_byte + 1:
            draft.replace(previous, start, " ")
        _initialiser(one, this, draft)
        previous = one.end_byte


def _initialiser(one: Node, this: Record, draft: Draft) -> None:
    from estimator.simplify.arrays import array_of, member_statements
    from estimator.simplify.passing import convert, pass_arguments, plan, require

    owner = draft.owner
    assert owner is not None
    name_node, value = one.named_children[0], one.named_children[-1]
    name = _member_name(one, draft)
    nodes = value.named_children
    opened, closed = value.start_byte, value.end_byte
    table = draft.program.table
    ctype = table.field_type(owner, name) if name in table.fields(owner) else None
    if ctype is None:
        _base_or_other(one, name_node, value, this, draft)
        return
    field, _ = table.fields(owner)[name]
    array = array_of(ctype, field.declarator, draft.program.table.draft(owner))
    if array is not None:
        draft.skip(one.start_byte, closed, member_statements(name, value, array, draft, one)[1:])
        return
    if field.declarator.type == "reference_declarator":
        raise draft.lose(one, "a reference as a member")
    draft.replace(one.start_byte, name_node.end_byte, f"self.{name} = ")
    is_object = ctype.base in draft.program.records or draft.is_aggregate(ctype.base)
    if ctype.depth or not is_object:
        if len(nodes) > 1:
            raise draft.lose(one, f"the initialisation of '{name}'")
        draft.replace(opened, opened + 1, "" if nodes else "0")
        draft.replace(closed - 1, closed, ";")
        if nodes:
            convert(nodes[0], ctype, draft)
        return
    made = plan(ctype, nodes, draft, one)
    if made.is_copy or (len(nodes) == 1 and made.chosen is None and value.type == "argument_list"):
        draft.replace(opened, opened + 1, "")
        draft.replace(closed - 1, closed, ";")
        return
    if made.chosen is not None:
        require(made.chosen, draft)
        tail = "".join(f", {text}" for text in made.added) if nodes else ", ".join(made.added)
        draft.replace(opened, opened + 1, f"{made.function}(")
        draft.replace(closed - 1, closed, f"{tail});")
        pass_arguments(made.chosen, nodes, draft)
        return
    if made.function:
        draft.replace(opened, opened + 1, f"{made.function}(")
        draft.replace(closed - 1, closed, ");")
        return
    tail = (", " if nodes and made.defaults else "") + made.defaults
    draft.replace(opened, opened + 1, f"({ctype.base}){{")
    draft.replace(closed - 1, closed, f"{tail}}};")


def _base_or_other(one: Node, name_node: Node, value: Node, this: Record, draft: Draft) -> None:
    """A base's constructor works on this object; another one of the class makes it."""
    from estimator.simplify.overloads import choose
    from estimator.simplify.passing import added, constructors, pass_arguments
    from estimator.simplify.typeof import type_of

    owner = draft.owner
    assert owner is not None
    name = _member_name(one, draft)
    targets = [owner, *draft.program.table.bases(owner)]
    target = next((record for record in targets if record.defined.name == name), None)
    if target is None:
        raise draft.lose(one, f"the initialisation of '{name}'")
    nodes = value.named_children
    own = constructors(target, draft)
    if not own and not nodes:
        draft.skip(one.start_byte, value.end_byte)
        return
    types = [type_of(node, draft) for node in nodes]
    chosen = choose(own, nodes, types, draft, one) if own else None
    if chosen is None:
        raise draft.lose(one, f"the constructor of '{name}' with these arguments")
    callee = chosen.callee
    if callee.owner is not target:
        raise draft.lose(one, f"the inherited constructor of '{name}'")
    function = draft.program.require_function(
        callee.function, chosen.key, target, this, is_init=True
    )
    draft.program.use_on_device(callee.function)
    tail = "".join(f", {text}" for text in added(chosen, len(nodes), draft))
    draft.replace(one.start_byte, value.start_byte + 1, f"{function}(self{', ' if nodes else ''}")
    draft.replace(value.end_byte - 1, value.end_byte, f"{tail});")
    pass_arguments(chosen, nodes, draft)
