"""Places: what an lvalue means, reading from it, assigning to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Condition, Truth
from estimator.algebra.poly import ZERO, Poly
from estimator.ir.kernel import AccessKind, ArrayObject, Space
from estimator.lower.assumptions import no_members
from estimator.lower.branches import both_ways
from estimator.lower.cells import low_part, one_held, recall, remember
from estimator.lower.convert import (
    convert,
    fresh,
    merge,
    to_condition,
    to_poly,
    unknown_like,
)
from estimator.lower.machine import Machine
from estimator.lower.values import (
    ChoicePlace,
    FieldPlace,
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
from estimator.parse.types import CType, Scalar, Struct
from estimator.source import codes

# Objects that only their own functions read and write, such as a barrier in shared memory.
_LIBRARY_OBJECTS = ("cuda__", "cub__")


def place_of(m: Machine, node: c_ast.Node) -> Place:
    """The place that an lvalue expression means. Raises InputError for no lvalue."""
    match node:
        case c_ast.ID():
            return _named_place(m, node)
        case c_ast.ArrayRef():
            pointer = element_pointer(m, node)
            return deref(m, pointer, node)
        case c_ast.UnaryOp() if node.op == "*":
            return deref(m, _pointer(m, node.expr), node)
        case c_ast.StructRef():
            return _member_place(m, node)
        case c_ast.TernaryOp() if is_lvalue(node):
            return _either_place(m, node)
        case c_ast.Cast() | c_ast.CompoundLiteral() | c_ast.FuncCall() | c_ast.TernaryOp():
            value = m.evaluate(node)
            variable = Variable("temporary", _value_type(value))
            m.store[variable] = value
            return VariablePlace(variable)
        case c_ast.Assignment():
            m.evaluate(node)
            return place_of(m, node.lvalue)
    raise m.fail(codes.UNSUPPORTED, node, f"cannot assign to {source_text(m, node)}")


def is_lvalue(node: c_ast.Node) -> bool:
    """Whether an expression means a place, as C++ has it: `c ? a : b` if both sides do."""
    if isinstance(node, c_ast.TernaryOp):
        return is_lvalue(node.iftrue) and is_lvalue(node.iffalse)
    if isinstance(node, c_ast.UnaryOp):
        return bool(node.op == "*")
    return isinstance(node, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef))


def _either_place(m: Machine, node: c_ast.TernaryOp) -> Place:
    """The place that `c ? a : b` means."""
    condition = to_condition(m, m.evaluate(node.cond), node.cond)
    if isinstance(condition, Truth):
        return place_of(m, node.iftrue if condition.value else node.iffalse)
    places = _both(
        m,
        condition,
        lambda: place_of(m, node.iftrue),
        lambda: place_of(m, node.iffalse),
        node,
    )
    return ChoicePlace(condition, *places)


_Found = TypeVar("_Found")


def _both(
    m: Machine,
    condition: Condition,
    then: Callable[[], _Found],
    otherwise: Callable[[], _Found],
    node: c_ast.Node,
) -> tuple[_Found, _Found]:
    """What is found where a condition holds, and elsewhere."""
    found: list[_Found] = []
    both_ways(m, condition, lambda: found.append(then()), lambda: found.append(otherwise()), node)
    return found[0], found[1]


def _value_type(value: Value) -> CType:
    from estimator.lower.convert import type_of

    return type_of(value)


def _named_place(m: Machine, node: c_ast.ID) -> Place:
    found = m.lookup(node.name)
    if isinstance(found, Variable):
        alias = m.aliases.get(found)
        return alias if alias is not None else VariablePlace(found)
    if isinstance(found, ArrayObject):
        ctype = m.global_types[node.name]
        return MemoryPlace(PointerValue(found, ZERO, ctype), ctype)
    raise m.fail(codes.UNKNOWN_NAME, node, f"'{node.name}' is not declared")


def _pointer(m: Machine, node: c_ast.Node) -> PointerValue:
    value = m.evaluate(node)
    if isinstance(value, PointerValue):
        return value
    if isinstance(value, OpaqueValue):
        pointer = fresh(m, types.Pointer(types.FLOAT))
        assert isinstance(pointer, PointerValue)
        return pointer
    message = f"{source_text(m, node)} is used as a pointer but is none"
    raise m.fail(codes.UNSUPPORTED, node, message)


def element_pointer(m: Machine, node: c_ast.ArrayRef) -> PointerValue:
    """The address of `name[subscript]`."""
    base = _pointer(m, node.name)
    index = to_poly(m, m.evaluate(node.subscript))
    return PointerValue(base.base, base.offset + index * base.target.size, base.target)


def deref(m: Machine, pointer: PointerValue, node: c_ast.Node) -> Place:
    """The place that a pointer points to."""
    if isinstance(pointer.base, ArrayObject):
        if pointer.base in m.choices and pointer.base.space is Space.LOCAL:
            condition, *ways = m.choices[pointer.base]
            one, other = (
                deref(m, replace(pointer, base=w.base, offset=w.offset + pointer.offset), node)
                for w in ways
            )
            return ChoicePlace(condition, one, other)
        return MemoryPlace(pointer, pointer.target)
    variable = pointer.base
    alias = m.aliases.get(variable)
    place: Place = alias if alias is not None else VariablePlace(variable)
    return _part_of(place, variable.type, pointer.offset.integer, pointer.target)


def _part_of(place: Place, ctype: CType, offset: int | None, target: CType) -> Place:
    """What a pointer to a `target`, so many bytes into a variable of a type, means of it."""
    if offset == 0 and (ctype == target or _is_alike(ctype, target)):
        return place
    if offset is None or not isinstance(ctype, Struct):
        return PartPlace(place, target, offset)
    for field in ctype.fields:
        if field.offset <= offset and offset + target.size <= field.offset + field.type.size:
            if isinstance(field.type, types.Array):
                break
            inner = FieldPlace(place, field.name, field.type)
            return _part_of(inner, field.type, offset - field.offset, target)
    return PartPlace(place, target, offset)


def _is_alike(ctype: CType, target: CType) -> bool:
    """Whether a value of one type is read as one of the other, and not as bytes of it."""
    if isinstance(target, Scalar) and target.kind in (types.Kind.VOID, types.Kind.OPAQUE):
        return True
    if isinstance(ctype, Struct) != isinstance(target, Struct):
        return False
    return ctype.size == target.size


def _member_place(m: Machine, node: c_ast.StructRef) -> Place:
    name = node.field.name
    if node.type == "->":
        base: Place = deref(m, _pointer(m, node.name), node)
    else:
        base = place_of(m, node.name)
    ctype = place_type(base)
    if not isinstance(ctype, Struct):
        raise no_members(m, node)
    field = ctype.field(name)
    if field is None:
        raise m.fail(codes.UNKNOWN_NAME, node, f"{ctype.name} has no member '{name}'")
    return _field_of(base, name, m.unit.types.completed(field.type), field.offset)


def _field_of(base: Place, name: str, ctype: CType, offset: int) -> Place:
    match base:
        case MemoryPlace(pointer, _):
            inner = PointerValue(pointer.base, pointer.offset + offset, ctype)
            return MemoryPlace(inner, ctype)
        case ChoicePlace(condition, one, other):
            sides = (_field_of(side, name, ctype, offset) for side in (one, other))
            return ChoicePlace(condition, *sides)
    return FieldPlace(base, name, ctype)


def place_type(place: Place) -> CType:
    """The type of what a place holds."""
    match place:
        case VariablePlace(variable):
            return variable.type
        case FieldPlace(_, _, ctype) | MemoryPlace(_, ctype) | PartPlace(_, ctype, _):
            return ctype
        case ChoicePlace():
            return place_type(place.iftrue)


def read(m: Machine, place: Place, node: c_ast.Node) -> Value:
    """The value in a place; from memory this is a load."""
    match place:
        case VariablePlace(variable):
            value = m.store.get(variable)
            if value is None:
                value = fresh(m, variable.type)
                m.store[variable] = value
            return value
        case FieldPlace(base, name, ctype):
            whole = read(m, base, node)
            if isinstance(whole, StructValue):
                return whole.fields[name]
            return fresh(m, ctype)
        case MemoryPlace(pointer, ctype):
            _refuse_ambiguous(m, pointer, node)
            return load(m, pointer, ctype, node)
        case ChoicePlace(condition, one, other):
            values = _both(
                m, condition, lambda: read(m, one, node), lambda: read(m, other, node), node
            )
            return merge(m, condition, *values)
        case PartPlace(base, ctype, offset):
            held = read(m, base, node)
            part = low_part(m, held, ctype) if offset == 0 and isinstance(held, IntValue) else None
            return part if part is not None else fresh(m, ctype)


def load(m: Machine, pointer: PointerValue, ctype: CType, node: c_ast.Node) -> Value:
    """Read from memory; an array decays to its first element's address instead."""
    if isinstance(ctype, types.Array):
        return PointerValue(pointer.base, pointer.offset, ctype.element)
    assert isinstance(pointer.base, ArrayObject)
    if isinstance(ctype, Scalar) and ctype.name.startswith(_LIBRARY_OBJECTS):
        return OpaqueValue(ctype)
    array = pointer.base
    value = _loaded_value(m, array, pointer.offset, ctype, node)
    number = getattr(value, "number", 0)
    m.record_access(AccessKind.LOAD, array, pointer.offset, ctype.size, node, number)
    return value


def _loaded_value(
    m: Machine, array: ArrayObject, offset: Poly, ctype: CType, node: c_ast.Node
) -> Value:
    known = offset.integer
    held = recall(m, array, known, ctype) if known is not None else None
    if held is not None:
        if array.space is Space.CONSTANT or isinstance(held, FunctionValue):
            m.note("initial-values", f"{array.name} holds what it is initialised with")
        return held
    if known is None and not offset.has_role(Role.UNKNOWN) and array in m.known_arrays:
        m.wants_numbers = True
    if isinstance(ctype, Scalar) and not ctype.is_float:
        return _loaded_integer(m, array, offset, ctype, node)
    if isinstance(ctype, types.Pointer):
        return one_held(m, array, offset, ctype) or _loaded_pointer(m, array, offset, ctype, node)
    return fresh(m, ctype)


def _loaded_pointer(
    m: Machine, array: ArrayObject, offset: Poly, ctype: types.Pointer, node: c_ast.Node
) -> Value:
    """A pointer in memory; one that the kernel has put there may be any of those."""
    spaces = m.pointed_spaces.get(array, set())
    space = next(iter(spaces)) if len(spaces) == 1 else Space.GLOBAL
    indirect = bool(spaces) or not _is_uniform(offset)
    inner = ArrayObject(f"*{array.name}", space, m.position(node), indirect=indirect)
    found = m.indirect.setdefault((array, offset), inner)
    if len(spaces) > 1:
        m.ambiguous.add(found)
    return PointerValue(found, ZERO, ctype.target)


def _is_uniform(offset: Poly) -> bool:
    return not offset.has_role(Role.THREAD, Role.COUNTER, Role.UNKNOWN)


def _loaded_integer(
    m: Machine, array: ArrayObject, offset: Poly, ctype: Scalar, node: c_ast.Node
) -> Value:
    """Data, or, read by all threads from one place that the kernel does not write, a uniform."""
    fixed = array.const or array.space is Space.CONSTANT
    if not (fixed and _is_uniform(offset) and array.space is not Space.LOCAL):
        return IntValue(to_poly(m, OpaqueValue(ctype)), ctype)
    symbol = m.uniforms.get((array, offset))
    if symbol is None:
        meaning = f"the value of {source_text(m, node)}, the same for all threads"
        symbol = m.unknown(array.name, node, meaning, role=Role.UNIFORM)
        m.uniforms[array, offset] = symbol
    return IntValue(Poly.of(Symbol(symbol.name, Role.UNIFORM)), ctype)


def assign(m: Machine, place: Place, value: Value, node: c_ast.Node) -> Value:
    """Put a value into a place; into memory this is a store. Gives the value as converted."""
    name = place.variable.name if isinstance(place, VariablePlace) else ""
    value = convert(m, value, place_type(place), name)
    match place:
        case VariablePlace(variable):
            m.store[variable] = value
        case FieldPlace(base, name, _):
            whole = read(m, base, node)
            if isinstance(whole, StructValue):
                fields = {**whole.fields, name: value}
                for other in whole.type.overlapping(name):  # it sees other bits
                    fields[other.name] = fresh(m, other.type)
                assign(m, base, StructValue(whole.type, fields), node)
        case MemoryPlace(pointer, ctype):
            assert isinstance(pointer.base, ArrayObject)
            _refuse_ambiguous(m, pointer, node)
            remember(m, pointer.base, pointer.offset, value)
            number = getattr(value, "number", 0)
            m.record_access(
                AccessKind.STORE, pointer.base, pointer.offset, ctype.size, node, number
            )
        case PartPlace(base, _, _):
            assign(m, base, unknown_like(m, read(m, base, node)), node)
        case ChoicePlace(condition, one, other):
            _both(
                m,
                condition,
                lambda: assign(m, one, value, node),
                lambda: assign(m, other, value, node),
                node,
            )
    return value


def _refuse_ambiguous(m: Machine, pointer: PointerValue, node: c_ast.Node) -> None:
    """Raises InputError for an access that may be to one of several variables or memories."""
    if pointer.base in m.ambiguous:
        what = "is one of several variables"
        if pointer.base.space is not Space.LOCAL:
            what = "may be in one of several memories"
        message = f"{source_text(m, node)} {what}"
        help_text = "Write the choice as an if, with a statement for each."
        raise m.fail(codes.UNSUPPORTED, node, message, help_text)
