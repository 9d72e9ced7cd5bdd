"""Launch configurations from the file's host code."""

from __future__ import annotations

import re

from pycparser import c_ast

from estimator.algebra.atoms import Atom, Bits, Log2, Power, Role, Symbol
from estimator.algebra.poly import ONE, Poly
from estimator.algebra.walk import substitute, symbols
from estimator.ir.kernel import KernelIR
from estimator.lower.expressions import resolve
from estimator.lower.extents import plain_extent
from estimator.lower.kernel import declare_globals, deep_recursion, new_machine
from estimator.lower.launch_parameters import HostNames, in_parameters
from estimator.lower.launch_site import UNIT_SHAPE, Extents, LaunchSite
from estimator.lower.machine import Frame, Machine
from estimator.lower.values import IntValue, OpaqueValue, StructValue, Value
from estimator.parse.attributes import (
    cuda_attributes,
    number_arguments,
    place_arguments,
    string_argument,
)
from estimator.parse.types import INT, Struct
from estimator.parse.unit import Function, Unit
from estimator.source.position import Position


def launched_name(launch: Function) -> str:
    """The kernel that a launch function launches, as the launch's own unit calls it."""
    return string_argument(launch.attributes.get("launch"))


def launch_position(launch: Function) -> Position:
    """Where the user wrote the launch."""
    numbers = number_arguments(launch.attributes.get("launch"))
    path = launch.position.path
    return Position(path, numbers[0], numbers[1]) if len(numbers) >= 2 else launch.position


def read_launch(unit: Unit, launch: Function, home: Unit, kernel: Function) -> LaunchSite:
    """Execute a launch function of `unit`'s simplified text; the kernel is one of `home`.

    Raises InputError.
    """
    position = launch_position(launch)
    m = new_machine(unit, KernelIR(kernel.name, position, (), UNIT_SHAPE))
    m.fitted = {}
    values: dict[str, int] = {}
    with deep_recursion():
        declare_globals(m)
        own = {parameter.name for parameter in kernel.parameters}
        for parameter in launch.parameters:
            _declare_parameter(m, parameter, own)
            if given := number_arguments(cuda_attributes(parameter).get("value")):
                values[parameter.name] = given[0]
        m.frames.append(Frame(launch))
        body = list(launch.definition.body.block_items or ())
        related: list[tuple[Symbol, Poly]] = []
        for item in body[:-1]:
            if isinstance(item, c_ast.FuncCall) and item.name.name == "assume__":
                related += _assumed(m, item.args.exprs[0])
            else:
                m.execute(item)
        final = body[-1]
        assert isinstance(final, c_ast.FuncCall)
        arguments = [m.evaluate(argument) for argument in final.args.exprs]
    grid, block = named_powers(_extents(arguments[0]), _extents(arguments[1]))
    unread = tuple(
        what
        for what, extents, value in zip(
            ("grid", "block"), (grid, block), arguments[:2], strict=True
        )
        if extents is None and not isinstance(value, OpaqueValue)
    )
    calls = place_arguments(launch.attributes.get("called"), position.path)
    site = LaunchSite(
        kernel.name, grid, block, position, {}, tuple(calls), unread, fitted=tuple(m.fitted)
    )
    names = [name for name in launch.attributes.get("given", ()) if isinstance(name, str)]
    return in_parameters(home, kernel, site, arguments[3:], HostNames(names, values, related))


def _assumed(m: Machine, equation: c_ast.BinaryOp) -> list[tuple[Symbol, Poly]]:
    """The variable on the left, and the formula on the right if there is one."""
    left, right = m.evaluate(equation.left), m.evaluate(equation.right)
    if not isinstance(left, IntValue) or not isinstance(right, IntValue):
        return []
    symbol = left.poly.atom
    if not isinstance(symbol, Symbol) or right.poly.has_role(Role.UNKNOWN):
        return []
    return [(symbol, right.poly)]


def _declare_parameter(m: Machine, parameter: c_ast.Decl, own: set[str]) -> None:
    """A value that is not known before run time; a dim3 has three, `grid.x` and so on.

    Names that the kernel itself has (`own`) are the kernel's parameters.
    """
    ctype = resolve(m, parameter.type)
    if not isinstance(ctype, Struct):
        role = Role.PARAMETER if parameter.name in own else Role.LAUNCH
        symbol = Symbol(parameter.name, role)
        m.declare(parameter.name, INT, IntValue(Poly.of(symbol), INT))
        return
    fields: dict[str, Value] = {
        field.name: IntValue(Poly.of(Symbol(f"{parameter.name}.{field.name}", Role.LAUNCH)), INT)
        for field in ctype.fields
    }
    m.declare(parameter.name, ctype, StructValue(ctype, fields))


def _symbols(value: Value) -> frozenset[Symbol]:
    if isinstance(value, IntValue):
        return symbols(value.poly)
    if isinstance(value, StructValue):
        return frozenset().union(*(_symbols(member) for member in value.fields.values()))
    return frozenset()


def _extents(value: Value) -> Extents | None:
    """A grid's or block's extents along x, y and z; None where they are not known."""
    if any(symbol.role is Role.UNKNOWN for symbol in _symbols(value)):
        return None
    members: list[Value] = [value]
    if isinstance(value, StructValue):
        members = list(value.fields.values())
    known = [member.poly for member in members if isinstance(member, IntValue)]
    if len(known) < len(members):
        return None
    x, y, z = [*known, ONE, ONE][:3]
    return plain_extents((x, y, z))


def plain_extents(extents: Extents) -> Extents:
    """The extents in the form that people write them."""
    x, y, z = map(plain_extent, extents)
    return x, y, z


def named_powers(
    grid: Extents | None, block: Extents | None
) -> tuple[Extents | None, Extents | None]:
    """`32 << i` threads: a power of what is not known is a parameter of its own, `pow2_i`."""
    atoms = {
        atom
        for extents in (grid, block)
        for extent in extents or ()
        for atom in extent.atoms()
        if isinstance(atom, (Power, Log2, Bits))
    }
    names: dict[Atom, Poly] = {}
    for atom in sorted(atoms):
        words = "_".join(word for word in re.findall(r"\w+", atom.key) if word != "1")
        names[atom] = Poly.of(Symbol(words.replace("pow_", "pow"), Role.LAUNCH))

    def named(extents: Extents | None) -> Extents | None:
        if extents is None or not names:
            return extents
        x, y, z = (substitute(extent, names) for extent in extents)
        return x, y, z

    return named(grid), named(block)
