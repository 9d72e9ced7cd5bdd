"""CUB's classes: `cub::BlockReduce<float, 256>(temp).Sum(v)` → `cub__BlockReduce__Sum(v, 256)`.

What such a function does is written in simplified CUDA C itself (`grammars/collectives.py`)
and joins the items of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from estimator.grammars.collectives import SOURCES, needs
from estimator.immutable import immutable
from estimator.simplify.draft import Piece
from estimator.simplify.library import arguments_of, is_collective
from estimator.simplify.made import Made
from estimator.simplify.operations import require_operations
from estimator.simplify.scopes import last_name, scopes_of
from estimator.simplify.symbols import TypeKind
from estimator.simplify.unit import ItemKind

if TYPE_CHECKING:
    from tree_sitter import Node

    from estimator.simplify.draft import Draft


@immutable()
class Collective:
    """A class of CUB: its name and its template arguments, simplified."""

    name: str
    arguments: tuple[str, ...]

    @property
    def is_warp(self) -> bool:
        return self.name.startswith("Warp")

    def settings(self) -> list[str] | None:
        """The numbers that its functions are given: threads, then items per thread if it has
        any. None for an algorithm other than the default."""
        rest = list(self.arguments[1:])
        if self.is_warp:
            return [rest[0] if rest else "32"]
        threads = [rest.pop(0)] if rest else ["0"]
        items = []
        if self.name in {"BlockLoad", "BlockStore", "BlockExchange", "BlockRadixSort"} and rest:
            items = [rest.pop(0)]
        if rest and "::" not in rest[0] and not rest[0].replace("_", "").isupper():
            return None
        algorithm = rest.pop(0) if rest else ""
        if not _is_default(self.name, algorithm):
            return None
        return [" * ".join([*threads, *rest[:2]]), *items]


def _is_default(name: str, algorithm: str) -> bool:
    """Whether an algorithm costs what the written-out functions cost."""
    plain = algorithm.removeprefix("cub__").rpartition("::")[2]
    return plain in {
        "": {"", plain},
        "BlockReduce": {"", "BLOCK_REDUCE_WARP_REDUCTIONS"},
        "BlockScan": {"", "BLOCK_SCAN_RAKING"},
        "BlockLoad": {"", "BLOCK_LOAD_DIRECT", "BLOCK_LOAD_VECTORIZE"},
        "BlockStore": {"", "BLOCK_STORE_DIRECT", "BLOCK_STORE_VECTORIZE"},
    }.get(name, {""})


def collective_of(node: Node, draft: Draft) -> Collective | None:
    """The class of an object: `BR(temp)`, `cub::BlockReduce<…>(temp)` or a variable's name."""
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        return collective_of(node.named_children[0], draft)
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        return class_named(function, draft) if function is not None else None
    if node.type == "compound_literal_expression":
        specifier = node.child_by_field_name("type")
        return class_named(specifier, draft) if specifier is not None else None
    if node.type == "identifier":
        return draft.collectives.get(draft.text_of(node))
    return None


def class_named(node: Node, draft: Draft) -> Collective | None:
    """The class that a type's or constructor's name means."""
    if node.type in {"dependent_type", "type_descriptor"}:
        inner = node.child_by_field_name("type") or next(iter(node.named_children), None)
        return class_named(inner, draft) if inner is not None else None
    last = last_name(node)
    if last.type in {"template_type", "template_function"}:
        prefix = draft.program.libraries.prefix(scopes_of(node, draft))
        name_node = last.child_by_field_name("name")
        name = draft.text_of(name_node) if name_node is not None else ""
        if prefix == "cub" and is_collective(name):
            return Collective(name, tuple(arguments_of(last, draft)))
        return None
    name = draft.text_of(last)
    if name in draft.collectives:
        return draft.collectives[name]
    alias = draft.program.find_type(name, draft.scope)
    if alias is None or alias.kind is not TypeKind.ALIAS:
        return None
    target = alias.node.child_by_field_name("type")
    return class_named(target, draft) if target is not None else None


def _require(name: str, offset: int, draft: Draft) -> None:
    """Let a written-out function join the items of the file, for what stands at an offset."""
    made = draft.program.made
    if any(one.name == name for one in made):
        return
    text = SOURCES[name]
    kind = ItemKind.TYPE if text.startswith("typedef") else ItemKind.FUNCTION
    made.append(Made(kind, name, -1, (Piece(text, offset, False),)))


def note_alias(name: str, target: Node | None, draft: Draft) -> None:
    """Remember what a local alias or variable of a class of CUB stands for."""
    found = class_named(target, draft) if target is not None else None
    if found is not None:
        draft.collectives[name] = found


def collective_call(
    collective: Collective, method: str, function: Node, arguments: Node, draft: Draft
) -> None:
    """Name the function that the method is, and give it the class's numbers."""
    given = arguments.named_children
    settings = collective.settings()
    base = f"cub__{collective.name}__{method}"
    size = draft.array_sizes.get(draft.text_of(given[0])) if given else None
    full = f"{base}__{len(given)}"
    if size is not None and collective.name in {"BlockReduce", "BlockScan"}:
        full += "_items"
    added = list(settings or [])
    if full.endswith("_items") and size is not None:
        added.append(draft.rendered_node(size))
    name = full if settings is not None and full in SOURCES else base
    for needed in needs(name):
        _require(needed, function.start_byte, draft)
    if len(given) > 1:
        require_operations(given[0], given[1:], draft)
    draft.skip(function.start_byte, arguments.start_byte + 1, f"{name}(")
    if name in SOURCES and added:
        close = arguments.end_byte - 1
        draft.replace(close, close + 1, (", " if given else "") + f"{', '.join(added)})")
