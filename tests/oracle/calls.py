"""Calls of the user's device functions: arguments, references, deduced types."""

from __future__ import annotations

from pycparser import c_ast

from estimator.parse.attributes import cuda_attributes
from estimator.parse.types import CType, Scalar
from oracle.errors import OracleError
from oracle.intrinsics import Intrinsics
from oracle.operand import Operand, convert, decay, pointed


def is_reference(parameter: c_ast.Decl) -> bool:
    """Whether a declaration names somebody else's variable."""
    return "reference" in cuda_attributes(parameter)


class Calls(Intrinsics):
    """Expressions with all their calls."""

    def call(self, node: c_ast.FuncCall) -> Operand:
        """A call's value; functions of the file come before CUDA's."""
        if not isinstance(node.name, c_ast.ID):
            raise OracleError("call through a pointer", self.position(node))
        name = node.name.name
        function = self.program.unit.functions.get(name)
        if function is None:
            return self.builtin_call(name, node)
        given = list(node.args.exprs) if node.args else []
        if len(given) != len(function.parameters):
            raise OracleError(f"wrong number of arguments for {name}", self.position(node))
        pairs = list(zip(function.parameters, given, strict=True))
        values = [self._argument(parameter, argument) for parameter, argument in pairs]
        bound: dict[str, CType] = {}
        for parameter, value in zip(function.parameters, values, strict=True):
            self._deduce(parameter.type, value.type, bound)
        instance = self.program.instance(function, bound)
        texts = ["T"]
        for parameter, value, ctype in zip(
            function.parameters, values, instance.parameters, strict=True
        ):
            texts.append(value.text if is_reference(parameter) else convert(value, decay(ctype)))
        call = f"{instance.name}({', '.join(texts)})"
        if self.program.suspends(function):
            call = f"(yield from {call})"
        return Operand(call, instance.returns)

    def _argument(self, parameter: c_ast.Decl, node: c_ast.Node) -> Operand:
        """An argument; for a reference its address, with the type of what is there."""
        if not is_reference(parameter):
            return self.value(node)
        address, ctype = self.address(node)
        wanted = None if self._is_deduced(parameter.type) else self.resolve(parameter.type)
        if isinstance(wanted, Scalar) and wanted != ctype and self.place(node) is None:
            value = convert(self.value(node), wanted)
            name = self.temporary_memory(wanted)
            store = f"T.store({self.program.form(wanted)}, {name}, {value})"
            return Operand(f"({store}, {name})[1]", wanted)
        return Operand(address, ctype)

    def _is_deduced(self, node: c_ast.Node) -> bool:
        inner = node
        while isinstance(inner, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl)):
            inner = inner.type
        names = inner.names if isinstance(inner, c_ast.IdentifierType) else []
        return any(n in self.program.unit.types.placeholders for n in names)

    def _deduce(self, node: c_ast.Node, ctype: CType, bound: dict[str, CType]) -> None:
        """Binds placeholders in a parameter's type to what the argument's type has there."""
        match node:
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])):
                if name in self.program.unit.types.placeholders:
                    bound.setdefault(name, decay(ctype))
            case c_ast.PtrDecl() | c_ast.ArrayDecl() if self._is_deduced(node):
                self._deduce(node.type, pointed(ctype), bound)
