"""Conversions between values: to integers, to conditions, to a declared type."""

from __future__ import annotations

from pycparser import c_ast

from estimator.algebra.atoms import Role, Select, Symbol
from estimator.algebra.condition import (
    FALSE,
    TRUE,
    Condition,
    Data,
    Truth,
    depends_on_data,
    negate,
    zero,
)
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.ir.kernel import ArrayObject, Space
from estimator.lower.machine import Machine
from estimator.lower.values import (
    BoolValue,
    FloatValue,
    FunctionValue,
    IntValue,
    ObjectValue,
    OpaqueValue,
    PointerValue,
    StructValue,
    Value,
    Variable,
)
from estimator.lower.widths import converted
from estimator.lower.wording import source_text
from estimator.parse import types
from estimator.parse.types import CType, Kind, Pointer, Scalar, Struct
from estimator.source.position import Position

# An integer that depends on data is known by name only; longer expressions of it say no more.
_LONGEST_UNKNOWN = 120
_LONGEST = 4_000


def opaque_poly(m: Machine) -> Poly:
    """An integer that depends on data."""
    return Poly.of(Symbol(f"?{m.fresh_number()}", Role.UNKNOWN))


def tidy(m: Machine, poly: Poly) -> Poly:
    """The polynomial, or a name for it where it depends on data and has grown long."""
    limit = _LONGEST_UNKNOWN if poly.has_role(Role.UNKNOWN) else _LONGEST
    return poly if len(poly.key) <= limit else opaque_poly(m)


def fresh(m: Machine, ctype: CType, name: str = "") -> Value:
    """A value of a type about which nothing is known; `name` is the variable's that holds it."""
    match ctype:
        case Scalar() if ctype.is_float:
            return FloatValue(m.fresh_number(), ctype)
        case Scalar(_, Kind.OPAQUE | Kind.VOID, _):
            return OpaqueValue(ctype)
        case Scalar():
            return IntValue(opaque_poly(m), ctype)
        case Struct():
            fields: dict[str, Value] = {}
            for field in ctype.fields:
                inner = f"{name}.{field.name}" if name else ""
                if isinstance(field.type, types.Array) and types.is_fragment(ctype):
                    fields[field.name] = _local_array(m, field.type, inner, is_held=True)
                else:
                    fields[field.name] = fresh(m, field.type, inner)
            return StructValue(ctype, fields)
        case types.Array():
            return _local_array(m, ctype, name, is_held=types.is_fragment(ctype))
        case Pointer(target, _, _):
            array = ArrayObject(
                f"pointer{m.fresh_number()}", Space.GLOBAL, _nowhere(m), indirect=True
            )
            return PointerValue(array, ZERO, m.unit.types.completed(target))
    return OpaqueValue(ctype)


def _local_array(m: Machine, ctype: types.Array, name: str, *, is_held: bool) -> PointerValue:
    """An array in a structure; those of fragments of matrices are held in registers."""
    name = name or f"local{m.fresh_number()}"
    array = ArrayObject(name, Space.LOCAL, _nowhere(m), member=is_held)
    return PointerValue(array, ZERO, ctype.element)


def unknown_like(m: Machine, value: Value) -> Value:
    """A value of the same type about which nothing is known; a pointer stays in its memory."""
    if isinstance(value, PointerValue) and isinstance(value.base, ArrayObject):
        base = value.base
        name = f"pointer{m.fresh_number()}"
        array = ArrayObject(name, base.space, base.position, member=base.member, indirect=True)
        return PointerValue(array, ZERO, value.target)
    if isinstance(value, PointerValue):
        return one_of(m, value)
    return fresh(m, type_of(value))


def _nowhere(m: Machine) -> Position:
    return m.kernel.position


def type_of(value: Value) -> CType:
    """The type of a value."""
    match value:
        case BoolValue():
            return types.BOOL
        case PointerValue(_, _, target):
            return Pointer(target)
        case FunctionValue():
            return Pointer(types.VOID)
        case IntValue() | FloatValue() | StructValue() | OpaqueValue() | ObjectValue():
            return value.type


def to_poly(m: Machine, value: Value) -> Poly:
    """A value as an integer; one that depends on data where it is no integer."""
    match value:
        case IntValue(poly, _):
            return poly
        case BoolValue(Truth(truth)):
            return ONE if truth else ZERO
        case BoolValue(condition) if not depends_on_data(condition):
            return Poly.of(Select(condition, ONE, ZERO))
    return opaque_poly(m)


def to_condition(m: Machine, value: Value, node: c_ast.Node) -> Condition:
    """Whether a value counts as true."""
    match value:
        case BoolValue(condition):
            return condition
        case IntValue(poly, _) if not poly.has_role(Role.UNKNOWN):
            condition = negate(zero(poly, m.position(node).line))
            if not m.dry and condition.key not in m.kernel.condition_texts:
                m.kernel.condition_texts[condition.key] = source_text(m, node)
            return condition
        case PointerValue(ArrayObject(space=Space.SHARED | Space.LOCAL), _, _):
            return TRUE
        case PointerValue() if is_null(m, value):
            return FALSE
        case PointerValue(base, _, _) if not isinstance(base, ArrayObject):
            return TRUE
    return data_condition(m, node)


def is_null(m: Machine, value: Value) -> bool:
    """Whether a value is a null pointer; that something is decided by it is kept."""
    if not isinstance(value, PointerValue) or not isinstance(value.base, ArrayObject):
        return False
    if not value.base.null or value.offset != ZERO:
        return False
    m.kernel.nulls_met.add(value.base.name)
    return True


def data_condition(m: Machine, node: c_ast.Node) -> Condition:
    """An unknown condition: true in a share `p@LINE` of the cases."""
    meaning = f"share of the cases in which {source_text(m, node)} holds"
    return Data(m.event(m.unknown("p", node, meaning, lower=ZERO, upper=ONE)))


def convert(m: Machine, value: Value, ctype: CType, name: str = "") -> Value:
    """A value as it arrives in a variable of that type, which has a name unless it is a cast."""
    match ctype:
        case Scalar(_, Kind.BOOL, _):
            if isinstance(value, BoolValue):
                return value
            if isinstance(value, IntValue) and not value.poly.has_role(Role.UNKNOWN):
                return BoolValue(negate(zero(value.poly)))
            if is_null(m, value):
                return BoolValue(FALSE)
            return IntValue(opaque_poly(m), ctype)
        case Scalar() if ctype.is_float:
            if isinstance(value, FloatValue):
                return FloatValue(value.number, ctype, value.literal, value.amount)
            return FloatValue(m.fresh_number(), ctype, amount=known_amount(value))
        case Scalar(_, Kind.INT | Kind.UNSIGNED, _):
            source = value.type if isinstance(value, IntValue) else None
            if isinstance(value, BoolValue):
                source = types.BOOL
            return IntValue(converted(m, to_poly(m, value), source, ctype, name), ctype)
        case Pointer(target, _, _):
            if isinstance(value, FunctionValue):
                return value
            if isinstance(value, PointerValue):
                new = target if target != types.VOID else value.target
                return PointerValue(value.base, value.offset, new)
            return fresh(m, ctype)
        case Struct():
            if isinstance(value, StructValue) and value.type == ctype:
                return value
            return _spread(m, value, ctype)
    return value


def copied(m: Machine, value: Value) -> Value:
    """A copy of a structure: its arrays are its own from now on."""
    if not isinstance(value, StructValue) or not any(
        isinstance(field.type, (types.Array, Struct)) for field in value.type.fields
    ):
        return value
    fields: dict[str, Value] = {}
    for field in value.type.fields:
        one = value.fields[field.name]
        is_own = isinstance(one, PointerValue) and isinstance(one.base, ArrayObject)
        if isinstance(field.type, types.Array) and is_own:
            assert isinstance(one, PointerValue)
            assert isinstance(one.base, ArrayObject)
            base = one.base
            array = ArrayObject(base.name, base.space, base.position, member=base.member)
            for key in [k for k in m.store if isinstance(k, tuple) and k[0] is one.base]:
                assert isinstance(key, tuple)
                m.store[array, key[1]] = m.store[key]
                m.known_arrays.add(array)
            one = PointerValue(array, one.offset, one.target)
        elif isinstance(one, StructValue):
            one = copied(m, one)
        fields[field.name] = one
    return StructValue(value.type, fields)


def _spread(m: Machine, value: Value, ctype: Struct) -> Value:
    """A structure from another structure's members, in order, or with nothing known."""
    if isinstance(value, StructValue) and len(value.fields) == len(ctype.fields):
        members = zip(ctype.fields, value.fields.values(), strict=True)
        return StructValue(ctype, {f.name: convert(m, v, f.type) for f, v in members})
    return fresh(m, ctype)


def known_amount(value: Value) -> Poly | None:
    """What a number is, where it does not depend on data."""
    if isinstance(value, FloatValue):
        return value.amount
    if isinstance(value, IntValue) and not value.poly.has_role(Role.UNKNOWN, Role.PROBE):
        return value.poly
    return None


def merge(m: Machine, condition: Condition | None, left: Value, right: Value) -> Value:
    """`left` where the condition holds, else `right`; None where data decides."""
    if left == right:
        return left
    match left, right:
        case ((IntValue() | BoolValue()), (IntValue() | BoolValue())):
            return _merge_integers(m, condition, left, right)
        case FloatValue(), FloatValue():
            return FloatValue(m.fresh_number(), left.type)
        case PointerValue(), PointerValue() if left.base is right.base:
            a, b = IntValue(left.offset, types.LONG), IntValue(right.offset, types.LONG)
            offset = to_poly(m, _merge_integers(m, condition, a, b))
            return PointerValue(left.base, offset, left.target)
        case PointerValue(), PointerValue() if condition is not None and _is_followed(left, right):
            return _chosen(m, condition, left, right)
        case StructValue(), StructValue() if left.type == right.type:
            fields: dict[str, Value] = {}
            for field in left.type.fields:
                one, other = left.fields[field.name], right.fields[field.name]
                if isinstance(field.type, types.Array) and one != other:
                    fields[field.name] = fresh(m, field.type)  # which of them it was is not kept
                else:
                    fields[field.name] = merge(m, condition, one, other)
            return StructValue(left.type, fields)
        case PointerValue(), PointerValue():
            return one_of(m, left, right)
    return fresh(m, type_of(left))


def one_of(m: Machine, *pointers: PointerValue) -> PointerValue:
    """A pointer of which only is known that it leads to where one of these does.

    It can be handed on; what is read and written through it nobody can say where these lead to
    several kinds of memory, or to variables.
    """
    spaces = {space_of(pointer) for pointer in pointers}
    space = next(iter(spaces)) if len(spaces) == 1 else Space.GLOBAL
    array = ArrayObject(f"pointer{m.fresh_number()}", space, _nowhere(m), indirect=True)
    is_variable = any(isinstance(pointer.base, Variable) for pointer in pointers)
    is_unclear = any(pointer.base in m.ambiguous for pointer in pointers)
    if is_variable or is_unclear or len(spaces) > 1:
        m.ambiguous.add(array)
    return PointerValue(array, ZERO, pointers[0].target)


def _is_followed(*pointers: PointerValue) -> bool:
    """Whether both pointers lead to the thread's own variables and arrays, or both do not."""
    return len({space_of(pointer) is Space.LOCAL for pointer in pointers}) == 1


def space_of(pointer: PointerValue) -> Space:
    """The memory that a pointer leads to."""
    return pointer.base.space if isinstance(pointer.base, ArrayObject) else Space.LOCAL


def _chosen(
    m: Machine, condition: Condition, left: PointerValue, right: PointerValue
) -> PointerValue:
    """One of two pointers: an access through it is one to either place, by the condition."""
    name = f"pointer{m.fresh_number()}"
    array = ArrayObject(name, space_of(left), _nowhere(m), indirect=True)
    m.choices[array] = (condition, left, right)
    return PointerValue(array, ZERO, left.target)


def _merge_integers(m: Machine, condition: Condition | None, left: Value, right: Value) -> Value:
    ctype = left.type if isinstance(left, IntValue) else types.BOOL
    decided = condition is not None and not depends_on_data(condition)
    if isinstance(left, BoolValue) and isinstance(right, BoolValue) and decided:
        from estimator.algebra.condition import conjunction, disjunction

        assert condition is not None
        return BoolValue(
            disjunction(
                conjunction(condition, left.condition),
                conjunction(negate(condition), right.condition),
            )
        )
    a, b = to_poly(m, left), to_poly(m, right)
    if not decided or a.has_role(Role.UNKNOWN) or b.has_role(Role.UNKNOWN):
        return IntValue(opaque_poly(m), ctype)
    assert condition is not None
    return IntValue(tidy(m, Poly.of(Select(condition, a, b))), ctype)
