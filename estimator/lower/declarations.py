"""Declarations: variables, arrays, references, and what they start with."""

from __future__ import annotations

from collections import deque

from pycparser import c_ast

from estimator.algebra.atoms import Role
from estimator.algebra.poly import ZERO, Poly
from estimator.ir.kernel import ArrayObject, Space
from estimator.lower.convert import convert, copied, fresh, to_poly, type_of
from estimator.lower.initialisers import fill, fill_rest, is_aggregate
from estimator.lower.machine import Machine
from estimator.lower.places import is_lvalue, place_of, place_type
from estimator.lower.values import (
    FloatValue,
    IntValue,
    MemoryPlace,
    PointerValue,
    StructValue,
    Value,
    Variable,
)
from estimator.parse import types
from estimator.parse.attributes import cuda_attributes
from estimator.parse.c11 import is_inferred
from estimator.parse.types import CType, Scalar, Struct
from estimator.source import codes


def declare(m: Machine, node: c_ast.Decl) -> None:
    """Execute one declaration."""
    from estimator.lower.expressions import resolve

    if node.name is None or isinstance(node.type, c_ast.FuncDecl):
        m.unit.types.add_tags(node.type)
        return
    attributes = cuda_attributes(node)
    if "reference" in attributes:
        _declare_reference(m, node)
        return
    if is_inferred(node.type):
        if node.init is None:
            raise m.fail(codes.SYNTAX, node, f"'{node.name}' is declared auto without a value")
        value = copied(m, m.evaluate(node.init))
        m.declare(node.name, type_of(value), value)
        return
    m.unit.types.add_tags(node.type)
    ctype = resolve(m, node.type)
    space = Space.SHARED if "shared" in attributes else Space.LOCAL
    if isinstance(ctype, types.Array):
        _declare_array(m, node, ctype, space)
    elif space is Space.SHARED:
        m.declare_alias(node.name, ctype, _shared_place(m, node, ctype))
    elif node.init is not None:
        variable_value = copied(m, initial_value(m, ctype, node.init, node))
        m.declare(node.name, ctype, variable_value)
        if isinstance(variable_value, IntValue) and variable_value.poly.has_role(Role.THREAD):
            m.kernel.index_names.setdefault(node.name, variable_value.poly)
    else:
        variable = m.declare(node.name, ctype, None)
        m.store[variable] = fresh(m, ctype, node.name)


def _shared_place(m: Machine, node: c_ast.Decl, ctype: CType) -> MemoryPlace:
    array = m.statics.setdefault(id(node), ArrayObject(node.name, Space.SHARED, m.position(node)))
    return MemoryPlace(PointerValue(array, ZERO, ctype), ctype)


def _declare_array(m: Machine, node: c_ast.Decl, ctype: types.Array, space: Space) -> None:
    is_filled = isinstance(node.init, c_ast.InitList)
    total = _symbolic_length(m, node, ctype) if is_filled else None
    if is_filled and ctype.length is None:
        ctype = types.Array(ctype.element, len(node.init.exprs))
    if space is Space.SHARED:
        declared = ArrayObject(node.name, space, m.position(node), size=ctype.size)
        array = m.statics.setdefault(id(node), declared)
    else:
        # Fragments of matrices lie in registers.
        held, size = types.is_fragment(ctype), ctype.size if total is None else 0
        array = ArrayObject(node.name, space, m.position(node), member=held, size=size)
    pointer = PointerValue(array, ZERO, ctype.element)
    if is_filled:
        before = len(m.kernel.accesses)
        fill(m, array, 0, ctype, deque(node.init.exprs or ()))
        if total is not None:
            fill_rest(m, array, _scalar(ctype), len(m.kernel.accesses) - before, total)
    m.declare(node.name, ctype, pointer)


def _symbolic_length(m: Machine, node: c_ast.Decl, ctype: types.Array) -> Poly | None:
    """The elements of an array whose length is no number, as `acc[TM * TN]`; else None."""
    open_, total = False, Poly.of(1)
    level: c_ast.Node = node.type
    kind: CType = ctype
    while isinstance(level, c_ast.ArrayDecl) and isinstance(kind, types.Array):
        if level.dim is None:
            return None  # as many as it is given
        open_ = open_ or kind.length is None
        total = total * to_poly(m, m.evaluate(level.dim))
        level, kind = level.type, kind.element
    return total if open_ and not total.has_role(Role.UNKNOWN, Role.PROBE) else None


def _scalar(ctype: CType) -> CType:
    return _scalar(ctype.element) if isinstance(ctype, types.Array) else ctype


def initial_value(m: Machine, ctype: CType, init: c_ast.Node, node: c_ast.Node) -> Value:
    """The value that an initialiser gives to a variable of that type."""
    if not isinstance(init, c_ast.InitList):
        return convert(m, m.evaluate(init), ctype, getattr(node, "name", None) or "")
    if isinstance(ctype, Struct):
        return _struct_value(m, ctype, init, node)
    if isinstance(ctype, types.Array):
        return _array_value(m, ctype, deque(init.exprs or ()), node)
    if init.exprs:
        return initial_value(m, ctype, init.exprs[0], node)
    return default_value(m, ctype, node=node)


def _array_value(
    m: Machine, ctype: types.Array, items: deque[c_ast.Node], node: c_ast.Node | None
) -> PointerValue:
    """An array that is a member, of the values that it takes from `items`."""
    position = m.position(node) if node is not None else m.kernel.position
    array = ArrayObject("temporary", Space.LOCAL, position, member=types.is_fragment(ctype))
    fill(m, array, 0, ctype, items)
    return PointerValue(array, ZERO, ctype.element)


def _struct_value(m: Machine, ctype: Struct, init: c_ast.InitList, node: c_ast.Node) -> Value:
    items = deque(init.exprs)
    value = _taken(m, ctype, items, node)
    if items:
        raise m.fail(codes.SYNTAX, node, f"too many values for a {ctype.name}")
    return value


def _taken(m: Machine, ctype: Struct, items: deque[c_ast.Node], node: c_ast.Node) -> StructValue:
    """A structure of the values that it takes from `items`: inner braces may be left out."""
    fields: dict[str, Value] = {}
    following = iter(ctype.fields)
    while items:
        if isinstance(items[0], c_ast.NamedInitializer):
            named = items.popleft()
            field = ctype.field(named.name[0].name)
            if field is None:
                raise m.fail(codes.SYNTAX, node, f"a {ctype.name} has no such member")
            fields[field.name] = initial_value(m, field.type, named.expr, node)
            continue
        field = next(following, None)
        if field is None:
            break
        if isinstance(items[0], c_ast.InitList) or not is_aggregate(m, field.type, items[0]):
            fields[field.name] = initial_value(m, field.type, items.popleft(), node)
        elif isinstance(field.type, types.Array):
            fields[field.name] = _array_value(m, field.type, items, node)
        else:
            assert isinstance(field.type, Struct)
            fields[field.name] = _taken(m, field.type, items, node)
    for field in ctype.fields:
        if field.name not in fields:
            one = ctype.name == "dim3"
            fields[field.name] = default_value(m, field.type, 1 if one else 0, node)
    return StructValue(ctype, fields)


def default_value(
    m: Machine, ctype: CType, number: int = 0, node: c_ast.Node | None = None
) -> Value:
    """What a member without an initialiser holds: 0 (1 in a dim3)."""
    if isinstance(ctype, Scalar) and ctype.is_float:
        return FloatValue(m.fresh_number(), ctype, literal=True)
    if isinstance(ctype, Scalar) and ctype.kind in (types.Kind.INT, types.Kind.UNSIGNED):
        return IntValue(Poly.of(number), ctype)
    if isinstance(ctype, Struct):
        return StructValue(ctype, {f.name: default_value(m, f.type, 0, node) for f in ctype.fields})
    if isinstance(ctype, types.Array):
        return _array_value(m, ctype, deque(), node)
    return fresh(m, ctype)


def _declare_reference(m: Machine, node: c_ast.Decl) -> None:
    if node.init is None:
        raise m.fail(codes.SYNTAX, node, f"reference '{node.name}' without a value")
    bind_reference(m, node.name, node.init)


def bind_reference(m: Machine, name: str, node: c_ast.Node) -> None:
    """Make `name` another name for what an expression means."""
    if isinstance(node, c_ast.ID):
        found = m.lookup(node.name)
        if isinstance(found, Variable):
            m.scopes[-1][name] = found
            return
    if is_lvalue(node):
        place = place_of(m, node)
        m.declare_alias(name, place_type(place), place)
        return
    value = m.evaluate(node)
    m.declare(name, type_of(value), value)
