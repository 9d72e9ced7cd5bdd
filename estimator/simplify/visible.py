"""Which namespaces a name is looked up in: those around it, those opened, those named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from estimator.simplify.declarators import function_declarator
from estimator.simplify.symbols import Symbols
from estimator.simplify.tree import TopNode, Tree

if TYPE_CHECKING:
    from tree_sitter import Node

_INLINE = re.compile(r"\binline\s+namespace\s+([A-Za-z_]\w*)")
_DEEPEST = 8
_WRAPPERS = frozenset({"template_type", "template_function", "destructor_name"})


def prefix_of(node: Node, tree: Tree) -> list[str]:
    """The scopes in front of a name: `["a", "b"]` for `N` in `a::b::N`, `[""]` for `::N`."""
    found: list[str] = []
    inner, outer = node, node.parent
    if outer is not None and outer.type in _WRAPPERS and outer.named_children[0] == inner:
        inner, outer = outer, outer.parent
    while outer is not None and outer.type == "qualified_identifier":
        if outer.child_by_field_name("name") == inner:
            scope = outer.child_by_field_name("scope")
            if scope is not None and scope.type == "template_type":
                scope = scope.child_by_field_name("name")
            found.insert(0, tree.text_of(scope) if scope is not None else "")
        inner, outer = outer, outer.parent
    return found


class Namespaces:
    """The namespaces of a file, what they open, and their other names."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self.tree = tree
        self.symbols = symbols
        self._paths = {"", *_paths(top.scope for top in tree.top)}
        self._others: dict[str, str] = {}
        self._opened: list[tuple[str, str]] = []  # where a namespace is opened, and which
        self._used: dict[tuple[str, str], str] = {}  # where a name is taken over, and whence
        for top in tree.top:
            if top.node.type == "namespace_alias_definition":
                self._note_alias(top.node)
        for top in tree.top:
            if top.node.type == "using_declaration":
                path, name = self._using(top.node, top.scope)
                if name:
                    self._used.setdefault((top.scope, name), path)
                else:
                    self._opened.append((top.scope, path))
        inline = set(_INLINE.findall(tree.parsed))
        for path in sorted(self._paths):
            outer, _, last = path.rpartition("::")
            if last in inline:
                self._opened.append((outer, path))

    def scope_at(self, top: TopNode) -> str:
        """The namespace that a node stands in; `void n::f() {}` stands in n."""
        scope, node = top.scope, top.node
        while node.type == "template_declaration":
            node = node.named_children[-1]
        declarator = function_declarator(node) if node.type == "function_definition" else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        while name is not None and name.type == "qualified_identifier":
            part = name.child_by_field_name("scope")
            path = _joined(scope, self.tree.text_of(part)) if part is not None else scope
            if path not in self._paths:
                break
            scope, name = path, name.child_by_field_name("name")
        return scope

    def qualified(
        self, name: str, prefix: list[str], scope: str, defined: Mapping[str, str]
    ) -> str | None:
        """The scope among `defined` that a prefix names, from inside `scope`."""
        if not prefix[0]:
            return self._inside("::".join(prefix[1:]), name, defined, 0)
        path = self._resolved("::".join(prefix), scope)
        return self._inside(path, name, defined, 0) if path in self._paths else None

    def unqualified(
        self, name: str, scope: str, defined: Mapping[str, str], node: Node
    ) -> str | None:
        """The scope among `defined` that a name without a prefix means."""
        opened = [one for one in self._opened if one[0] in set(_outwards(scope))]
        for path, taken in self._local_uses(node, scope):
            if taken == name:
                return self._inside(path, name, defined, 0)
            if not taken:
                opened.append((scope, path))
        for outer in _outwards(scope):
            if outer in defined:
                return outer
            if (outer, name) in self._used:
                return self._inside(self._used[outer, name], name, defined, 0)
            found = {
                self._inside(path, name, defined, 0)
                for where, path in opened
                if _common(where, path) == outer
            } - {None}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def class_named(self, prefix: list[str], scope: str, node: Node) -> Node | None:
        """The class that a prefix ends in, from inside `scope`."""
        *outer, name = prefix
        found = {one.scope: one for one in self.symbols.types.get(name, ())}
        defined = dict.fromkeys(found, name)
        where = (
            self.qualified(name, outer, scope, defined)
            if outer
            else self.unqualified(name, scope, defined, node)
        )
        return found[where].node if where is not None else None

    def _inside(self, path: str, name: str, defined: Mapping[str, str], deep: int) -> str | None:
        """Where a namespace, or what it opens, defines a name; None where several do."""
        if path in defined or deep > _DEEPEST:
            return path if path in defined else None
        if (path, name) in self._used:
            return self._inside(self._used[path, name], name, defined, deep + 1)
        found = {
            self._inside(inner, name, defined, deep + 1)
            for where, inner in self._opened
            if where == path
        } - {None}
        return found.pop() if len(found) == 1 else None

    def _local_uses(self, node: Node, scope: str) -> Iterator[tuple[str, str]]:
        """What the blocks around a node take over: a namespace, and one name or all (`""`)."""
        around = node.parent
        while around is not None and around.type != "translation_unit":
            if around.type == "compound_statement":
                for child in around.named_children:
                    if child.type == "using_declaration" and child.start_byte < node.start_byte:
                        yield self._using(child, scope)
            around = around.parent

    def _resolved(self, path: str, scope: str) -> str:
        """The whole path of a namespace that is named from inside `scope`."""
        for _ in range(_DEEPEST):
            first, *rest = path.split("::")
            if first not in self._others:
                break
            path = "::".join((self._others[first], *rest))
        for outer in _outwards(scope):
            if _joined(outer, path) in self._paths:
                return _joined(outer, path)
        return path

    def _using(self, node: Node, scope: str) -> tuple[str, str]:
        """The namespace that a `using` is about, and the name that it takes; all of it is `""`."""
        text = " ".join(self.tree.parsed[node.start_byte : node.end_byte].split())
        text = text.removeprefix("using ").rstrip("; ").replace(" ::", "::").replace(":: ", "::")
        whole = text.removeprefix("namespace ")
        if whole != text:
            return self._resolved(whole.removeprefix("::"), scope), ""
        path, _, name = text.removeprefix("::").rpartition("::")
        return self._resolved(path, scope), name

    def _note_alias(self, node: Node) -> None:
        name, *rest = (self.tree.text_of(one) for one in node.named_children)
        if rest:
            self._others[name] = "".join(rest[-1].split()).removeprefix("::")


def _joined(outer: str, inner: str) -> str:
    return f"{outer}::{inner}" if outer and inner else outer or inner


def _outwards(scope: str) -> Iterator[str]:
    while scope:
        yield scope
        scope = scope.rpartition("::")[0]
    yield ""


def _paths(scopes: Iterator[str]) -> Iterator[str]:
    for scope in scopes:
        yield from _outwards(scope)


def _common(first: str, second: str) -> str:
    """The innermost namespace around both."""
    around = set(_outwards(second))
    return next(one for one in _outwards(first) if one in around)
