"""What expressions evaluate to while a kernel is executed symbolically."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Union

from estimator.algebra.condition import Condition
from estimator.algebra.poly import Poly
from estimator.immutable import immutable
from estimator.ir.kernel import ArrayObject
from estimator.parse.types import CType, Kind, Scalar, Struct


@immutable()
class IntValue:
    """An integer, as a polynomial."""

    poly: Poly
    type: Scalar


@immutable()
class BoolValue:
    """A comparison's result, kept as the condition that it is."""

    condition: Condition


@immutable()
class FloatValue:
    """A floating-point number, known only by its value number; literals are constants.

    `amount` is what it is where that follows from integers: a texture's coordinate x + 1/2.
    """

    number: int
    type: Scalar
    literal: bool = False
    amount: Poly | None = None


@immutable()
class PointerValue:
    """An address: `offset` bytes into an array, or a local variable. `target` is the pointee."""

    base: ArrayObject | Variable
    offset: Poly
    target: CType


@immutable()
class StructValue:
    """A structure or vector by value."""

    type: Struct
    fields: Mapping[str, Value]


@immutable()
class OpaqueValue:
    """A value of a type that arithmetic says nothing about."""

    type: CType


@immutable()
class FunctionValue:
    """A function that a pointer is known to point to."""

    name: str


@immutable()
class ObjectValue:
    """An object of one of CUDA's libraries, such as a group of threads or a function object.

    `kind` says what it is, `parts` what is known of it: the `size` of a group.
    """

    kind: str
    parts: Mapping[str, Value] = field(default_factory=dict)

    @property
    def type(self) -> Scalar:
        return Scalar(self.kind, Kind.OPAQUE, 8)


Value = Union[
    IntValue,
    BoolValue,
    FloatValue,
    PointerValue,
    StructValue,
    OpaqueValue,
    FunctionValue,
    ObjectValue,
]


@immutable(eq=False)
class Variable:
    """A local variable or parameter; two of the same name in two scopes are two objects."""

    name: str
    type: CType


@immutable()
class VariablePlace:
    """Assigning here changes a variable."""

    variable: Variable


@immutable()
class FieldPlace:
    """Assigning here changes a member of a structure held in another place."""

    base: Place
    name: str
    type: CType


@immutable()
class MemoryPlace:
    """Assigning here stores to memory."""

    pointer: PointerValue
    type: CType


@immutable()
class ChoicePlace:
    """Assigning here changes one place where the condition holds, and the other elsewhere."""

    condition: Condition
    iftrue: Place
    iffalse: Place


@immutable()
class PartPlace:
    """Some bytes of another place, from `offset` on, taken for a value of a type that the place
    does not have; the offset is None where it is not known."""

    base: Place
    type: CType
    offset: int | None


Place = Union[VariablePlace, FieldPlace, MemoryPlace, ChoicePlace, PartPlace]
