"""Classes as host code uses them: their members' types, and what their parameters stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from estimator.immutable import immutable
from estimator.simplify.declarators import declared_name, function_declarator
from estimator.simplify.inference import CType, declared_type
from estimator.simplify.symbols import TypeKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft
    from estimator.simplify.frames import Frame

_WORD = re.compile(r"(?<![\w:])[A-Za-z_]\w*")
_RECORDS = frozenset({"struct_specifier", "class_specifier"})
_MEMBERS = frozenset({"field_declaration", "function_definition", "declaration"})
_DEEPEST = 8


@immutable()
class HostClass:
    """A class, or an instance of a class template: `names` are its parameters' arguments."""

    specifier: Node
    draft: Draft
    names: Mapping[str, str] = field(default_factory=dict)

    def member(self, name: str, deep: int = 0) -> CType | None:
        """The type of a member, or of what a method gives; None where there is none."""
        body = self.specifier.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            if child.type == "template_declaration":
                child = child.named_children[-1]
            if child.type not in _MEMBERS:
                continue
            for declarator in child.children_by_field_name("declarator"):
                found = declared_name(declarator)
                if found is not None and self.draft.text_of(found) == name:
                    return self._named(declared_type(self.draft.tree, child, declarator))
        for base in self._bases() if deep < _DEEPEST else ():
            inherited = base.member(name, deep + 1)
            if inherited is not None:
                return inherited
        return None

    def _bases(self) -> Iterator[HostClass]:
        for child in self.specifier.named_children:
            for base in child.named_children if child.type == "base_class_clause" else ():
                text = _replaced(self.draft.text_of(base), self.names)
                found = class_named(text, self.draft)
                if found is not None:
                    yield found

    def _named(self, found: CType) -> CType:
        return replace(found, base=self.draft.resolved_type(_replaced(found.base, self.names)))

    @staticmethod
    def type_in(draft: Draft, node: Node) -> CType:
        """The type of what a function definition gives."""
        found = declared_type(draft.tree, node, node.child_by_field_name("declarator"))
        return replace(found, base=draft.resolved_type(found.base))


def class_named(text: str, draft: Draft) -> HostClass | None:
    """The class of the file that a type's text names, `Buf` or `Buf<double>`."""
    text = draft.resolved_type(text.strip())
    name, _, rest = text.partition("<")
    defined = draft.program.find_type(name.rpartition("::")[2].strip(), draft.scope)
    if defined is None or defined.kind is not TypeKind.RECORD:
        return None
    given = [draft.resolved_type(one) for one in split_arguments(rest.rpartition(">")[0])]
    parameters = [one.name for one in defined.template or ()]
    return HostClass(defined.node, draft, dict(zip(parameters, given, strict=False)))


def class_around(frame: Frame) -> HostClass | None:
    """The class that a frame's function is a method of."""
    specifier = specifier_around(frame.code.function, frame.draft)
    if specifier is None:
        return None
    return HostClass(specifier, frame.draft, frame.draft.binding.names)


def specifier_around(function: Node | None, draft: Draft) -> Node | None:
    """The class that a method is defined in or, by its qualified name, belongs to."""
    above = function.parent if function is not None else None
    if above is not None and above.type == "template_declaration":
        above = above.parent
    if above is not None and above.parent is not None and above.parent.type in _RECORDS:
        return above.parent
    declarator = function_declarator(function) if function is not None else None
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if name is None or name.type != "qualified_identifier":
        return None
    scope = name.child_by_field_name("scope")  # `void S::run(…) {…}`, `void S<T>::run(…)`
    words = draft.text_of(scope).partition("<")[0].strip() if scope is not None else ""
    owner = draft.program.find_type(words, draft.scope) if words else None
    return owner.node if owner is not None else None


def split_arguments(text: str) -> tuple[str, ...]:
    """`float, 4` → `("float", "4")`; commas in brackets do not split."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return tuple(part for part in (*parts, text[start:].strip()) if part)


def _replaced(text: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda one: names.get(one.group(), one.group()), text)
