"""Executing expressions: one function a kind of pycparser node."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from estimator.algebra.condition import Truth, conjunction, disjunction, negate
from estimator.algebra.poly import Poly
from estimator.ir.kernel import ArrayObject
from estimator.lower.arithmetic import binary, is_literal, unary
from estimator.lower.branches import both_ways, merge_stores
from estimator.lower.builtins import is_builtin
from estimator.lower.calls import call
from estimator.lower.common_type import in_common_type
from estimator.lower.convert import convert, copied, merge, to_condition, type_of
from estimator.lower.functors import library_constant
from estimator.lower.machine import Machine
from estimator.lower.matrices import fragment_elements
from estimator.lower.pieces import narrowed
from estimator.lower.places import assign, deref, element_pointer, load, place_of, read
from estimator.lower.values import (
    BoolValue,
    ChoicePlace,
    FieldPlace,
    FloatValue,
    FunctionValue,
    IntValue,
    MemoryPlace,
    OpaqueValue,
    PartPlace,
    Place,
    PointerValue,
    StructValue,
    Value,
    Variable,
    VariablePlace,
)
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.constants import (
    TRUTHS,
    character_literal,
    decimal_literal,
    integer_literal,
    string_length,
)
from estimator.parse.nodes import nodes_of
from estimator.parse.table import AlignmentError, ArrayLengthError, UnknownTypeError
from estimator.parse.types import CType, Struct
from estimator.source import codes
from estimator.source.diagnostics import InputError


def evaluate(m: Machine, node: c_ast.Node) -> Value:
    """The value of an expression; what it does on the way is recorded."""
    m.step(node)
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise m.fail(codes.UNSUPPORTED, node, f"{type(node).__name__} is not supported here")
    return handler(m, node)


def _constant(m: Machine, node: c_ast.Constant) -> Value:
    kind = node.type
    if "float" in kind or "double" in kind:
        single = node.value[-1] in "fF" and not node.value.lower().startswith("0x")
        ctype = types.FLOAT if single else types.DOUBLE
        return FloatValue(m.fresh_number(), ctype, True, decimal_literal(node.value))
    if kind == "string":
        return OpaqueValue(types.Pointer(types.Scalar("char", types.Kind.INT, 1)))
    if kind == "char":
        # As in C++: 'a' is a char; L'a' has a type as wide as int.
        is_plain = node.value.startswith("'")
        ctype = types.Scalar("char", types.Kind.INT, 1) if is_plain else types.INT
        return IntValue(Poly.of(character_literal(node.value)), ctype)
    try:
        value = integer_literal(node.value)
    except ValueError:
        raise m.fail(codes.SYNTAX, node, f"cannot read the number {node.value}") from None
    return IntValue(Poly.of(value), _literal_type(node.value, value))


def _literal_type(text: str, value: int) -> types.Scalar:
    suffix = text.lower().lstrip("0123456789abcdefx'")
    unsigned = "u" in suffix
    wide = "l" in suffix or "z" in suffix or value > 0xFFFFFFFF
    if wide:
        return types.SIZE_T if unsigned else types.LONG
    return types.UNSIGNED if unsigned or value > 0x7FFFFFFF else types.INT


def _name(m: Machine, node: c_ast.ID) -> Value:
    name = node.name
    if name in m.indices:
        x, y, z = (IntValue(poly, types.UNSIGNED) for poly in m.indices[name])
        dim3 = types.builtin("uint3")
        assert isinstance(dim3, Struct)
        return StructValue(dim3, {"x": x, "y": y, "z": z})
    found = m.lookup(name)
    if found is None:
        if name in m.unit.types.enumerators:
            return IntValue(Poly.of(m.unit.types.enumerators[name]), types.INT)
        if name in TRUTHS:
            return BoolValue(Truth(TRUTHS[name]))
        if name == "nullptr":
            return IntValue(Poly.of(0), types.LONG)
        if name == "warpSize":
            return IntValue(Poly.of(32), types.INT)
        constant = library_constant(name)
        if constant is not None:
            return constant
        if name in m.unit.functions or is_builtin(name):
            return FunctionValue(name)
        if name in ("unknown__", "NULL"):
            return OpaqueValue(types.Pointer(types.VOID))
        if name in m.unit.lost:
            raise _lost(m, name)
        raise m.fail(codes.UNKNOWN_NAME, node, f"'{name}' is not declared")
    return read(m, place_of(m, node), node)


def _lost(m: Machine, name: str) -> Exception:
    return InputError(m.unit.lost[name])


def _array_ref(m: Machine, node: c_ast.ArrayRef) -> Value:
    pointer = element_pointer(m, node)
    if isinstance(pointer.base, ArrayObject):
        return load(m, pointer, pointer.target, node)
    return read(m, deref(m, pointer, node), node)


def _member(m: Machine, node: c_ast.StructRef) -> Value:
    if node.field.name in ("num_elements", "num_storage_elements"):
        count = fragment_elements(m, node)
        if count is not None:
            return count
    if node.type == "." and isinstance(node.name, c_ast.ID) and node.name.name in m.indices:
        axis = "xyz".find(node.field.name)
        if axis >= 0:
            return IntValue(m.indices[node.name.name][axis], types.UNSIGNED)
    return read(m, place_of(m, node), node)


def _binary(m: Machine, node: c_ast.BinaryOp) -> Value:
    if node.op in ("&&", "||"):
        return _short_circuit(m, node)
    # A chain such as a + b + c + … nests to the left: walk it without recursion.
    chain = [node]
    while isinstance(chain[-1].left, c_ast.BinaryOp) and chain[-1].left.op not in ("&&", "||"):
        chain.append(chain[-1].left)
    value = m.evaluate(chain[-1].left)
    folded = is_literal(chain[-1].left)
    for link in reversed(chain):
        m.step(link)
        right = m.evaluate(link.right)
        folded = folded and is_literal(link.right)
        value = binary(m, link.op, value, right, link, folded=folded)
    return value


def _short_circuit(m: Machine, node: c_ast.BinaryOp) -> Value:
    left = to_condition(m, m.evaluate(node.left), node.left)
    if isinstance(left, Truth) and left.value == (node.op == "||"):
        return BoolValue(left)
    before = m.live
    store = dict(m.store)
    m.live = narrowed(before, left if node.op == "&&" else negate(left))
    right = to_condition(m, m.evaluate(node.right), node.right)
    m.live = before
    if m.store != store:
        taken = left if node.op == "&&" else negate(left)
        m.store = merge_stores(m, taken, m.store, store)
    joined = conjunction(left, right) if node.op == "&&" else disjunction(left, right)
    return BoolValue(joined)


def _unary(m: Machine, node: c_ast.UnaryOp) -> Value:
    match node.op:
        case "sizeof":
            return IntValue(Poly.of(type_of_node(m, node.expr).size), types.SIZE_T)
        case "_Alignof":
            return IntValue(Poly.of(type_of_node(m, node.expr).alignment), types.SIZE_T)
        case "&":
            return _address(m, node)
        case "*":
            place = place_of(m, node)
            return read(m, place, node)
        case "++" | "--" | "p++" | "p--":
            return _increment(m, node)
    return unary(m, node.op, m.evaluate(node.expr), node)


def _increment(m: Machine, node: c_ast.UnaryOp) -> Value:
    place = place_of(m, node.expr)
    old = read(m, place, node)
    one = IntValue(Poly.of(1), types.INT)
    new = binary(m, "+" if "+" in node.op else "-", old, one, node)
    stored = assign(m, place, new, node)
    return old if node.op.startswith("p") else stored


def _address(m: Machine, node: c_ast.UnaryOp) -> Value:
    if isinstance(node.expr, c_ast.ID):
        variable = m.lookup(node.expr.name)
        if variable is None and node.expr.name in m.unit.functions:
            return FunctionValue(node.expr.name)
        if isinstance(variable, Variable) and isinstance(variable.type, types.Array):
            return m.store[variable]
    return address_of(m, place_of(m, node.expr))


def address_of(m: Machine, place: Place) -> Value:
    """A pointer to a place."""
    match place:
        case MemoryPlace(pointer, ctype):
            return PointerValue(pointer.base, pointer.offset, ctype)
        case VariablePlace(variable):
            return PointerValue(variable, Poly.of(0), variable.type)
        case FieldPlace() | PartPlace():
            member = Variable("member", place.type)
            m.aliases[member] = place
            return PointerValue(member, Poly.of(0), place.type)
        case ChoicePlace(condition, one, other):
            return merge(m, condition, address_of(m, one), address_of(m, other))


def type_of_node(m: Machine, node: c_ast.Node) -> CType:
    """The type that `sizeof` and `typeof` ask for; nothing is executed."""
    if isinstance(node, c_ast.Typename):
        return resolve(m, node)
    if isinstance(node, c_ast.Constant) and node.type == "string":
        return types.Array(types.CHAR, string_length(node.value))
    if isinstance(node, c_ast.ID):
        found = m.lookup(node.name)
        if isinstance(found, Variable):
            return found.type
        if isinstance(found, ArrayObject):
            return m.global_types[node.name]
    m.dry += 1
    store = dict(m.store)
    try:
        return type_of(m.evaluate(node))
    finally:
        m.store = store
        m.dry -= 1


def resolve(m: Machine, node: c_ast.Node) -> CType:
    """The type of a type node, array lengths computed here. Raises InputError."""

    def dimension(length: c_ast.Node) -> int | None:
        value = m.evaluate(length)
        return value.poly.integer if isinstance(value, IntValue) else None

    try:
        return m.unit.types.resolve(node, dimension, lambda inner: type_of_node(m, inner))
    except ArrayLengthError as error:
        message = "an array whose length is not known"
        if error.length is not None:
            message = f"an array of {error.length} elements; it needs 1 at least"
        raise m.fail(codes.ARRAY_LENGTH, error.node, message) from None
    except AlignmentError as error:
        message = "an alignment that is no power of two, or not known"
        raise m.fail(codes.ALIGNMENT, error.node, message) from None
    except UnknownTypeError as error:
        if error.name in m.unit.lost:
            raise _lost(m, error.name) from None
        raise m.fail(codes.UNKNOWN_TYPE, error.node, f"type '{error.name}' is not known") from None


def _assignment(m: Machine, node: c_ast.Assignment) -> Value:
    if node.op == "=":
        value = copied(m, m.evaluate(node.rvalue))
        return assign(m, place_of(m, node.lvalue), value, node)
    right = m.evaluate(node.rvalue)
    place = place_of(m, node.lvalue)
    left = read(m, place, node)
    return assign(m, place, binary(m, node.op[:-1], left, right, node), node)


def _cast(m: Machine, node: c_ast.Cast) -> Value:
    ctype = resolve(m, node.to_type)
    if ctype == types.VOID:
        m.evaluate(node.expr)
        return OpaqueValue(types.VOID)
    value = m.evaluate(node.expr)
    if isinstance(ctype, Struct) and not isinstance(value, StructValue):
        message = f"cannot make a {ctype.name} of {source_text(m, node)}"
        raise m.fail(codes.UNSUPPORTED, node, message)
    return convert(m, value, ctype)


def _ternary(m: Machine, node: c_ast.TernaryOp) -> Value:
    condition = to_condition(m, m.evaluate(node.cond), node.cond)
    if isinstance(condition, Truth):
        sides = (node.iftrue, node.iffalse) if condition.value else (node.iffalse, node.iftrue)
        return _as_both(m, m.evaluate(sides[0]), sides[1])
    values: list[Value] = []

    def branch(expression: c_ast.Node) -> Callable[[], None]:
        return lambda: values.append(m.evaluate(expression))

    both_ways(m, condition, branch(node.iftrue), branch(node.iffalse), node)
    left, right = in_common_type(m, values[0], values[1])
    return merge(m, condition, left, right)


def _as_both(m: Machine, value: Value, other: c_ast.Node) -> Value:
    """The side of `c ? a : b` that a constant chooses, in the type that both have together.

    The other side is not executed; only one that calls nothing is asked for its type.
    """
    if not isinstance(value, (IntValue, BoolValue, FloatValue)) or not _calls_nothing(other):
        return value
    m.dry += 1
    store = dict(m.store)
    try:
        beside = m.evaluate(other)
    except InputError:
        return value
    finally:
        m.store = store
        m.dry -= 1
    return in_common_type(m, value, beside)[0]


def _calls_nothing(node: c_ast.Node) -> bool:
    return not any(isinstance(inner, c_ast.FuncCall) for inner in nodes_of(node))


def _compound_literal(m: Machine, node: c_ast.CompoundLiteral) -> Value:
    from estimator.lower.declarations import initial_value

    return initial_value(m, resolve(m, node.type), node.init, node)


def _list(m: Machine, node: c_ast.ExprList) -> Value:
    value: Value = OpaqueValue(types.VOID)
    for expression in node.exprs:
        value = m.evaluate(expression)
    return value


def _call(m: Machine, node: c_ast.FuncCall) -> Value:
    return call(m, node)


_HANDLERS: dict[type, Callable[..., Value]] = {
    c_ast.Constant: _constant,
    c_ast.ID: _name,
    c_ast.ArrayRef: _array_ref,
    c_ast.StructRef: _member,
    c_ast.BinaryOp: _binary,
    c_ast.UnaryOp: _unary,
    c_ast.Assignment: _assignment,
    c_ast.Cast: _cast,
    c_ast.TernaryOp: _ternary,
    c_ast.CompoundLiteral: _compound_literal,
    c_ast.ExprList: _list,
    c_ast.FuncCall: _call,
}
