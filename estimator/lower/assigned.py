"""Which variables a piece of code may change."""

from __future__ import annotations

from pycparser import c_ast


def assigned_names(*nodes: c_ast.Node | None) -> set[str]:
    """Names that are assigned, stepped, or handed to a function that might change them."""
    found: set[str] = set()
    stack: list[c_ast.Node] = [node for node in nodes if node is not None]
    while stack:
        node = stack.pop()
        match node:
            case c_ast.Assignment():
                _add_base(node.lvalue, found)
            case c_ast.UnaryOp() if node.op in ("++", "--", "p++", "p--", "&"):
                _add_base(node.expr, found)
            case c_ast.FuncCall() if node.args is not None:
                for argument in node.args.exprs:
                    if isinstance(argument, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef)):
                        _add_base(argument, found)
        stack.extend(child for _, child in node.children())
    return found


def _add_base(node: c_ast.Node, found: set[str]) -> None:
    while True:
        match node:
            case c_ast.ID():
                found.add(node.name)
                return
            case c_ast.ArrayRef() | c_ast.StructRef():
                node = node.name
            case c_ast.UnaryOp() | c_ast.Cast():
                node = node.expr
            case c_ast.BinaryOp():
                _add_base(node.left, found)
                node = node.right
            case _:
                return
