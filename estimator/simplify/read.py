"""From preprocessed text to the tree, with every error kept to the item that it stands in."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from estimator.simplify.chunks import cut
from estimator.simplify.faults import find_fault, stray_brace
from estimator.simplify.kernelheaders import clear_headers
from estimator.simplify.macros import blank_unknown_macros
from estimator.simplify.mask import mask
from estimator.simplify.tree import (
    Chunk,
    Damage,
    Fault,
    TopNode,
    Tree,
    find_constructs,
    make_parser,
)

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_CONTAINERS = frozenset({"namespace_definition", "linkage_specification"})


def read(text: str, wanted: Collection[str]) -> Tree:
    """Parse `text`; `wanted` are the types of node to list as constructs."""
    masked = mask(text)
    if "__" in masked.parsed:
        masked = blank_unknown_macros(clear_headers(masked))
    tree = Tree(masked.text, masked.parsed, masked.pragmas, masked.gaps, [], [], [], [], [], [])
    tree.left_out, tree.layouts = masked.left_out, masked.layouts
    parser = make_parser()
    source = masked.parsed.encode("ascii")
    root = parser.parse(source).root_node
    if not root.has_error:
        tree.top.extend(_top_nodes(root, "", tree.text))
        find_constructs(root, wanted, tree)
        return tree
    for chunk in cut(masked.parsed):
        _read_chunk(parser, source, chunk, wanted, tree)
    return tree


def _top_nodes(root: Node, scope: str, text: str) -> Iterator[TopNode]:
    stack = [(child, scope) for child in reversed(root.children)]
    while stack:
        node, inside = stack.pop()
        if node.type not in _CONTAINERS:
            yield TopNode(node, inside)
            continue
        if node.type == "namespace_definition":
            name = node.child_by_field_name("name")
            part = text[name.start_byte : name.end_byte] if name is not None else ""
            inside = "::".join(filter(None, (inside, part)))
        body = node.child_by_field_name("body")
        if body is None:
            continue
        inner = body.children if body.type == "declaration_list" else [body]
        stack.extend((child, inside) for child in reversed(inner))


def _read_chunk(
    parser: Parser, source: bytes, chunk: Chunk, wanted: Collection[str], tree: Tree
) -> None:
    from tree_sitter import Point, Range

    # Points are not used, so the parser may be told any.
    parser.included_ranges = [Range(Point(0, 0), Point(0, 0), chunk.start, chunk.end)]
    root = parser.parse(source).root_node
    nodes = list(_top_nodes(root, chunk.scope, tree.text))
    fault: Fault | None = None
    if root.has_error:
        fault = find_fault(root, tree.parsed, chunk.start)
    elif chunk.stray is not None:
        fault = stray_brace(chunk.stray)
    if fault is not None and not any(_is_item(top.node) for top in nodes):
        tree.damages.append(Damage(chunk.start, chunk.end, fault))
        return
    tree.top.extend(TopNode(top.node, top.scope, fault) for top in nodes)
    find_constructs(root, wanted, tree)


def _is_item(node: Node) -> bool:
    if node.type == "template_declaration":
        return any(_is_item(child) for child in node.children)
    return node.type == "function_definition"
