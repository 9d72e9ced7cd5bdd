"""Going through pycparser's trees."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast


def nodes_of(root: c_ast.Node) -> Iterator[c_ast.Node]:
    """A node and all below it, in the order of the text; at any depth, in linear time."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for _, child in reversed(node.children()))
