"""C expressions → Python expressions that count."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from estimator.parse.constants import constant_value
from estimator.parse.types import (
    INT,
    LONG,
    SIZE_T,
    UNSIGNED,
    Array,
    CType,
    Kind,
    Pointer,
    Scalar,
    Struct,
    type_text,
)
from oracle.errors import OracleError
from oracle.literals import NAMED, literal
from oracle.operand import (
    InMemory,
    Operand,
    Place,
    Register,
    common,
    convert,
    decay,
    is_address,
    pointed,
    promote,
    round_text,
    wrap_name,
)
from oracle.scope import Scope

_GEOMETRY = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


class Expressions(Scope):
    """Translates expressions inside one function."""

    def dimension(self, node: c_ast.Node) -> int | None:
        """An array's length, which may use the function's own constants."""
        return constant_value(node, self.constants, self._size_of)

    def resolve(self, node: c_ast.Node) -> CType:
        return self.program.unit.types.resolve(node, self.dimension)

    def _size_of(self, node: c_ast.Node) -> int:
        if isinstance(node, c_ast.Typename):
            return self.resolve(node.type).size
        return self.type_of(node).size

    def type_of(self, node: c_ast.Node) -> CType:
        """The type of an expression that is not evaluated."""
        place = self.place(node)
        return place.type if place is not None else self.value(node).type

    # Values

    def value(self, node: c_ast.Node) -> Operand:
        """An expression's value. Raises OracleError with the place of what is unknown."""
        match node:
            case c_ast.Constant():
                return literal(node)
            case c_ast.Cast():
                return self._cast(node)
            case c_ast.Assignment():
                return self._assignment(node)
            case c_ast.BinaryOp():
                if node.op in ("&&", "||"):
                    return Operand(f"(1 if {self.truth(node)} else 0)", INT)
                return self.binary(node.op, self.value(node.left), self.value(node.right))
            case c_ast.UnaryOp() if node.op not in ("*",):
                return self._unary(node)
            case c_ast.TernaryOp():
                return self._ternary(node)
            case c_ast.FuncCall():
                return self.call(node)
            case c_ast.ExprList():
                parts = [self.value(part) for part in node.exprs]
                text = f"({', '.join(part.text for part in parts)},)[-1]"
                return parts[0] if len(parts) == 1 else Operand(text, parts[-1].type)
            case c_ast.ID():
                known = self.constant(node.name) or NAMED.get(node.name)
                if known is not None and self.lookup(node.name) is None:
                    return known
            case c_ast.StructRef() if self._is_geometry(node):
                axis = "xyz".index(node.field.name)
                return Operand(f"T.at('{node.name.name}', {axis})", UNSIGNED)
        place = self.place(node)
        if place is not None:
            return self.read(place)
        if isinstance(node, c_ast.StructRef):
            return self._member_of_value(node)
        raise OracleError(f"cannot evaluate {type(node).__name__}", self.position(node))

    def _is_geometry(self, node: c_ast.StructRef) -> bool:
        name = node.name
        return isinstance(name, c_ast.ID) and name.name in _GEOMETRY

    def _member_of_value(self, node: c_ast.StructRef) -> Operand:
        base = self.value(node.name)
        member = base.type.field(node.field.name) if isinstance(base.type, Struct) else None
        if member is None or isinstance(member.type, Array):
            raise OracleError(f"no member {node.field.name}", self.position(node))
        form = self.program.form(member.type)
        return Operand(f"{form}.read({base.text}, {member.offset})", member.type)

    def read(self, place: Place) -> Operand:
        """The value in a place; an array's is its address."""
        if isinstance(place, Register):
            return Operand(place.name, place.type)
        if isinstance(place.type, Array):
            return Operand(place.address, place.type)
        return Operand(f"T.load({self.program.form(place.type)}, {place.address})", place.type)

    def write(self, place: Place, text: str) -> str:
        """The text that puts a converted value into a place; it is that value, too."""
        if isinstance(place, Register):
            return f"({place.name} := {text})"
        return f"T.store({self.program.form(place.type)}, {place.address}, {text})"

    def truth(self, node: c_ast.Node) -> str:
        """A condition as Python's."""
        match node:
            case c_ast.BinaryOp(op="&&"):
                return f"({self.truth(node.left)} and {self.truth(node.right)})"
            case c_ast.BinaryOp(op="||"):
                return f"({self.truth(node.left)} or {self.truth(node.right)})"
            case c_ast.UnaryOp(op="!"):
                return f"(not {self.truth(node.expr)})"
            case c_ast.BinaryOp() if node.op in _COMPARISONS:
                return self._comparison(node.op, self.value(node.left), self.value(node.right))
        return self.value(node).text

    # Places

    def place(self, node: c_ast.Node) -> Place | None:
        """Where an expression's value lies; None if it is a value only."""
        match node:
            case c_ast.ID():
                found = self.lookup(node.name) or self.program.variable(node.name)
                known = node.name in NAMED or self.constant(node.name) is not None
                if found is None and not known:
                    raise OracleError(f"unknown name {node.name}", self.position(node))
                return found
            case c_ast.UnaryOp(op="*"):
                base = self.value(node.expr)
                return InMemory(base.text, pointed(base.type))
            case c_ast.ArrayRef():
                base, index = self.value(node.name), self.value(node.subscript)
                if not is_address(base.type):
                    base, index = index, base
                element = pointed(base.type)
                return InMemory(f"({base.text} + {element.size} * {index.text})", element)
            case c_ast.StructRef():
                return self._member(node)
            case c_ast.CompoundLiteral():
                ctype = self.resolve(node.type)
                name = self.temporary_memory(ctype)
                stores = self.initialise(ctype, name, node.init, node)
                return InMemory(f"({', '.join([*stores, name])},)[-1]", ctype)
        return None

    def _member(self, node: c_ast.StructRef) -> Place | None:
        if self._is_geometry(node):
            return None
        if node.type == "->":
            base = self.value(node.name)
            address, ctype = base.text, pointed(base.type)
        else:
            place = self.place(node.name)
            if place is None:
                return None
            if not isinstance(place, InMemory):
                raise OracleError("no structure before the point", self.position(node))
            address, ctype = place.address, place.type
        member = ctype.field(node.field.name) if isinstance(ctype, Struct) else None
        if member is None:
            message = f"{type_text(ctype)} has no member {node.field.name}"
            raise OracleError(message, self.position(node))
        return InMemory(f"({address} + {member.offset})", member.type)

    def address(self, node: c_ast.Node) -> tuple[str, CType]:
        """The address of an expression; values get a place of their own."""
        place = self.place(node)
        if isinstance(place, InMemory):
            return place.address, place.type
        value = self.value(node)
        name = self.temporary_memory(value.type)
        store = f"T.store({self.program.form(value.type)}, {name}, {value.text})"
        return f"({store}, {name})[1]", value.type

    # Operators

    def _cast(self, node: c_ast.Cast) -> Operand:
        to, operand = self.resolve(node.to_type.type), self.value(node.expr)
        if isinstance(to, Struct) and not isinstance(operand.type, Struct):
            raise OracleError(f"no conversion to {to.name}", self.position(node))
        return Operand(convert(operand, to), to, operand.literal)

    def _unary(self, node: c_ast.UnaryOp) -> Operand:
        op = node.op
        if op in ("sizeof", "_Alignof", "alignof"):
            return Operand(str(self._size_of(node.expr)), SIZE_T)
        if op == "&":
            place = self.place(node.expr)
            if not isinstance(place, InMemory):
                raise OracleError("no address", self.position(node))
            return Operand(place.address, Pointer(place.type))
        if op == "!":
            return Operand(f"(0 if {self.truth(node.expr)} else 1)", INT)
        if op in ("++", "--", "p++", "p--"):
            return self._step(node)
        operand = self.value(node.expr)
        ctype = promote(operand.type)
        text = convert(operand, ctype)
        if op == "+":
            return replace(operand, text=text, type=ctype)
        text = f"({op}{text})" if ctype.is_float else f"{wrap_name(ctype)}({op}{text})"
        return Operand(text, ctype, operand.literal)

    def _step(self, node: c_ast.UnaryOp) -> Operand:
        place = self._assigned(node.expr)
        one, op = Operand("1", INT, True), node.op[-1]
        if isinstance(place, InMemory):
            address = self.temporary()
            inner: Place = InMemory(address, place.type)
            before = f"{address} := {place.address}, "
            result = 2
        else:
            inner, before, result = place, "", 1
        old = self.temporary()
        new = convert(self.binary(op, Operand(old, place.type), one), place.type)
        last = result if not node.op.startswith("p") else result - 1
        read = self.read(inner).text
        text = f"({before}{old} := {read}, {self.write(inner, new)})[{last}]"
        return Operand(text, place.type)

    def _assigned(self, node: c_ast.Node) -> Place:
        place = self.place(node)
        if place is None:
            raise OracleError("cannot assign to this", self.position(node))
        return place

    def _assignment(self, node: c_ast.Assignment) -> Operand:
        place = self._assigned(node.lvalue)
        right = self.value(node.rvalue)
        if node.op == "=":
            return Operand(self.write(place, convert(right, place.type)), place.type)
        # The right side first, as in C++; an address is computed once.
        value = self.temporary()
        parts = [f"{value} := {right.text}"]
        if isinstance(place, InMemory):
            address = self.temporary()
            parts.append(f"{address} := {place.address}")
            place = InMemory(address, place.type)
        result = self.binary(node.op[:-1], self.read(place), replace(right, text=value))
        parts.append(self.write(place, convert(result, place.type)))
        return Operand(f"({', '.join(parts)})[-1]", place.type)

    def _ternary(self, node: c_ast.TernaryOp) -> Operand:
        condition = self.truth(node.cond)
        yes, no = self.value(node.iftrue), self.value(node.iffalse)
        if isinstance(yes.type, Scalar) and isinstance(no.type, Scalar):
            if Kind.VOID in (yes.type.kind, no.type.kind):
                return Operand(f"({yes.text} if {condition} else {no.text})", yes.type)
            ctype: CType = common(yes.type, no.type)
        else:
            ctype = decay(no.type) if isinstance(yes.type, Scalar) else decay(yes.type)
        text = f"({convert(yes, ctype)} if {condition} else {convert(no, ctype)})"
        return Operand(text, ctype)

    def _comparison(self, op: str, left: Operand, right: Operand) -> str:
        if is_address(left.type) or is_address(right.type):
            return f"({left.text} {op} {right.text})"
        ctype = common(left.type, right.type)
        return f"({convert(left, ctype)} {op} {convert(right, ctype)})"

    def binary(self, op: str, left: Operand, right: Operand) -> Operand:
        """One operator, counted if it works on floats that are not all literal."""
        if op in _COMPARISONS:
            return Operand(f"(1 if {self._comparison(op, left, right)} else 0)", INT)
        if is_address(left.type) or is_address(right.type):
            return self._pointer_arithmetic(op, left, right)
        if isinstance(left.type, Struct) and isinstance(right.type, Struct):
            return self.packed(op, left, right)
        if op in ("<<", ">>"):
            kind = promote(left.type)
            amount = f"({right.text} & {kind.size * 8 - 1})"
            return Operand(f"{wrap_name(kind)}({convert(left, kind)} {op} {amount})", kind)
        ctype = common(left.type, right.type)
        a, b = convert(left, ctype), convert(right, ctype)
        free = left.literal and right.literal
        if ctype.is_float:
            if op not in ("+", "-", "*", "/"):
                raise OracleError(f"operator {op} on {ctype.name}")
            text = f"divide({a}, {b})" if op == "/" else f"({a} {op} {b})"
            if free:
                return Operand(round_text(text, ctype), ctype, True)
            return Operand(f"T.{ctype.precision.value}({text})", ctype)
        function = {"/": "quotient", "%": "remainder"}.get(op)
        text = f"{function}({a}, {b})" if function else f"{a} {op} {b}"
        return Operand(f"{wrap_name(ctype)}({text})", ctype, free)

    def _pointer_arithmetic(self, op: str, left: Operand, right: Operand) -> Operand:
        if is_address(left.type) and is_address(right.type) and op == "-":
            size = max(1, pointed(left.type).size)
            return Operand(f"quotient({left.text} - {right.text}, {size})", LONG)
        if not is_address(left.type):
            left, right = right, left
        if op not in ("+", "-"):
            raise OracleError(f"operator {op} on a pointer")
        size = max(1, pointed(left.type).size)
        return Operand(f"({left.text} {op} {size} * {right.text})", decay(left.type))
