"""The types of functions' parameters and results, for an instance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from estimator.simplify.classes import Callee
from estimator.simplify.declarators import is_const, trailing_type
from estimator.simplify.draft import Draft, LostError
from estimator.simplify.functions import function_draft, function_pieces_and_draft
from estimator.simplify.inference import CType
from estimator.simplify.instances import Key
from estimator.simplify.symbols import Role
from estimator.simplify.typeof import declared, described

if TYPE_CHECKING:
    from estimator.simplify.program import Program


class Signatures:
    """Types are found once for each function, instance and class of object."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._parameters: dict[tuple[int, Key, str], list[CType | None]] = {}
        self._results: dict[tuple[int, Key, str], CType | None] = {}
        self._drafts: dict[tuple[int, Key, str], Draft] = {}

    def parameters(self, callee: Callee, key: Key) -> list[CType | None]:
        """The types of the parameters, a pack's one by one."""
        at = _at(callee, key)
        if at not in self._parameters:
            draft = self.draft(callee, key)
            found: list[CType | None] = []
            for one in callee.function.parameters:
                inner = one.node.child_by_field_name("declarator")
                if one.is_pack:
                    texts = draft.binding.packs.get(one.base, ())
                    stars = "*" * one.depth
                    found.extend(draft.canonical(text + stars) for text in texts)
                    continue
                ctype = declared(draft, one.node, inner)
                found.append(None if ctype.base in {"", "auto"} else ctype)
            self._parameters[at] = found
        return self._parameters[at]

    def result(self, callee: Callee, key: Key) -> CType | None:
        """The type of the result; None where it is not known."""
        function = callee.function
        if function.role is Role.CONSTRUCTOR:
            return CType(callee.owner.name) if callee.owner is not None else None
        at = _at(callee, key)
        if at not in self._results:
            self._results[at] = None  # what calls itself has no inferred type
            self._results[at] = self._result(callee, key)
        return self._results[at]

    def _result(self, callee: Callee, key: Key) -> CType | None:
        function, draft = callee.function, self.draft(callee, key)
        if function.role is Role.CONVERSION:
            inner = function.declarator.child_by_field_name("declarator")
            stars = draft.text_of(inner).split("(")[0].count("*") if inner is not None else 0
            found = described(draft, function.declarator.child_by_field_name("type"))
            return replace(found, depth=found.depth + stars)
        specifier = function.node.child_by_field_name("type")
        if specifier is None or function.role is Role.LAMBDA:
            return self._inferred(callee, key)
        outer = function.node.child_by_field_name("declarator")
        found = described(draft, specifier)
        if found.base in {"auto", "decltype(auto)"}:
            return self._inferred(callee, key)
        depth, by_value = 0, True
        while outer is not None and outer.type in {"pointer_declarator", "reference_declarator"}:
            depth, by_value = depth + (outer.type == "pointer_declarator"), False
            outer = outer.child_by_field_name("declarator") or outer.named_children[-1]
        const = found.is_const or (is_const(draft.tree, function.node) and not by_value)
        return CType(found.base, const, found.depth + depth)

    def _inferred(self, callee: Callee, key: Key) -> CType | None:
        target = trailing_type(callee.function.declarator)
        if target is not None:
            inner = self.draft(callee, key).inner()
            types = zip(callee.function.parameters, self.parameters(callee, key), strict=False)
            inner.locals = {one.name: found for one, found in types if found is not None}
            for one in callee.function.parameters:  # `auto x` of a lambda
                if one.name not in inner.locals and one.base in inner.binding.names:
                    bound = inner.canonical(inner.binding.names[one.base])
                    inner.locals[one.name] = CType(bound.base, depth=bound.depth + one.depth)
            trailing = described(inner, target)
            return trailing if trailing.base else None
        try:
            _, draft = function_pieces_and_draft(self.program, self.program.wanted(callee, key))
        except LostError:
            return None
        found = next((one for one in draft.returned if one is not None), None)
        if found is None and not draft.returned:
            return CType("void")
        return found

    def draft(self, callee: Callee, key: Key) -> Draft:
        """A draft in which the function's names are bound."""
        at = _at(callee, key)
        if at not in self._drafts:
            self._drafts[at] = function_draft(self.program, self.program.wanted(callee, key))
        return self._drafts[at]


def _at(callee: Callee, key: Key) -> tuple[int, Key, str]:
    record = callee.this or callee.owner
    return callee.function.node.start_byte, key, record.name if record is not None else ""
