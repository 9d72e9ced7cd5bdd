"""From pycparser's type nodes to types: typedefs, structures, enumerations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pycparser import c_ast

from estimator.parse import types
from estimator.parse.attributes import cuda_attributes, is_attribute, number_arguments
from estimator.parse.c11 import is_inferred, typeof_operand
from estimator.parse.constants import Measure
from estimator.parse.types import CType, Member, Pointer, Struct, layout

Dimension = Callable[[c_ast.Node], int | None]


class UnknownTypeError(Exception):
    """A type name that nothing declares; carries the name and the node."""

    def __init__(self, name: str, node: c_ast.Node) -> None:
        super().__init__(name)
        self.name = name
        self.node = node


class ArrayLengthError(UnknownTypeError):
    """An array type with less than one element, or a member with a length that is not known;
    carries how many it has, None for that, and the node."""

    def __init__(self, length: int | None, node: c_ast.Node) -> None:
        super().__init__(f"array of {length}", node)
        self.length = length


class AlignmentError(UnknownTypeError):
    """An alignment that is not a known power of two; carries the node."""

    def __init__(self, node: c_ast.Node) -> None:
        super().__init__("alignment", node)


class TypeTable:
    """The types of one translation unit. Layouts are made when first asked for.

    `constant` gives the value of a constant expression, `dimension` in the methods that of an
    array's length: names that only a function knows (`const int n = 4; float a[n];`) can be
    answered by its caller.
    """

    def __init__(self, constant: Callable[[c_ast.Node, Measure], int | None]) -> None:
        self._dimension: Dimension = lambda node: constant(node, self.measured)
        self._typedefs: dict[str, c_ast.Node] = {}
        self._tagged: dict[str, c_ast.Node] = {}
        self._known: dict[str, CType] = {}
        self._begun: set[str] = set()  # whose members are being resolved
        self._is_open = False
        self._least_length = 1
        self.bound: dict[str, CType] = {}
        self.placeholders: set[str] = set()
        self.enumerators: dict[str, int] = {}

    def add_typedef(self, node: c_ast.Typedef) -> None:
        """Declare a typedef, and the structure or enumeration inside it."""
        self._typedefs[node.name] = node.type
        if getattr(node.type.type, "names", None) == ["deduced__"]:
            self.placeholders.add(node.name)
        self._known.pop(node.name, None)
        self.add_tags(node.type)

    def add_tags(self, node: c_ast.Node) -> None:
        """Declare the structures and enumerations that a declaration defines."""
        inner = node
        while isinstance(inner, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl)):
            inner = inner.type
        if isinstance(inner, (c_ast.Struct, c_ast.Union)) and inner.decls and inner.name:
            self._tagged[inner.name] = inner
        elif isinstance(inner, c_ast.Enum) and inner.values and typeof_operand(inner) is None:
            self._add_enumerators(inner)

    def _add_enumerators(self, node: c_ast.Enum) -> None:
        following: int | None = 0
        for item in node.values.enumerators:
            value = self._dimension(item.value) if item.value is not None else following
            following = value
            if value is not None:
                self.enumerators[item.name] = value
                following = value + 1

    def resolve(
        self,
        node: c_ast.Node,
        dimension: Dimension | None = None,
        type_of: Callable[[c_ast.Node], CType] | None = None,
    ) -> CType:
        """The type of a type node; `type_of` says what `typeof` does.

        Raises UnknownTypeError, ArrayLengthError, AlignmentError.
        """
        measure = dimension or self._dimension
        match node:
            case c_ast.TypeDecl():
                return self.resolve(node.type, measure, type_of)
            case c_ast.Typename():
                return self.resolve(node.type, measure, type_of)
            case c_ast.PtrDecl():
                target = node.type
                const = isinstance(target, c_ast.TypeDecl) and "const" in target.quals
                return Pointer(
                    self.resolve(target, measure, type_of), "restrict" in node.quals, const
                )
            case c_ast.ArrayDecl():
                length = measure(node.dim) if node.dim is not None else None
                if length is not None and length < self._least_length:
                    raise ArrayLengthError(length, node.dim)
                return types.Array(self.resolve(node.type, measure, type_of), length)
            case c_ast.IdentifierType():
                if is_inferred(node):
                    raise UnknownTypeError("auto", node)
                return self.named(types.specifier_name(list(node.names)), node)
            case c_ast.Struct() | c_ast.Union():
                return self._structure(node, measure)
            case c_ast.Enum():
                if (operand := typeof_operand(node)) is not None:
                    if type_of is None:
                        raise UnknownTypeError("typeof", node)
                    return type_of(operand)
                if node.values:
                    self._add_enumerators(node)
                return types.INT
            case c_ast.FuncDecl():
                return types.VOID
        raise UnknownTypeError(type(node).__name__, node)

    def named(self, name: str, node: c_ast.Node) -> CType:
        """The type of that name. Raises UnknownTypeError."""
        if name in self.bound:
            self._is_open = True
            return self.bound[name]
        if name in self._known:
            return self._known[name]
        if name in self._begun:
            # `struct Node { Node *next; }`: what is behind the pointer is `completed` in use.
            return types.Scalar(name, types.Kind.OPAQUE, 1)
        self._begun.add(name)
        try:
            return self._named(name, node)
        finally:
            self._begun.discard(name)

    def completed(self, ctype: CType) -> CType:
        """A type with the structures in it that stood for themselves by name only, while their
        members were resolved."""
        match ctype:
            case types.Scalar(name, types.Kind.OPAQUE, _):
                return self._known.get(name, ctype)
            case Pointer(target):
                whole = self.completed(target)
                return ctype if whole is target else replace(ctype, target=whole)
            case types.Array(element):
                whole = self.completed(element)
                return ctype if whole is element else replace(ctype, element=whole)
        return ctype

    def _named(self, name: str, node: c_ast.Node) -> CType:
        outer, self._is_open = self._is_open, name in self.placeholders
        if name in self._typedefs:
            result = self.resolve(self._typedefs[name])
            if isinstance(result, Struct) and not result.name:
                result = Struct(name, result.fields, result.size, result.alignment, result.is_union)
        elif (builtin := types.builtin(name)) is not None:
            result = builtin
        elif name in self._tagged:
            result = self.resolve(self._tagged[name])
        else:
            raise UnknownTypeError(name, node)
        if not self._is_open:  # a type made of placeholders is another one for every call
            self._known[name] = result
        self._is_open = self._is_open or outer
        return result

    def _structure(self, node: c_ast.Struct | c_ast.Union, measure: Dimension) -> CType:
        if not node.decls:
            if node.name in self._tagged:
                return self.named(node.name, node)
            return types.Scalar(node.name or "struct", types.Kind.OPAQUE, 1)
        members: list[Member] = []
        for decl in node.decls:
            if not isinstance(decl, c_ast.Decl):
                continue
            self._least_length, outer = 0, self._least_length  # `float tail[0];` has its use
            try:
                member = self.resolve(decl.type, measure)
            finally:
                self._least_length = outer
            _check_lengths(decl.type, member)
            if decl.name is None and decl.bitsize is None and not isinstance(member, Struct):
                continue
            bits = measure(decl.bitsize) or 0 if decl.bitsize is not None else 0
            at_least = self._alignment(decl, measure)
            at_most = next(iter(number_arguments(cuda_attributes(decl).get("pack"))), None)
            is_padding = decl.bitsize is not None and decl.name in (None, "_")
            name = None if is_padding else decl.name  # `int : 0;` is written `int _:0;`
            members.append(Member(name, member, bits, at_least, at_most))
        is_union = isinstance(node, c_ast.Union)
        return layout(node.name or "", members, is_union=is_union)

    def measured(self, operator: str, node: c_ast.Node) -> int | None:
        """What `sizeof` and `_Alignof` give outside functions."""
        if not isinstance(node, c_ast.Typename):
            return None
        ctype = self.resolve(node)
        return ctype.size if operator == "sizeof" else ctype.alignment

    def _alignment(self, decl: c_ast.Decl, measure: Dimension) -> int:
        """The bytes that `_Alignas` asks for; 1 where there is none."""
        most = 1
        for specifier in decl.align or ():
            asked = specifier.alignment
            if is_attribute(asked):
                continue
            if isinstance(asked, c_ast.ID) and asked.name in self._typedefs.keys() | self._tagged:
                bytes_ = self.named(asked.name, asked).alignment
            elif isinstance(asked, c_ast.Typename):
                bytes_ = self.resolve(asked, measure).alignment
            else:
                bytes_ = measure(asked) or 0
            if bytes_ < 1 or bytes_ & (bytes_ - 1):
                raise AlignmentError(asked)
            most = max(most, bytes_)
        return most


def _check_lengths(node: c_ast.Node, ctype: CType) -> None:
    """Raise ArrayLengthError for a length that is written but not known: no member has a place."""
    while isinstance(node, c_ast.ArrayDecl) and isinstance(ctype, types.Array):
        if node.dim is not None and ctype.length is None:
            raise ArrayLengthError(None, node.dim)
        node, ctype = node.type, ctype.element
