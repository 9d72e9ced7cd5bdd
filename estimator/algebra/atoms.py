"""What polynomials are made over: symbols, and functions that no polynomial can express.

An atom is known by its `key`, its canonical text; two atoms with one key are one atom.
"""

from __future__ import annotations

from enum import Enum
from keyword import iskeyword
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


class Atom:
    """Base of all atoms; hashed and compared by `key`."""

    __slots__ = ("_hash", "key", "roles")

    key: str
    roles: frozenset[Role]

    def __init__(self, key: str, *parts: Poly) -> None:
        self.key = key
        self._hash = hash(key)
        self.roles = frozenset(
            role for part in parts for atom in part.atoms() for role in atom.roles
        )

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Atom) and self.key == other.key)

    def __lt__(self, other: Atom) -> bool:
        return self.key < other.key

    def __repr__(self) -> str:
        return self.key


class Symbol(Atom):
    """A named integer. Names that are no identifiers (`trips@12`) get one in `identifier`."""

    __slots__ = ("role",)

    def __init__(self, name: str, role: Role = Role.PARAMETER) -> None:
        super().__init__(name)
        self.role = role
        self.roles = frozenset((role,))

    @property
    def name(self) -> str:
        return self.key

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

    def __init__(self, numerator: Poly, denominator: Poly) -> None:
        super().__init__(f"floor(({numerator.key})/({denominator.key}))", numerator, denominator)
        self.numerator = numerator
        self.denominator = denominator


class Quotient(Atom):
    """numerator / denominator rounded towards 0, as C divides; of any sign."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Poly, denominator: Poly) -> None:
        super().__init__(f"quo(({numerator.key}),({denominator.key}))", numerator, denominator)
        self.numerator = numerator
        self.denominator = denominator


class Extremum(Atom):
    """The smaller or the larger of two values."""

    __slots__ = ("largest", "left", "right")

    def __init__(self, left: Poly, right: Poly, *, largest: bool) -> None:
        if right.key < left.key:
            left, right = right, left
        name = "Max" if largest else "Min"
        super().__init__(f"{name}(({left.key}),({right.key}))", left, right)
        self.left, self.right, self.largest = left, right, largest


class Select(Atom):
    """`then` where the condition holds, `otherwise` elsewhere."""

    __slots__ = ("condition", "otherwise", "then")

    def __init__(self, condition: Condition, then: Poly, otherwise: Poly) -> None:
        from estimator.algebra.walk import condition_polys

        key = f"select({condition.key},({then.key}),({otherwise.key}))"
        super().__init__(key, then, otherwise, *condition_polys(condition))
        self.condition, self.then, self.otherwise = condition, then, otherwise


class Log2(Atom):
    """⌊log₂ value⌋, for the trip counts of halving and doubling loops."""

    __slots__ = ("value",)

    def __init__(self, value: Poly) -> None:
        super().__init__(f"log2({value.key})", value)
        self.value = value


class Power(Atom):
    """base ** exponent with a constant base and a symbolic exponent."""

    __slots__ = ("base", "exponent")

    def __init__(self, base: int, exponent: Poly) -> None:
        super().__init__(f"pow({base},({exponent.key}))", exponent)
        self.base, self.exponent = base, exponent


class Bits(Atom):
    """A bitwise operation (`&`, `|`, `^`) that no arithmetic form was found for."""

    __slots__ = ("left", "operator", "right")

    def __init__(self, operator: str, left: Poly, right: Poly) -> None:
        if right.key < left.key:
            left, right = right, left
        super().__init__(f"bits({operator},({left.key}),({right.key}))", left, right)
        self.operator, self.left, self.right = operator, left, right
