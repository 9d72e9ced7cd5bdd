"""Which numbers a parameter can be given: those that its type holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from pycparser import c_ast

from estimator.parse.table import TypeTable, UnknownTypeError
from estimator.parse.types import CType, Kind, Scalar, Struct
from estimator.parse.unit import Function, Unit
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose


def range_of(ctype: Scalar) -> tuple[int, int] | None:
    """The least and the largest value of an integer type; None for other types."""
    bits = 8 * ctype.size
    match ctype.kind:
        case Kind.BOOL:
            return 0, 1
        case Kind.UNSIGNED:
            return 0, 2**bits - 1
        case Kind.INT:
            return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return None


def beyond_range(
    unit: Unit, kernel: Function, values: Mapping[str, int | Fraction]
) -> Diagnostic | None:
    """The first value that the type of the kernel's parameter of that name does not hold.

    Members are named `size.rows` or `size_rows`.
    """
    for parameter in kernel.parameters:
        for name, ctype in _integers(unit.types, parameter):
            for written in dict.fromkeys((name, name.replace(".", "_"))):
                value, range_ = values.get(written), range_of(ctype)
                if value is None or range_ is None or range_[0] <= value <= range_[1]:
                    continue
                message = (
                    f"{written}={value}: in {kernel.display_name} it is of the type {ctype.name}, "
                    f"{range_[0]:,} to {range_[1]:,}"
                )
                return diagnose(codes.OUT_OF_RANGE, unit.position(parameter), message)
    return None


def largest_values(unit: Unit, kernel: Function) -> dict[str, int]:
    """The largest value of each integer among the kernel's parameters, members as `size.rows`."""
    return {
        name: range_[1]
        for parameter in kernel.parameters
        for name, ctype in _integers(unit.types, parameter)
        if (range_ := range_of(ctype)) is not None
    }


def _integers(table: TypeTable, parameter: c_ast.Decl) -> Iterator[tuple[str, Scalar]]:
    try:
        yield from _members(parameter.name, table.resolve(parameter.type))
    except UnknownTypeError:
        return


def _members(name: str, ctype: CType) -> Iterator[tuple[str, Scalar]]:
    if isinstance(ctype, Scalar):
        yield name, ctype
    elif isinstance(ctype, Struct):
        for field in ctype.fields:
            yield from _members(f"{name}.{field.name}", field.type)
