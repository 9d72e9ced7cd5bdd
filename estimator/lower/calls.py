"""Calls: builtin functions by their table, the file's own functions executed in place."""

from __future__ import annotations

from pycparser import c_ast

from estimator.ir.kernel import Domain
from estimator.lower.branches import merge_stores
from estimator.lower.builtins import call_builtin, is_builtin
from estimator.lower.convert import convert, copied, fresh, merge, type_of
from estimator.lower.declarations import bind_reference
from estimator.lower.exits import arrival
from estimator.lower.machine import Frame, Machine
from estimator.lower.unknown_calls import Callee, unknown_call
from estimator.lower.values import (
    FloatValue,
    FunctionValue,
    IntValue,
    OpaqueValue,
    Value,
    Variable,
)
from estimator.parse import types
from estimator.parse.attributes import cuda_attributes
from estimator.parse.types import CType
from estimator.parse.unit import Function
from estimator.source import codes
from estimator.source.diagnostics import InputError

# Functions that call themselves on known numbers end on their own before this depth.
_DEEPEST_CALL = 64


def call(m: Machine, node: c_ast.FuncCall) -> Value:
    """Execute a call."""
    name = _target(m, node)
    arguments = list(node.args.exprs) if node.args is not None else []
    function = m.unit.functions.get(name)
    if function is not None:
        return inline(m, function, arguments, node)
    if name in m.unit.lost:
        raise InputError(m.unit.lost[name])
    if is_builtin(name):
        return call_builtin(m, name, arguments, node)
    return _unknown(m, name, arguments, node)


def _target(m: Machine, node: c_ast.FuncCall) -> str:
    """The name of the function that is called, also through a pointer with a known target."""
    called = node.name
    while isinstance(called, c_ast.UnaryOp) and called.op in ("*", "&"):
        called = called.expr
    if isinstance(called, c_ast.ID) and m.lookup(called.name) is None:
        return str(called.name)
    value = m.evaluate(called)
    if isinstance(value, FunctionValue):
        return value.name
    raise m.fail(codes.UNSUPPORTED, node, "a call through a pointer whose function is not known")


def _unknown(m: Machine, name: str, arguments: list[c_ast.Node], node: c_ast.FuncCall) -> Value:
    values = [m.evaluate(argument) for argument in arguments]
    shown = name.replace("__", "::") if name.startswith("cub__") else name
    short = shown.removeprefix("cub::").replace("::", "_")
    once = f"one call of {shown}, which the file does not define"
    remedy = f", or include the header that defines {shown}"
    unknown_call(m, Callee(shown, short, once, remedy), values, node)
    places = [one for one in arguments if isinstance(one, (c_ast.ArrayRef, c_ast.StructRef))]
    named = [one for one in arguments if isinstance(one, c_ast.ID)]
    if places or any(isinstance(m.lookup(one.name), Variable) for one in named):
        m.note("by-value", f"{shown} changes no variable but those that it is given the address of")
    for value in values:
        if isinstance(value, FloatValue):
            return FloatValue(m.fresh_number(), value.type)
    return fresh(m, types.INT) if values else OpaqueValue(types.INT)


def inline(m: Machine, function: Function, arguments: list[c_ast.Node], node: c_ast.Node) -> Value:
    """Execute a function of the file in place; gives what it returns."""
    from estimator.lower.expressions import resolve

    parameters = function.parameters
    if len(arguments) != len(parameters):
        message = f"{function.display_name} takes {len(parameters)} arguments, not {len(arguments)}"
        raise m.fail(codes.UNSUPPORTED, node, message)
    with m.scope():
        scope, bound = _bind(m, function, arguments)
        _refuse_recursion(m, function, scope, node)
        before, scopes, loops = m.live, m.scopes, m.loops
        frame = Frame(function, node)
        m.scopes, m.loops = [scope], []
        m.frames.append(frame)
        escapes, old = m.escapes, dict(m.unit.types.bound)
        m.unit.types.bound.update(bound)
        try:
            m.execute(function.definition.body)
            _come_back(m, frame, before)
            result_type = resolve(m, function.definition.decl.type.type)
        finally:
            m.frames.pop()
            m.scopes, m.loops, m.escapes = scopes, loops, escapes
            m.unit.types.bound.clear()
            m.unit.types.bound.update(old)
        if not before.is_empty:
            m.live = before
        if result_type == types.VOID:
            return OpaqueValue(types.VOID)
        return _result(m, frame, before, result_type)


def _come_back(m: Machine, frame: Frame, before: Domain) -> None:
    """Bring the variables together of all who return, which references and pointers may change."""
    ways = [one for one in frame.exits if not one.domain.is_empty]
    if ways and m.live.is_empty:
        m.store = ways.pop().store
    for one in reversed(ways):
        m.store = merge_stores(m, arrival(one.domain, before), one.store, m.store)


def _bind(
    m: Machine, function: Function, arguments: list[c_ast.Node]
) -> tuple[dict[str, Variable], dict[str, CType]]:
    """The scope that a function starts in, and what its placeholder types stand for."""
    from estimator.lower.expressions import resolve

    inner: dict[str, Variable] = {}
    bound: dict[str, CType] = {}
    for parameter, argument in zip(function.parameters, arguments, strict=True):
        m.scopes.append({})
        try:
            if "reference" in cuda_attributes(parameter):
                bind_reference(m, parameter.name, argument)
                variable = m.scopes[-1][parameter.name]
                _deduce(m, parameter.type, variable.type, bound)
            else:
                value = m.evaluate(argument)
                _deduce(m, parameter.type, type_of(value), bound)
                old = dict(m.unit.types.bound)
                m.unit.types.bound.update(bound)
                ctype = _decayed(resolve(m, parameter.type))
                m.unit.types.bound.clear()
                m.unit.types.bound.update(old)
                variable = m.declare(
                    parameter.name, ctype, copied(m, convert(m, value, ctype, parameter.name or ""))
                )
            inner[parameter.name] = variable
        finally:
            m.scopes.pop()
    return inner, bound


def _decayed(ctype: CType) -> CType:
    return types.Pointer(ctype.element) if isinstance(ctype, types.Array) else ctype


def _deduce(m: Machine, node: c_ast.Node, ctype: CType, bound: dict[str, CType]) -> None:
    """Match a parameter's type with its argument's, for template types left to deduction."""
    if not m.unit.types.placeholders:
        return
    while True:
        match node:
            case c_ast.TypeDecl():
                node = node.type
            case c_ast.PtrDecl() | c_ast.ArrayDecl():
                if isinstance(ctype, types.Pointer):
                    ctype = ctype.target
                elif isinstance(ctype, types.Array):
                    ctype = ctype.element
                node = node.type
            case c_ast.IdentifierType():
                name = node.names[0]
                if name in m.unit.types.placeholders:
                    bound.setdefault(name, ctype)
                return
            case _:
                return


def _refuse_recursion(
    m: Machine, function: Function, scope: dict[str, Variable], node: c_ast.Node
) -> None:
    active = sum(frame.function is function for frame in m.frames)
    if not active:
        return
    values = [m.store.get(variable) for variable in scope.values()]
    known = any(isinstance(v, IntValue) and v.poly.integer is not None for v in values)
    if known and active < _DEEPEST_CALL:
        return
    from estimator.lower.callgraph import cycle_through

    path = " → ".join(cycle_through(m.unit, function.name))
    raise m.fail(codes.RECURSION, node, f"{function.display_name} calls itself: {path}")


def _result(m: Machine, frame: Frame, before: Domain, ctype: CType) -> Value:
    """The returned value; several returns are told apart by their conditions."""
    returned = [
        (one.domain, convert(m, one.value, ctype)) for one in frame.exits if one.value is not None
    ]
    if not returned:
        return fresh(m, ctype)
    _, value = returned[-1]
    for domain, other in reversed(returned[:-1]):
        value = merge(m, arrival(domain, before), other, value)
    return value
