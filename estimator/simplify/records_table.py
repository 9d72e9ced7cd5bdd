"""The classes of a file as records: their bases, fields and member functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee, FieldOf, Members, Record, members_of
from estimator.simplify.declarators import is_function_type
from estimator.simplify.draft import Binding, Draft, LostError
from estimator.simplify.inference import CType
from estimator.simplify.symbols import Type, TypeKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from estimator.simplify.program import Program


_RECORDS = frozenset({"struct_specifier", "class_specifier", "union_specifier"})


class RecordsTable:
    """Answers questions about classes; members are read once, when first asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.by_name: dict[str, Record] = {}
        self._members: dict[int | str, Members] = {}
        self._bases: dict[str, list[Record]] = {}
        self._incomplete = 0  # classes whose bases are being looked for
        self._fields: dict[str, dict[str, tuple[FieldOf, Record]]] = {}
        self._around: dict[str, list[Record]] = {}
        # What holds of a class through and through, by the question and the class's name: a class
        # of classes is asked as often as it is used, and each time would go all the way down.
        self.answers: dict[tuple[object, str], bool | str | None] = {}

    def members(self, defined: Type) -> Members:
        """What a class declares itself."""
        at: int | str = defined.node.start_byte
        if defined.name in self._members:
            return self._members[defined.name]
        if at not in self._members:
            program = self.program
            self._members[at] = members_of(program.tree, program.symbols, defined)
        return self._members[at]

    def set_members(self, record: Record, members: Members) -> None:
        """Give the members of a class that has no body, a lambda's."""
        self._members[record.name] = members
        self._fields.pop(record.name, None)

    def draft(self, record: Record) -> Draft:
        """A draft inside a class: its template parameters and members are bound."""
        draft = Draft(self.program, record.binding, record.defined.scope, None)
        draft.owner = record
        return draft

    def bases(self, record: Record) -> list[Record]:
        """The direct bases that the file defines."""
        if record.name in self._bases:
            return self._bases[record.name]
        found = self._bases[record.name] = []  # while they are looked for, there are none
        self._incomplete += 1
        try:
            for node in self.members(record.defined).bases:
                name = self.draft(record).canonical(self.draft(record).rendered_node(node)).base
                base = self.by_name.get(name)
                if base is None:
                    raise self.draft(record).lose(node, "a base class that is not known")
                found.append(base)
        except LostError:
            del self._bases[record.name]
            raise
        finally:
            self._incomplete -= 1
        return found

    def all_bases(self, record: Record) -> list[Record]:
        """Every class that this one inherits from, nearest first."""
        found: list[Record] = []
        for base in self.bases(record):
            found.extend((base, *self.all_bases(base)))
        return found

    def around(self, record: Record) -> list[Record]:
        """The classes that a class is defined in, innermost first: it sees their members."""
        if record.name not in self._around:
            found = self._around[record.name] = []
            node = record.defined.node.parent
            while node is not None and node.type != "function_definition":
                outer = self._class_at(node) if node.type in _RECORDS else None
                if outer is not None and outer.node != record.defined.node:
                    found.append(self.by_name[self.program.require_type(outer, ())])
                node = node.parent
        return self._around[record.name]

    def _class_at(self, node: Node) -> Type | None:
        """The class without parameters that a node defines."""
        name = node.child_by_field_name("name")
        text = self.program.tree.text_of(name) if name is not None else ""
        for one in self.program.symbols.types.get(text, ()):
            if one.node == node and one.template is None and one.kind is TypeKind.RECORD:
                return one
        return None

    def seen(self, record: Record) -> Iterator[Record]:
        """The classes whose members are seen in a class without their names in front."""
        for one in (record, *self.around(record)):
            yield from (one, *self.all_bases(one))

    def seen_type_text(self, record: Record, name: str) -> str | None:
        """The text of a type that a class or one around it declares, simplified."""
        for one in (record, *self.around(record)):
            text = self.member_type_text(one, name)
            if text is not None:
                return text
        return None

    def functions(self, record: Record, name: str, this: Record | None = None) -> list[Callee]:
        """The member functions of a name; a base's where the class itself has none."""
        this = this or record
        members = self.members(record.defined)
        own = members.functions.get(name, ())
        if own and name not in members.using:
            return [Callee(one, record, this) for one in own]
        found = [Callee(one, record, this) for one in own]
        for base in self.bases(record):
            found.extend(self.functions(base, name, this))
        return found

    def friends(self, record: Record, name: str) -> list[Callee]:
        """The functions that a class and its bases define as friends."""
        return [
            Callee(one, inside, None)
            for inside in (record, *self.all_bases(record))
            for one in self.members(inside.defined).friends.get(name, ())
        ]

    def fields(self, record: Record) -> dict[str, tuple[FieldOf, Record]]:
        """All fields with the class that declares each, bases first."""
        known = self._fields.get(record.name)
        if known is not None:
            return known
        found: dict[str, tuple[FieldOf, Record]] = {}
        for base in self.bases(record):
            found.update(self.fields(base))
        for name, one in self.members(record.defined).fields.items():
            found[name] = (one, record)
        if not self._incomplete:
            self._fields[record.name] = found
        return found

    def field_type(self, record: Record, name: str) -> CType | None:
        """The type of a field."""
        from estimator.simplify.typeof import declared

        found = self.fields(record).get(name)
        if found is None:
            return None
        one, inside = found
        return declared(self.draft(inside), one.node, one.declarator)

    def member_type(self, record: Record, name: str) -> tuple[Node, Record] | None:
        """The alias that a class or a base of it declares under a name."""
        for inside in (record, *self.all_bases(record)):
            node = self.members(inside.defined).types.get(name)
            if node is not None:
                return node, inside
        return None

    def member_type_text(self, record: Record, name: str) -> str | None:
        """The text of a member type, simplified."""
        found = self.member_type(record, name)
        if found is None:
            return None
        node, inside = found
        target = node.child_by_field_name("type")
        if target is None:
            return None
        text = self.draft(inside).rendered_node(target)
        declarator = node.child_by_field_name("declarator")
        stars = 0
        while declarator is not None and declarator.type == "pointer_declarator":
            stars, declarator = stars + 1, declarator.child_by_field_name("declarator")
        return f"{text} {'*' * stars}" if stars else text

    def constant_owner(self, record: Record, name: str) -> Record | None:
        """The class that declares a static constant."""
        for inside in (record, *self.all_bases(record)):
            if name in inside.defined.constants:
                return inside
        return None

    def enumerator(self, record: Record, name: str) -> bool:
        """Whether a class has an enumerator of that name, in an enumeration without a name."""
        return any(
            name in self.members(inside.defined).enumerators
            for inside in (record, *self.all_bases(record))
        )

    def alias_type(self, text: str, draft: Draft) -> CType | None:
        """The type that an alias outside functions stands for; None for other names."""
        from estimator.simplify.typeof import described

        program = self.program
        if draft.owner is not None and text.isidentifier():
            inner = self.seen_type_text(draft.owner, text)
            if inner is not None and inner != text:
                return self.draft(draft.owner).canonical(inner)
        record = program.bindings.get(text)
        if record is not None:
            defined, binding = record.defined, record.binding
        else:
            found = (
                program.find_type(text, draft.scope) if text not in draft.binding.names else None
            )
            if found is None or found.template is not None:
                return None
            defined, binding = found, Binding()
        if defined.kind is not TypeKind.ALIAS:
            if record is None and defined.kind is TypeKind.RECORD:
                name = program.require_type(defined, ())
                return CType(name) if name != text else None
            return None
        target = defined.node.child_by_field_name("type")
        if target is None or is_function_type(target):
            return None
        inside = Draft(program, binding, defined.scope, None)
        found_type = described(inside, target)
        declarator = defined.node.child_by_field_name("declarator")
        depth = 0
        while declarator is not None and declarator.type in {
            "pointer_declarator",
            "array_declarator",
        }:
            depth, declarator = depth + 1, declarator.child_by_field_name("declarator")
        if declarator is not None and declarator.type != "type_identifier":
            return None
        return CType(found_type.base, found_type.is_const, found_type.depth + depth)
