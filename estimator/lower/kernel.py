"""Lowering one kernel: bind its parameters, execute its body, keep what happened."""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from pycparser import c_ast

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.walk import substitute, symbols
from estimator.ir.kernel import ArrayObject, KernelIR, LaunchShape, ParameterInfo, Space
from estimator.lower.cells import remember
from estimator.lower.convert import fresh
from estimator.lower.declarations import initial_value
from estimator.lower.expressions import evaluate, resolve
from estimator.lower.initialisers import fill
from estimator.lower.machine import STEP_LIMIT, Frame, Machine
from estimator.lower.statements import execute
from estimator.lower.values import FunctionValue, IntValue, PointerValue, StructValue, Value
from estimator.lower.widths import in_width
from estimator.parse import types
from estimator.parse.types import CType, Kind, Pointer, Scalar, Struct, type_text
from estimator.parse.unit import Function, GlobalVariable, Unit
from estimator.source import codes
from estimator.source.diagnostics import InputError, diagnose

AXES = "xyz"
_WORD = re.compile(r"(?<!\w)[A-Za-z_]\w*")
# Python frames that one level of a user's nesting takes, generously.
_RECURSION_LIMIT = 20_000
# A kernel is executed again at the sizes given, which must not take longer than all the rest.
_STEPS_AT_SIZES = 60_000
# Constant tables larger than this are data, not something that loops run over.
_MOST_CONSTANT_BYTES = 1024
# Members of a kernel's structures that are longer arrays of integers are data as well.
_MOST_ELEMENTS = 32


def lower_kernel(unit: Unit, kernel: Function, launch: LaunchShape) -> KernelIR:
    """The IR of a kernel under a launch. Raises InputError where it cannot be understood."""
    ir = KernelIR(kernel.display_name, kernel.position, (), launch)
    return _lowered(new_machine(unit, ir), kernel)


def lower_at(
    unit: Unit, kernel: Function, symbolic: KernelIR, values: Mapping[str, int]
) -> KernelIR:
    """The IR of a kernel at sizes given by name: they have these values, in their types.

    `symbolic` is the kernel for all sizes; unknowns have the same names. Raises InputError
    where it cannot be understood, or takes long.
    """

    def extents(formulas: tuple[Poly, Poly, Poly]) -> tuple[Poly, Poly, Poly]:
        x, y, z = (
            substitute(one, {s: Poly.of(values[s.name]) for s in symbols(one) if s.name in values})
            for one in formulas
        )
        return x, y, z

    launch = replace(
        symbolic.launch,
        grid=extents(symbolic.launch.grid),
        block=extents(symbolic.launch.block),
    )
    ir = KernelIR(kernel.display_name, kernel.position, (), launch)
    m = new_machine(unit, ir, values, _STEPS_AT_SIZES)
    m.reuse_names(symbolic)
    return _lowered(m, kernel)


def _lowered(m: Machine, kernel: Function) -> KernelIR:
    ir = m.kernel
    m.indices = thread_indices(ir.launch)
    with deep_recursion():
        try:
            declare_globals(m, kernel.definition)
            ir.parameters = tuple(_bind_parameter(m, p) for p in kernel.parameters)
            m.frames.append(Frame(kernel))
            m.execute(kernel.definition.body)
            m.settle_events()
        except RecursionError:
            message = f"{kernel.display_name} is nested too deeply"
            raise InputError(diagnose(codes.TOO_LARGE, kernel.position, message)) from None
    return ir


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for deeply nested code: executing walks the tree by recursion."""
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


def new_machine(
    unit: Unit,
    ir: KernelIR,
    given: Mapping[str, int] | None = None,
    step_limit: int = STEP_LIMIT,
) -> Machine:
    """A machine that knows how to execute expressions and statements."""
    m = Machine(unit, ir, given, step_limit)
    m.evaluate = lambda node: evaluate(m, node)
    m.execute = lambda node: execute(m, node)
    return m


def thread_indices(launch: LaunchShape) -> dict[str, tuple[Poly, Poly, Poly]]:
    """CUDA's index variables; an axis of extent 1 has the one index 0."""

    def along(name: str, extents: tuple[Poly, Poly, Poly]) -> tuple[Poly, Poly, Poly]:
        x, y, z = (
            ZERO if extent == ONE else Poly.of(Symbol(f"{name}.{axis}", Role.THREAD))
            for axis, extent in zip(AXES, extents, strict=True)
        )
        return x, y, z

    return {
        "threadIdx": along("threadIdx", launch.block),
        "blockIdx": along("blockIdx", launch.grid),
        "blockDim": launch.block,
        "gridDim": launch.grid,
    }


def _bind_parameter(m: Machine, parameter: c_ast.Decl) -> ParameterInfo:
    ctype = resolve(m, parameter.type)
    if isinstance(ctype, types.Array):
        ctype = Pointer(ctype.element)
    value = argument_value(m, parameter.name, ctype, parameter)
    m.declare(parameter.name, ctype, value)
    symbol = Symbol(parameter.name, Role.PARAMETER) if parameter.name in m.given else None
    if isinstance(value, IntValue) and symbol is None:
        atom = value.poly.atom
        symbol = atom if isinstance(atom, Symbol) else None
    names = m.unit.source.written
    text = _WORD.sub(lambda word: names.get(word.group(), word.group()), type_text(ctype))
    return ParameterInfo(parameter.name, text, symbol)


def argument_value(m: Machine, name: str, ctype: CType, node: c_ast.Node) -> Value:
    """A parameter's value: integers are symbols, pointers arrays, structures both."""
    match ctype:
        case Pointer(target, restrict, const):
            is_null = name in m.kernel.launch.nulls
            array = ArrayObject(name, Space.GLOBAL, m.position(node), restrict, const, null=is_null)
            return PointerValue(array, ZERO, target)
        case Struct():
            fields = {
                field.name: argument_value(m, f"{name}.{field.name}", field.type, node)
                for field in ctype.fields
            }
            return StructValue(ctype, fields)
        case types.Array(element, length):
            # A member of a parameter: what it holds has names too, where these can be listed.
            array = ArrayObject(name, Space.LOCAL, m.position(node), member=True)
            named = isinstance(element, Scalar) and element.kind in (Kind.INT, Kind.UNSIGNED)
            for index in range(length if named and length and length <= _MOST_ELEMENTS else 0):
                value = argument_value(m, f"{name}[{index}]", element, node)
                remember(m, array, Poly.of(index * element.size), value)
            return PointerValue(array, ZERO, element)
        case Scalar(_, Kind.INT | Kind.UNSIGNED | Kind.BOOL, _):
            integer = ctype if ctype.kind is not Kind.BOOL else types.INT
            if name in m.given:
                return IntValue(in_width(Poly.of(m.given[name]), integer), integer)
            return IntValue(Poly.of(Symbol(name, Role.PARAMETER)), integer)
    return fresh(m, ctype)


def declare_globals(m: Machine, root: c_ast.Node | None = None) -> None:
    """Declare the variables outside functions; those with known values have them."""
    del root
    for name, variable in m.unit.variables.items():
        try:
            _declare_global(m, name, variable)
        except InputError as error:
            m.unit.lost.setdefault(name, error.diagnostic)


def _declare_global(m: Machine, name: str, variable: GlobalVariable) -> None:
    node = variable.declaration
    ctype = resolve(m, node.type)
    quals = getattr(_innermost(node.type), "quals", [])
    fixed = "const" in quals or variable.space == "constant"
    if isinstance(ctype, types.Array) or variable.space in ("constant", "device", "shared"):
        space = {"constant": Space.CONSTANT, "device": Space.GLOBAL, "shared": Space.SHARED}.get(
            variable.space, Space.CONSTANT
        )
        array = ArrayObject(name, space, variable.position, const=fixed)
        if fixed:
            ctype = _with_contents(m, array, ctype, node)
        target = _function(m, ctype, node)
        if target is not None:
            m.store[array, 0] = target
            m.known_arrays.add(array)
        m.globals[name], m.global_types[name] = array, ctype
        return
    value = fresh(m, ctype)
    if node.init is not None and fixed:
        value = initial_value(m, ctype, node.init, node)
    elif isinstance(value, IntValue) and name in m.given:
        value = IntValue(in_width(Poly.of(m.given[name]), value.type), value.type)
    elif isinstance(value, IntValue):
        value = IntValue(Poly.of(Symbol(name, Role.LAUNCH)), value.type)
    from estimator.lower.values import Variable

    declared = Variable(name, ctype)
    m.globals[name] = declared
    m.store[declared] = value


def _function(m: Machine, ctype: CType, node: c_ast.Decl) -> FunctionValue | None:
    """The function that a pointer outside functions is initialised with."""
    is_named = isinstance(node.init, (c_ast.ID, c_ast.UnaryOp))
    value = m.evaluate(node.init) if is_named and isinstance(ctype, Pointer) else None
    return value if isinstance(value, FunctionValue) else None


def _with_contents(m: Machine, array: ArrayObject, ctype: CType, node: c_ast.Decl) -> CType:
    """Know what a small constant array is initialised with; gives its type with its length."""
    if not isinstance(ctype, types.Array) or not isinstance(node.init, c_ast.InitList):
        return ctype
    items = deque(node.init.exprs or ())
    if ctype.length is None:
        ctype = types.Array(ctype.element, len(items))
    if ctype.size <= _MOST_CONSTANT_BYTES:
        m.dry += 1  # the toolchain fills it: no thread stores anything
        fill(m, array, 0, ctype, items)
        m.dry -= 1
    return ctype


def _innermost(node: c_ast.Node) -> c_ast.Node:
    while isinstance(node, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        node = node.type
    return node
