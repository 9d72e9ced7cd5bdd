"""Expressions in translation: Python text with a C type, and what C's conversions make of it."""

from __future__ import annotations

from dataclasses import dataclass

from estimator.parse.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    SIZE_T,
    UNSIGNED,
    Array,
    CType,
    Kind,
    Pointer,
    Scalar,
    Struct,
    type_text,
)
from oracle.errors import OracleError


@dataclass(frozen=True, slots=True)
class Operand:
    """A value. `literal`: made of literal constants only, so that operations on it are free."""

    text: str
    type: CType
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Register:
    """A place that is a scalar local variable: a Python variable."""

    name: str
    type: CType


@dataclass(frozen=True, slots=True)
class InMemory:
    """A place in memory; `address` is the text of its address."""

    address: str
    type: CType


Place = Register | InMemory


def is_integer(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.kind in (Kind.INT, Kind.UNSIGNED, Kind.BOOL)


def is_float(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.is_float


def is_address(ctype: CType) -> bool:
    return isinstance(ctype, (Pointer, Array))


def pointed(ctype: CType) -> CType:
    """What a pointer or an array's elements are. Raises OracleError for other types."""
    match ctype:
        case Pointer(target=target):
            return target
        case Array(element=element):
            return element
    raise OracleError(f"{type_text(ctype)} is no pointer")


def decay(ctype: CType) -> CType:
    """An array as the pointer that it becomes."""
    return Pointer(ctype.element) if isinstance(ctype, Array) else ctype


def promote(ctype: CType) -> Scalar:
    """The type in which an operator works on one operand (C23 6.3.1.1)."""
    if not isinstance(ctype, Scalar):
        raise OracleError(f"arithmetic on {type_text(ctype)}")
    if ctype.is_float:
        if ctype.kind is Kind.BFLOAT:
            return BFLOAT
        return {8: DOUBLE, 4: FLOAT, 2: HALF}[ctype.size]
    if ctype.size < 4:
        return INT
    if ctype.kind is Kind.UNSIGNED:
        return UNSIGNED if ctype.size == 4 else SIZE_T
    return INT if ctype.size == 4 else LONG


def common(left: CType, right: CType) -> Scalar:
    """The type in which an operator works on two operands (C23 6.3.1.8)."""
    a, b = promote(left), promote(right)
    floats = [t for t in (a, b) if t.is_float]
    if floats:
        return max(floats, key=lambda t: t.size)
    if a.size != b.size:
        return a if a.size > b.size else b
    return a if a.kind is Kind.UNSIGNED else b


def wrap_name(scalar: Scalar) -> str:
    """The function of translated code that brings an integer into a type's range."""
    letter = {Kind.INT: "I", Kind.UNSIGNED: "U", Kind.BOOL: "B"}[scalar.kind]
    return f"{letter}{scalar.size}"


def round_text(text: str, scalar: Scalar) -> str:
    """A float rounded to a type; doubles are what they are."""
    if scalar.kind is Kind.BFLOAT:
        return f"RB({text})"
    return text if scalar.size == 8 else f"R{scalar.size}({text})"


def convert(operand: Operand, to: CType) -> str:
    """The text of a value after a conversion. Raises OracleError where C has none."""
    source = decay(operand.type)
    match source, to:
        case Struct(), Struct() if source.size == to.size:
            return operand.text
        case Pointer(), Pointer():
            return operand.text
        case Pointer(), Scalar(kind=Kind.BOOL):
            return f"(1 if {operand.text} else 0)"
        case Pointer(), Scalar() if is_integer(to):
            return f"{wrap_name(to)}({operand.text})"
        case Scalar(), Pointer() if is_integer(source):
            return f"U8({operand.text})"
        case _, Scalar(kind=Kind.VOID):
            return operand.text
        case Scalar(), Scalar():
            return _convert_scalar(operand.text, source, to)
    raise OracleError(f"no conversion from {type_text(source)} to {type_text(to)}")


def _convert_scalar(text: str, source: Scalar, to: Scalar) -> str:
    if to.kind is Kind.BOOL:
        return text if source.kind is Kind.BOOL else f"(1 if {text} else 0)"
    if to.is_float:
        if source.is_float:
            wider = to.size > source.size or (to.kind, to.size) == (source.kind, source.size)
            return text if wider else round_text(text, to)
        return f"float({text})" if to.size == 8 else round_text(text, to)
    if source.is_float:
        return f"{wrap_name(to)}(truncate({text}))"
    if _holds(to, source):
        return text
    return f"{wrap_name(to)}({text})"


def _holds(to: Scalar, source: Scalar) -> bool:
    """Whether every value of one integer type is one of the other."""
    if source.kind is Kind.BOOL:
        return True
    if to.kind is source.kind:
        return to.size >= source.size
    return to.kind is Kind.INT and to.size > source.size
