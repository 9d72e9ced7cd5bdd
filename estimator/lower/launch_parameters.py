"""A launch in the kernel's own names: what host variables are of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from estimator.algebra.atoms import Atom, Floor, Quotient, Role, Symbol
from estimator.algebra.condition import Truth
from estimator.algebra.integer import floor_divide
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.ratio import divide_exactly
from estimator.algebra.walk import divisions_in, parts_of, substitute, symbols
from estimator.immutable import immutable
from estimator.lower.launch_site import Extents, LaunchSite
from estimator.lower.values import BoolValue, IntValue, StructValue, Value
from estimator.parse.table import UnknownTypeError
from estimator.parse.types import INT, Array, CType, Pointer, Struct
from estimator.parse.unit import Function, Unit

# Numbers that are passed for what is no size: formulas are for them alone.
_NO_SIZES = (ZERO, ONE)


@immutable()
class HostNames:
    """What the host says of its own names.

    `given` are those of the structures that it passes, by their place, `values` the numbers that
    variables start with, `related` the variables that are formulas in others.
    """

    given: list[str]
    values: Mapping[str, int]
    related: list[tuple[Symbol, Poly]]


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


def _passed(
    unit: Unit, kernel: Function, arguments: list[Value]
) -> Iterator[tuple[str, Value, CType]]:
    """The kernel's parameters and members of those, each with its value and type."""
    for parameter, value in zip(kernel.parameters, arguments, strict=False):
        try:
            ctype = unit.types.resolve(parameter.type)
        except UnknownTypeError:
            ctype = INT
        yield from _with_members(parameter.name, value, ctype)


def _with_members(name: str, value: Value, ctype: CType) -> Iterator[tuple[str, Value, CType]]:
    if not isinstance(ctype, Struct):
        yield name, _as_number(value), ctype
    elif isinstance(value, StructValue):
        for member in ctype.fields:
            if member.name in value.fields:
                inner = value.fields[member.name]
                yield from _with_members(f"{name}.{member.name}", inner, member.type)


@dataclass(slots=True)
class _Names:
    """What a launch says of the kernel's parameters, by their names.

    `renamed` are host variables, and what else parameters are called by; `alike` parameters that
    are passed what another one is, `formulas` those that are formulas of host variables.
    """

    renamed: dict[Atom, Poly]
    known: dict[str, Poly] = field(default_factory=dict)
    formulas: dict[str, Poly] = field(default_factory=dict)
    alike: dict[str, Poly] = field(default_factory=dict)
    nulls: set[str] = field(default_factory=set)

    def add(self, name: str, value: Value, ctype: CType, values: Mapping[str, int]) -> None:
        """Take in one parameter; `values` are numbers that host variables start with."""
        if not isinstance(value, IntValue) or value.poly.has_role(Role.UNKNOWN):
            return
        if isinstance(ctype, (Pointer, Array)):
            if value.poly == ZERO:
                self.nulls.add(name)
            return
        own, atom = Poly.of(Symbol(name, Role.PARAMETER)), value.poly.atom
        number = values.get(atom.name) if isinstance(atom, Symbol) else None
        if number is not None:
            self.known[name] = Poly.of(number)
        if atom is not None:
            if self.renamed.setdefault(atom, own) != own and number is None:
                self.alike[name] = value.poly
        elif value.poly.constant is not None:
            self.known[name] = value.poly
            if value.poly in _NO_SIZES:
                self.alike[name] = value.poly
        else:
            self.formulas[name] = value.poly

    def relate(self, related: list[tuple[Symbol, Poly]]) -> None:
        """Take in what host variables are in others."""
        for symbol, poly in related:
            called = self.renamed.get(symbol)
            own = called.atom if called is not None else None
            if not isinstance(own, Symbol) or called is None:
                continue
            of = poly.atom
            if "." in own.name and isinstance(of, Symbol) and of not in self.renamed:
                self.renamed[of] = called  # the member is what the host calls so
            elif _is_followed(poly):
                self.alike.setdefault(own.name, poly)


def _is_followed(poly: Poly) -> bool:
    """Whether a formula is one of sizes and their quotients by numbers, which counting knows."""
    return all(
        isinstance(atom, Symbol)
        or (
            isinstance(atom, (Floor, Quotient))
            and atom.denominator.integer is not None
            and _is_followed(atom.numerator)
        )
        for atom in poly.atoms()
    )


def in_parameters(
    unit: Unit,
    kernel: Function,
    site: LaunchSite,
    arguments: list[Value],
    host: HostNames,
) -> LaunchSite:
    """The launch in the kernel's own names: host variables become the parameters they feed."""
    found = _Names(_members(unit, kernel, host.given))
    for name, value, ctype in _passed(unit, kernel, arguments):
        found.add(name, value, ctype, host.values)
    renamed, formulas = found.renamed, found.formulas
    for own_name, poly in list(formulas.items()):
        solved = _solved(poly, Symbol(own_name, Role.PARAMETER), renamed, site)
        if solved is not None:
            renamed.update(solved)
            del formulas[own_name]
    found.relate(host.related)
    extents = (*(site.grid or ()), *(site.block or ()))
    for extent in extents:
        renamed.update(_divided_further(extent, renamed))
    taken = {p.name for p in kernel.parameters}
    for poly in (*extents, *formulas.values(), *found.alike.values()):
        for symbol in symbols(poly):
            if symbol not in renamed and symbol.name in taken:
                renamed[symbol] = Poly.of(Symbol(f"host_{symbol.name}", Role.LAUNCH))

    def own(extents: Extents | None) -> Extents | None:
        if extents is None:
            return None
        x, y, z = (substitute(extent, renamed) for extent in extents)
        return x, y, z

    grid, block = own(site.grid), own(site.block)
    related = _quotients(renamed, (*(grid or ()), *(block or ())))
    for name, poly in {**found.alike, **formulas}.items():
        related[name] = substitute(poly, renamed)
    fitted = tuple((substitute(poly, renamed), ctype) for poly, ctype in site.fitted)
    return replace(
        site,
        grid=grid,
        block=block,
        known=found.known,
        related=related,
        fitted=fitted,
        nulls=frozenset(found.nulls),
    )
