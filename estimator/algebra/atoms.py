"""What polynomials are made over: symbols, and functions that no polynomial can express.

An atom is known by its `key`, its canonical text; two atoms with one key are one atom.
"""

from __future__ import annotations

from enum import Enum
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

    from estimator.algebra.condition import Condition
    from estimator.algebra.poly import Poly


class Role(Enum):
    """Where a symbol's value comes from."""

    PARAMETER = "parameter"  # an integer argument of the kernel
    LAUNCH = "launch"  # a size of the launch that is no kernel argument
    UNIFORM = "uniform"  # read from memory, the same for all threads
    THREAD = "thread"  # threadIdx.*, blockIdx.*, or a global index made of them
    COUNTER = "counter"  # a loop's iteration number, from 0
    PITCH = "pitch"  # the distance of a texture's rows, of which no formula speaks
    UNKNOWN = "unknown"  # depends on data
    PROBE = "probe"  # a variable at the start of an iteration, to see how the loop steps it

    # Members are themselves alone: enum's own hash, by name, is many times slower.
    __hash__ = object.__hash__


_ONLY = {role: frozenset((role,)) for role in Role}


class Atom(str):
    """Base of all atoms: the `key` itself, so that sets and dicts compare atoms in C."""

    __slots__ = ("key", "roles")

    key: str
    roles: frozenset[Role]

    @classmethod
    def _over(cls, key: str, *parts: Poly) -> Self:
        """The atom of that key, in which these polynomials stand."""
        self = str.__new__(cls, key)
        self.key = key
        self.roles = frozenset(
            role for part in parts for atom in part.atoms() for role in atom.roles
        )
        return self

    def __repr__(self) -> str:
        return self.key

    def __reduce__(self) -> tuple[Any, ...]:
        slots = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())]
        return _again, (type(self), self.key, {name: getattr(self, name) for name in slots})


def _again(kind: type[Atom], key: str, slots: dict[str, Any]) -> Atom:
    """An atom that was pickled."""
    atom = str.__new__(kind, key)
    for name, value in slots.items():
        setattr(atom, name, value)
    return atom


class Symbol(Atom):
    """A named integer. Names that are no identifiers (`trips@12`) get one in `identifier`."""

    __slots__ = ("name", "role")

    name: str
    role: Role

    def __new__(cls, name: str, role: Role = Role.PARAMETER) -> Self:
        self = str.__new__(cls, name)
        self.key = self.name = name
        self.role = role
        self.roles = _ONLY[role]
        return self

    @property
    def identifier(self) -> str:
        """The name as a sympy-parsable identifier: `trips@12` → `trips_12`, `in` → `in_`."""
        name = "".join(char if char.isalnum() or char == "_" else "_" for char in self.key)
        return f"{name}_" if iskeyword(name) else name

    @property
    def is_index(self) -> bool:
        """Whether the value differs between threads or iterations in a known way."""
        return self.role in (Role.THREAD, Role.COUNTER)


class Floor(Atom):
    """⌊numerator / denominator⌋, the denominator being positive."""

    __slots__ = ("denominator", "numerator")

    numerator: Poly
    denominator: Poly

    def __new__(cls, numerator: Poly, denominator: Poly) -> Self:
        self = cls._over(f"floor(({numerator.key})/({denominator.key}))", numerator, denominator)
        self.numerator = numerator
        self.denominator = denominator
        return self


class Quotient(Atom):
    """numerator / denominator rounded towards 0, as C divides; of any sign."""

    __slots__ = ("denominator", "numerator")

    numerator: Poly
    denominator: Poly

    def __new__(cls, numerator: Poly, denominator: Poly) -> Self:
        self = cls._over(f"quo(({numerator.key}),({denominator.key}))", numerator, denominator)
        self.numerator = numerator
        self.denominator = denominator
        return self


class Extremum(Atom):
    """The smaller or the larger of two values."""

    __slots__ = ("largest", "left", "right")

    left: Poly
    right: Poly
    largest: bool

    def __new__(cls, left: Poly, right: Poly, *, largest: bool) -> Self:
        if right.key < left.key:
            left, right = right, left
        name = "Max" if largest else "Min"
        self = cls._over(f"{name}(({left.key}),({right.key}))", left, right)
        self.left, self.right, self.largest = left, right, largest
        return self


class Select(Atom):
    """`then` where the condition holds, `otherwise` elsewhere."""

    __slots__ = ("condition", "otherwise", "then")

    condition: Condition
    then: Poly
    otherwise: Poly

    def __new__(cls, condition: Condition, then: Poly, otherwise: Poly) -> Self:
        from estimator.algebra.walk import condition_polys

        key = f"select({condition.key},({then.key}),({otherwise.key}))"
        self = cls._over(key, then, otherwise, *condition_polys(condition))
        self.condition, self.then, self.otherwise = condition, then, otherwise
        return self


class Log2(Atom):
    """⌊log₂ value⌋, for the trip counts of halving and doubling loops."""

    __slots__ = ("value",)

    value: Poly

    def __new__(cls, value: Poly) -> Self:
        self = cls._over(f"log2({value.key})", value)
        self.value = value
        return self


class Power(Atom):
    """base ** exponent with a constant base and a symbolic exponent."""

    __slots__ = ("base", "exponent")

    base: int
    exponent: Poly

    def __new__(cls, base: int, exponent: Poly) -> Self:
        self = cls._over(f"pow({base},({exponent.key}))", exponent)
        self.base, self.exponent = base, exponent
        return self


class Bits(Atom):
    """A bitwise operation (`&`, `|`, `^`) that no arithmetic form was found for."""

    __slots__ = ("left", "operator", "right")

    operator: str
    left: Poly
    right: Poly

    def __new__(cls, operator: str, left: Poly, right: Poly) -> Self:
        if right.key < left.key:
            left, right = right, left
        self = cls._over(f"bits({operator},({left.key}),({right.key}))", left, right)
        self.operator, self.left, self.right = operator, left, right
        return self
