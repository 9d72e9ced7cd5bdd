"""Launch configurations from the file's host code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from itertools import zip_longest

from pycparser import c_ast

from estimator.algebra.atoms import Atom, Bits, Floor, Log2, Power, Role, Symbol
from estimator.algebra.condition import Truth
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import divisions_in, parts_of, substitute, symbols
from estimator.immutable import immutable
from estimator.ir.kernel import KernelIR, LaunchShape
from estimator.lower.expressions import resolve
from estimator.lower.extents import plain_extent
from estimator.lower.kernel import declare_globals, deep_recursion, new_machine
from estimator.lower.machine import Frame, Machine
from estimator.lower.values import BoolValue, IntValue, OpaqueValue, StructValue, Value
from estimator.parse.attributes import (
    cuda_attributes,
    number_arguments,
    place_arguments,
    string_argument,
)
from estimator.parse.table import UnknownTypeError
from estimator.parse.types import INT, Array, Pointer, Scalar, Struct
from estimator.parse.unit import Function, Unit
from estimator.source.position import Position

Extents = tuple[Poly, Poly, Poly]
UNIT_SHAPE = LaunchShape((ONE, ONE, ONE), (ONE, ONE, ONE))


@immutable(slots=False)
class LaunchSite:
    """A launch as written: the kernel, its extents, and what is known of the arguments.

    A grid or block that cannot be computed is None; `unread` are those that only turned out so
    here. `known` has values of the kernel's parameters at this launch, `related` those that are
    formulas in other sizes (`dw = 2*sw`), `fitted` what is taken to fit a narrow type, `nulls`
    the pointers that are null.
    `calls` are the calls of host functions that lead to it, the nearest first, if they say
    anything of it.
    """

    kernel: str
    grid: Extents | None
    block: Extents | None
    position: Position
    known: Mapping[str, Poly]
    calls: tuple[Position, ...] = ()
    unread: tuple[str, ...] = ()
    related: Mapping[str, Poly] = field(default_factory=dict)
    fitted: tuple[tuple[Poly, Scalar], ...] = ()
    nulls: frozenset[str] = frozenset()

    @property
    def numbers(self) -> dict[str, int]:
        """The parameters' values that are numbers."""
        return {name: n for name, poly in self.known.items() if (n := poly.integer) is not None}


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
        for item in body[:-1]:
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
    return _in_parameters(home, kernel, site, arguments[3:], values, names)


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


def _members(unit: Unit, kernel: Function, names: list[str]) -> dict[Atom, Poly]:
    """`a_nx`, as a launch calls the member of a structure `a`, is the kernel's own `g.nx`."""
    found: dict[Atom, Poly] = {}
    for parameter, name in zip_longest(kernel.parameters, names[: len(kernel.parameters)]):
        try:
            ctype = unit.types.resolve(parameter.type)
        except UnknownTypeError:
            continue
        for member in ctype.fields if isinstance(ctype, Struct) else ():
            own = Symbol(f"{parameter.name}.{member.name}", Role.PARAMETER)
            called = Symbol(f"{name or parameter.name}_{member.name}", Role.LAUNCH)
            found.setdefault(called, Poly.of(own))
    return found


def _solved(
    poly: Poly, own: Symbol, renamed: Mapping[Atom, Poly], site: LaunchSite
) -> dict[Atom, Poly] | None:
    """The host variable that a parameter is a formula of, in that parameter: h = rows/2.

    None unless all extents stay formulas with whole numbers.
    """
    for symbol in sorted(symbols(poly)):
        slope = poly.coefficient(symbol).integer
        if slope is None or slope == 0 or symbol in renamed or poly.degree([symbol]) != 1:
            continue
        rest = poly - slope * Poly.of(symbol)
        if symbol in symbols(rest) or symbols(rest):
            continue
        value: dict[Atom, Poly] = {symbol: (Poly.of(own) - rest) / slope}
        extents = [substitute(e, value) for e in (*(site.grid or ()), *(site.block or ()))]
        if all(_is_whole(extent) for extent in extents):
            return value
    return None


def _divided_further(extent: Poly, renamed: Mapping[Atom, Poly]) -> dict[Atom, Poly]:
    """What the divisions in an extent are of those renamed: ⌊m/1024⌋ is ⌊n/256⌋ for n = ⌊m/4⌋."""
    found: dict[Atom, Poly] = {}
    for atom in divisions_in(extent):
        for known, name in renamed.items():
            if not isinstance(known, Floor) or known.numerator != atom.numerator:
                continue
            further = divide_exactly(atom.denominator, known.denominator)
            if atom not in renamed and further is not None and further.integer:
                found[atom] = floor_divide(name, further)
    return found


def _quotients(renamed: Mapping[Atom, Poly], extents: tuple[Poly, ...]) -> dict[str, Poly]:
    """The parameters that are quotients of what the extents speak of: `k<<<n*m/2, 1>>>(m/2)`."""
    host: dict[Atom, Poly] = {s: poly for s, poly in renamed.items() if isinstance(s, Symbol)}
    used = set().union(*(symbols(extent) for extent in extents))
    found: dict[str, Poly] = {}
    for atom, called in renamed.items():
        own = called.atom
        if isinstance(atom, Symbol) or not isinstance(own, Symbol):
            continue
        meant = substitute(Poly.of(atom), host)
        if symbols(meant) & used:
            found[own.name] = meant
    return found


def _is_whole(poly: Poly) -> bool:
    """Whether all coefficients are integers, inside atoms too."""
    return all(isinstance(value, int) for value in poly.terms.values()) and all(
        _is_whole(part) for atom in poly.atoms() for part in parts_of(atom)
    )


def _as_number(value: Value) -> Value:
    """`true` and `false` are 1 and 0."""
    if isinstance(value, BoolValue) and isinstance(value.condition, Truth):
        return IntValue(Poly.of(int(value.condition.value)), INT)
    return value


def _is_pointer(unit: Unit, parameter: c_ast.Decl) -> bool:
    try:
        return isinstance(unit.types.resolve(parameter.type), (Pointer, Array))
    except UnknownTypeError:
        return False


def _in_parameters(
    unit: Unit,
    kernel: Function,
    site: LaunchSite,
    arguments: list[Value],
    values: Mapping[str, int],
    names: list[str],
) -> LaunchSite:
    """The launch in the kernel's own names: host variables become the parameters they feed."""
    renamed: dict[Atom, Poly] = _members(unit, kernel, names)
    known: dict[str, Poly] = {}
    formulas: dict[str, Poly] = {}
    nulls: set[str] = set()
    for parameter, value in zip(kernel.parameters, arguments, strict=False):
        value = _as_number(value)
        if not isinstance(value, IntValue):
            continue
        if _is_pointer(unit, parameter):
            if value.poly == ZERO:
                nulls.add(parameter.name)
            continue
        name = Poly.of(Symbol(parameter.name, Role.PARAMETER))
        atom = value.poly.atom
        if isinstance(atom, Symbol):
            renamed.setdefault(atom, name)
            if atom.name in values:
                known[parameter.name] = Poly.of(values[atom.name])
        elif value.poly.constant is not None:
            known[parameter.name] = value.poly
        elif atom is not None:
            renamed.setdefault(atom, name)
        else:
            formulas[parameter.name] = value.poly
    for own_name, poly in list(formulas.items()):
        solved = _solved(poly, Symbol(own_name, Role.PARAMETER), renamed, site)
        if solved is not None:
            renamed.update(solved)
            del formulas[own_name]
    taken = {p.name for p in kernel.parameters}
    for extent in (*(site.grid or ()), *(site.block or ())):
        renamed.update(_divided_further(extent, renamed))
        for symbol in symbols(extent):
            if symbol not in renamed and symbol.name in taken:
                renamed[symbol] = Poly.of(Symbol(f"host_{symbol.name}", Role.LAUNCH))

    def own(extents: Extents | None) -> Extents | None:
        if extents is None:
            return None
        x, y, z = (substitute(extent, renamed) for extent in extents)
        return x, y, z

    grid, block = own(site.grid), own(site.block)
    related = {name: substitute(poly, renamed) for name, poly in formulas.items()}
    related = {**_quotients(renamed, (*(grid or ()), *(block or ()))), **related}
    fitted = tuple((substitute(poly, renamed), ctype) for poly, ctype in site.fitted)
    return replace(
        site,
        grid=grid,
        block=block,
        known=known,
        related=related,
        fitted=fitted,
        nulls=frozenset(nulls),
    )
