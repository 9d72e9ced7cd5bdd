"""Syntax errors: where they are, and which item each one spoils."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from estimator.simplify.tree import Damage, Fault, Tree
from estimator.simplify.unit import ItemKind

if TYPE_CHECKING:
    from tree_sitter import Node

_QUALIFIER = re.compile(r"\b__(global|device|constant)__\b")
_BOUNDS = re.compile(r"__launch_bounds__\s*\([^()]*\)")
_NAME = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^<>;{}()]*>\s*)?[(\[=;{]")
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+class)?|using|typedef)\s+([A-Za-z_]\w*)")


def find_fault(root: Node, parsed: str, start: int) -> Fault:
    """The first error in a tree that has one; `start` is where its text begins."""
    node = root
    while True:
        for child in node.children:
            statement = _unended_statement(child)
            if statement is not None:
                return Fault(statement.end_byte, "syntax error: ';' is missing")
        if node.is_missing:
            return _missing(node, parsed, start)
        below = [child for child in node.children if child.has_error or child.is_missing]
        if not below:
            return Fault(_before_space(parsed, node.start_byte, start), "syntax error")
        node = min(below, key=lambda child: child.start_byte)


def stray_brace(offset: int) -> Fault:
    """The fault of a closing brace that closes nothing."""
    return Fault(offset, "syntax error: '}' without '{'")


def _missing(node: Node, parsed: str, start: int) -> Fault:
    message = "syntax error"
    if not node.is_named:
        message = f"syntax error: '{node.type}' is missing"
    return Fault(_before_space(parsed, node.start_byte, start), message)


def _unended_statement(node: Node) -> Node | None:
    """`void k(int n) { f(n) }` without its semicolon looks like a variable with a value."""
    if node.type != "init_declarator":
        return None
    declarator = node.child_by_field_name("declarator")
    value = node.child_by_field_name("value")
    if declarator is None or value is None or declarator.type != "function_declarator":
        return None
    return value.named_children[-1] if value.named_children else None


def _before_space(parsed: str, offset: int, start: int) -> int:
    """An error is reported where the text before it ends, not on a later line."""
    end = len(parsed[start:offset].rstrip()) + start
    return end if "\n" in parsed[end:offset] and end > start else offset


def damaged_item(damage: Damage, tree: Tree) -> tuple[ItemKind, str] | None:
    """The kind and name of the item in a damaged chunk, if a kernel could need it."""
    text = tree.parsed[damage.start : damage.end]
    qualifier = _QUALIFIER.search(text)
    if qualifier is None:
        named = _TYPE.search(text)
        return (ItemKind.TYPE, named.group(1)) if named is not None else None
    rest = _BOUNDS.sub("", text[qualifier.end() :])
    named = _NAME.search(rest)
    name = named.group(1) if named is not None else "?"
    if qualifier.group(1) == "global":
        return ItemKind.KERNEL, name
    is_function = named is not None and rest[named.end() - 1] == "("
    return (ItemKind.FUNCTION if is_function else ItemKind.VARIABLE), name
