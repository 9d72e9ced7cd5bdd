"""Which variables a piece of code may change, and through which it may write."""

from __future__ import annotations

from collections.abc import Mapping

from pycparser import c_ast

from estimator.parse.attributes import cuda_attributes
from estimator.parse.unit import Function


def assigned_names(
    functions: Mapping[str, Function], *nodes: c_ast.Node | None
) -> tuple[set[str], set[str]]:
    """Names that are assigned, stepped or handed over as references; and names of pointers
    and arrays that are written through, or handed to a function that might."""
    changed: set[str] = set()
    through: set[str] = set()
    stack: list[c_ast.Node] = [node for node in nodes if node is not None]
    while stack:
        node = stack.pop()
        match node:
            case c_ast.Assignment():
                _add_base(node.lvalue, changed, through)
            case c_ast.UnaryOp() if node.op in ("++", "--", "p++", "p--", "&"):
                _add_base(node.expr, changed, through)
            case c_ast.FuncCall() if node.args is not None:
                _add_arguments(node, functions, changed, through)
        stack.extend(child for _, child in node.children())
    return changed, through


def _add_arguments(
    node: c_ast.FuncCall,
    functions: Mapping[str, Function],
    changed: set[str],
    through: set[str],
) -> None:
    name = node.name.name if isinstance(node.name, c_ast.ID) else ""
    function = functions.get(name)
    parameters = function.parameters if function is not None else []
    written = written_arguments(name, node.args.exprs)
    for n, argument in enumerate(node.args.exprs):
        declared = cuda_attributes(parameters[n]) if n < len(parameters) else {}
        by_reference = n in written or "reference" in declared
        if "reference" in declared and _is_const(parameters[n].type):
            _add_base(argument, through, through)
        elif by_reference or name == "swap":
            _add_base(argument, changed, through)
        elif isinstance(argument, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.BinaryOp)):
            _add_base(argument, through, through)


def _is_const(node: c_ast.Node) -> bool:
    """Whether a reference is to something that the function does not assign."""
    while isinstance(node, c_ast.ArrayDecl):
        node = node.type
    return isinstance(node, c_ast.TypeDecl) and "const" in node.quals


def written_arguments(name: str, arguments: list[c_ast.Node]) -> range:
    """Which arguments a builtin function only writes: the outputs of inline assembly."""
    if name != "ptx__" or len(arguments) < 2:
        return range(0)
    return range(2, 2 + int(getattr(arguments[1], "value", "0")))


def _add_base(node: c_ast.Node, changed: set[str], through: set[str]) -> None:
    """The variable that an lvalue belongs to; `a[i]` and `*p` change what it points to."""
    direct = True
    while True:
        match node:
            case c_ast.ID():
                (changed if direct else through).add(node.name)
                return
            case c_ast.ArrayRef():
                direct, node = False, node.name
            case c_ast.StructRef():
                direct, node = direct and node.type == ".", node.name
            case c_ast.UnaryOp():
                direct, node = direct and node.op != "*", node.expr
            case c_ast.Cast():
                node = node.expr
            case c_ast.BinaryOp():
                _add_base(node.left, through, through)
                direct, node = False, node.right
            case _:
                return
