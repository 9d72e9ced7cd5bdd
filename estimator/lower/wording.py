"""Expressions of the simplified text as the user wrote them: `s.hit(x)` for `S__hit(s, x)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pycparser import c_ast, c_generator

from estimator.lower.machine import Machine
from estimator.simplify.unit import Spoken

_LIBRARY_NAME = re.compile(r"\b(cg|wmma|cub|cuda)__(?=[A-Za-z])")
_NAME = re.compile(r"\b[A-Za-z]\w*__\w+")


def source_text(m: Machine, node: c_ast.Node) -> str:
    """An expression as the user would write it, on one line."""
    own = m.unit.source.functions.get(m.frames[-1].function.name) if m.frames else None
    writer = _Writer(m.unit.source.functions, own is not None and own.is_method)
    text = " ".join(writer.visit(node).split())
    if isinstance(node, c_ast.FuncCall) and text.startswith("(") and text.endswith(")"):
        text = text[1:-1]  # an operator's
    if "__" not in text:
        return text
    types = m.unit.source.written
    text = _NAME.sub(lambda word: types.get(word.group(), word.group()), text)
    return _LIBRARY_NAME.sub(r"\1::", text)


class _Writer(c_generator.CGenerator):  # type: ignore[misc]
    """Writes calls as C++ has them; in a method, members without their object."""

    def __init__(self, functions: Mapping[str, Spoken], in_method: bool) -> None:
        super().__init__()
        self.functions = functions
        self.in_method = in_method

    def visit(self, node: c_ast.Node) -> str:
        if self._is_self(node):
            return "*this"
        if isinstance(node, c_ast.StructRef) and self._is_self(node.name):
            return str(node.field.name)
        if isinstance(node, c_ast.UnaryOp) and node.op == "*":
            spoken = self._spoken(node.expr)
            if spoken is not None and spoken.is_reference:
                return self.visit(node.expr)
        spoken = self._spoken(node)
        return str(super().visit(node)) if spoken is None else self._called(node, spoken)

    def _called(self, node: c_ast.FuncCall, spoken: Spoken) -> str:
        nodes = list(node.args.exprs) if node.args is not None else []
        given = [self.visit(one) for one in nodes]
        sign = spoken.name.removeprefix("operator")
        if sign != spoken.name and not sign[:1].isalnum() and given:
            return self._operator(sign, given)
        if not spoken.name:
            return ", ".join(given)  # a conversion
        if not spoken.is_method or not nodes:
            return f"{spoken.name}({', '.join(given)})"
        called = f"{spoken.name}({', '.join(given[1:])})"
        first = nodes[0]
        if self._is_self(first):
            return called
        if isinstance(first, c_ast.UnaryOp) and first.op == "*" and given[0].startswith("*"):
            return f"{given[0][1:]}->{called}"
        return f"{given[0]}.{called}"

    def _operator(self, sign: str, given: list[str]) -> str:
        if sign in {"[]", "()"}:
            return f"{given[0]}{sign[0]}{', '.join(given[1:])}{sign[1]}"
        if len(given) == 1:
            return f"{sign}{given[0]}"
        return f"({given[0]} {sign} {', '.join(given[1:])})"

    def _spoken(self, node: c_ast.Node) -> Spoken | None:
        is_call = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
        return self.functions.get(node.name.name) if is_call else None

    def _is_self(self, node: c_ast.Node) -> bool:
        return self.in_method and isinstance(node, c_ast.ID) and node.name == "self"
