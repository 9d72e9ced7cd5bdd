"""What expressions evaluate to while a kernel is executed symbolically."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Union

from estimator.algebra.condition import Condition
from estimator.algebra.poly import Poly
from estimator.ir.kernel import ArrayObject
from estimator.parse.types import CType, Scalar, Struct


@dataclass(frozen=True, slots=True)
class IntValue:
    """An integer, as a polynomial."""

    poly: Poly
    type: Scalar


@dataclass(frozen=True, slots=True)
class BoolValue:
    """A comparison's result, kept as the condition that it is."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class FloatValue:
    """A floating-point number, known only by its value number; literals are constants."""

    number: int
    type: Scalar
    literal: bool = False


@dataclass(frozen=True, slots=True)
class PointerValue:
    """An address: `offset` bytes into an array, or a local variable. `target` is the pointee."""

    base: ArrayObject | Variable
    offset: Poly
    target: CType


@dataclass(frozen=True, slots=True)
class StructValue:
    """A structure or vector by value."""

    type: Struct
    fields: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class OpaqueValue:
    """A value of a type that arithmetic says nothing about."""

    type: CType


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function that a pointer is known to point to."""

    name: str


Value = Union[
    IntValue, BoolValue, FloatValue, PointerValue, StructValue, OpaqueValue, FunctionValue
]


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A local variable or parameter; two of the same name in two scopes are two objects."""

    name: str
    type: CType


@dataclass(frozen=True, slots=True)
class VariablePlace:
    """Assigning here changes a variable."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Assigning here changes a member of a structure held in another place."""

    base: Place
    name: str
    type: CType


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """Assigning here stores to memory."""

    pointer: PointerValue
    type: CType


Place = Union[VariablePlace, FieldPlace, MemoryPlace]
