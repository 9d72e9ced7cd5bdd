"""What the members of an object start with: the values that the class gives, its bases first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.draft import Piece
from estimator.simplify.unit import ItemKind

if TYPE_CHECKING:
    from estimator.simplify.classes import FieldOf, Record
    from estimator.simplify.draft import Draft
    from estimator.simplify.inference import CType


def member_defaults(owner: Record, this: Record, given: set[str], draft: Draft) -> str:
    """Statements that set what a constructor's list leaves out, of the object `self`."""
    from estimator.simplify.arrays import array_of, member_statements
    from estimator.simplify.passing import constructors, is_trivial

    table = draft.program.table
    found: list[str] = []
    for base in table.bases(owner):
        if base.defined.name in given or is_trivial(base, draft):
            continue
        has_own = bool(constructors(base, draft))
        made = _base_call if has_own else _base_members
        found.append(made(base, this, draft))
    for name, one in table.members(owner.defined).fields.items():
        if name in given:
            continue
        ctype = table.field_type(owner, name)
        inside = table.draft(owner)
        inside.this, inside.kind = this, draft.kind
        array = array_of(ctype, one.declarator, inside) if ctype is not None else None
        if array is not None:
            found.append(member_statements(name, one.default, array, inside, one.declarator))
            continue
        text = field_default(one, owner, this, draft)
        if text:
            found.append(f" self.{name} = {text};")
    return "".join(found)


def _base_members(base: Record, this: Record, draft: Draft) -> str:
    return member_defaults(base, this, set(), draft)


def _base_call(base: Record, this: Record, draft: Draft) -> str:
    """The call of a base's constructor without arguments."""
    from estimator.simplify.overloads import choose
    from estimator.simplify.passing import added, constructors

    chosen = choose(constructors(base, draft), [], [], draft, base.defined.node)
    if chosen is None:
        raise draft.lose(base.defined.node, f"the constructor of '{base.defined.name}'")
    draft.program.use_on_device(chosen.callee.function)
    function = draft.program.require_function(
        chosen.callee.function, chosen.key, base, this, is_init=True
    )
    return f" {function}({', '.join(('self', *added(chosen, 0, draft)))});"


def field_default(one: FieldOf, inside: Record, this: Record, draft: Draft) -> str:
    """The value that a member starts with, as text; empty where it has none."""
    from estimator.simplify.arrays import made_alone

    ctype = draft.program.table.field_type(inside, one.name)
    if ctype is None:
        return ""
    if one.default is not None:
        return _written(one, ctype, inside, this, draft)
    return made_alone(ctype, draft, inside.defined.node)


def _written(one: FieldOf, ctype: CType, inside: Record, this: Record, draft: Draft) -> str:
    """A member's own value: other members are the object's, constructors are called."""
    from estimator.simplify.passing import convert

    assert one.default is not None
    inner = draft.program.table.draft(inside)
    inner.this, inner.kind = this, draft.kind
    start, end = one.default.start_byte, one.default.end_byte
    is_array = one.declarator.type == "array_declarator"
    if not is_array:
        convert(one.default, ctype, inner, copies=True)
    inner.run(start, end)
    return " ".join("".join(piece.text for piece in inner.pieces(start, end)).split())


def maker(record: Record, draft: Draft) -> str:
    """The function that makes an object whose class has no constructor, for members that start
    with values made of others, and for bases that have one; empty where braces say it all."""
    if not _needs_function(record, draft):
        return ""
    program, name = draft.program, f"{record.name}__defaults"
    node = record.defined.node

    def pieces() -> list[Piece]:
        text = member_defaults(record, record, set(), draft)
        head = f"[[cuda::device]] {record.name} {name}(void) {{ {record.name} self;"
        return [Piece(f"{head}{text} return self; }}", node.start_byte, False)]

    program.make_once(ItemKind.FUNCTION, name, node.start_byte, (record.name,), pieces)
    return name


def _needs_function(record: Record, draft: Draft) -> bool:
    from estimator.simplify.passing import constructors, is_trivial

    table = draft.program.table
    if any(
        constructors(base, draft) and not is_trivial(base, draft)
        for base in table.all_bases(record)
    ):
        return True
    return any(
        one.default is not None and "self." in _written(one, ctype, inside, record, draft)
        for one, inside in table.fields(record).values()
        if (ctype := table.field_type(inside, one.name)) is not None
    )
