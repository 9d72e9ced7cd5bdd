"""Conditions on polynomials: what guards, loops and branches say about threads."""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import Union

from estimator.algebra.atoms import Atom, Role, Symbol
from estimator.algebra.poly import Poly
from estimator.immutable import immutable


class Relation(str, Enum):
    """How a polynomial compares with 0."""

    NONNEGATIVE = ">="
    ZERO = "="
    NONZERO = "!="


@immutable(slots=False)
class Compare:
    """`poly relation 0`; `line` names the comparison should it turn out to be unknown."""

    poly: Poly
    relation: Relation
    line: int = 0

    @cached_property
    def key(self) -> str:
        return f"({self.poly.key}{self.relation.value}0)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compare) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@immutable(slots=False)
class Junction:
    """All (`every`) or at least one of the parts hold."""

    parts: tuple[Condition, ...]
    every: bool

    @cached_property
    def size(self) -> int:
        """The comparisons in it, each as often as it stands there."""
        return sum(size_of(part) for part in self.parts)

    @cached_property
    def key(self) -> str:
        return "(" + ("&" if self.every else "|").join(part.key for part in self.parts) + ")"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Junction) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@immutable(slots=False)
class Truth:
    """Always, or never."""

    value: bool

    @property
    def key(self) -> str:
        return "true" if self.value else "false"


@immutable(slots=False)
class Data:
    """A condition on data: true in a share `probability` of the cases, which is unknown."""

    probability: Symbol
    positive: bool = True

    @property
    def key(self) -> str:
        return f"{'' if self.positive else '!'}{self.probability.key}"


@immutable(slots=False)
class Earlier:
    """In an iteration of `counter` before the present one (or in it), `condition` held.

    With `negated`, in none. This is what `break` and loop conditions of any shape come to.
    """

    counter: Symbol
    condition: Condition
    including_present: bool
    negated: bool

    @cached_property
    def key(self) -> str:
        sign = "!" if self.negated else ""
        bound = "<=" if self.including_present else "<"
        return f"{sign}earlier({self.counter.key}{bound},{self.condition.key})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Earlier) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@immutable(slots=False)
class Exists:
    """For some value of `counter` the condition holds (with `negated`: for none)."""

    counter: Symbol
    condition: Condition
    negated: bool

    @cached_property
    def key(self) -> str:
        return f"{'!' if self.negated else ''}exists({self.counter.key},{self.condition.key})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exists) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


Condition = Union[Compare, Junction, Truth, Data, Earlier, Exists]

TRUE = Truth(True)
FALSE = Truth(False)


def nonnegative(poly: Poly, line: int = 0) -> Condition:
    """poly >= 0, decided at once where it is constant."""
    value = poly.constant
    if value is not None:
        return TRUE if value >= 0 else FALSE
    if all(
        coefficient > 0 and all(_is_thread_index(atom) for atom, _ in monomial)
        for monomial, coefficient in poly.terms.items()
    ):
        return TRUE
    return Compare(poly, Relation.NONNEGATIVE, line)


def _is_thread_index(atom: Atom) -> bool:
    """Thread and block indices are never negative."""
    return isinstance(atom, Symbol) and atom.role is Role.THREAD


def zero(poly: Poly, line: int = 0) -> Condition:
    """poly == 0, decided at once where it is constant."""
    value = poly.constant
    if value is not None:
        return FALSE if value else TRUE
    return Compare(poly, Relation.ZERO, line)


def size_of(condition: Condition) -> int:
    """The comparisons in a condition, each as often as it stands there."""
    match condition:
        case Junction():
            return condition.size
        case Earlier(_, inner, _, _) | Exists(_, inner, _):
            return size_of(inner)
    return 1


def negate(condition: Condition) -> Condition:
    """The opposite condition (on integers: not p >= 0 is -p - 1 >= 0)."""
    match condition:
        case Truth(value):
            return FALSE if value else TRUE
        case Compare(poly, Relation.NONNEGATIVE, line):
            return Compare(-poly - 1, Relation.NONNEGATIVE, line)
        case Compare(poly, Relation.ZERO, line):
            return Compare(poly, Relation.NONZERO, line)
        case Compare(poly, Relation.NONZERO, line):
            return Compare(poly, Relation.ZERO, line)
        case Junction(parts, every):
            return Junction(tuple(negate(part) for part in parts), not every)
        case Data(probability, positive):
            return Data(probability, not positive)
        case Earlier(counter, inner, including, negated):
            return Earlier(counter, inner, including, not negated)
        case Exists(counter, inner, negated):
            return Exists(counter, inner, not negated)
    raise TypeError(f"not a condition: {condition!r}")


def conjunction(*parts: Condition) -> Condition:
    """All of the parts."""
    return _junction(parts, every=True)


def disjunction(*parts: Condition) -> Condition:
    """At least one of the parts."""
    return _junction(parts, every=False)


def _junction(parts: tuple[Condition, ...], *, every: bool) -> Condition:
    if len(parts) == 1:
        return parts[0]
    flat: dict[str, Condition] = {}
    for part in parts:
        if isinstance(part, Truth):
            if part.value != every:
                return part
        elif isinstance(part, Junction) and part.every == every:
            flat.update((inner.key, inner) for inner in part.parts if inner.key not in flat)
        else:
            flat.setdefault(part.key, part)
    if not flat:
        return TRUE if every else FALSE
    listed = tuple(flat.values())
    return listed[0] if len(listed) == 1 else Junction(listed, every)


def depends_on_data(condition: Condition) -> bool:
    """Whether some part is a condition on data."""
    match condition:
        case Data():
            return True
        case Junction(parts, _):
            return any(depends_on_data(part) for part in parts)
        case Earlier(_, inner, _, _) | Exists(_, inner, _):
            return depends_on_data(inner)
    return False


def condition_is_known(condition: Condition) -> Condition | None:
    """What a condition demands apart from its parts on data; None if that is nothing."""
    if not depends_on_data(condition):
        return condition
    if isinstance(condition, Junction) and condition.every:
        known = [part for part in condition.parts if not depends_on_data(part)]
        return conjunction(*known) if known else None
    return None


def without_implied(condition: Condition, given: Condition) -> Condition:
    """The condition without `i != 3`, `i != 4`, … where `i == 5` is given."""
    if not isinstance(given, Compare) or given.relation is not Relation.ZERO:
        return condition
    if not isinstance(condition, Junction) or not condition.every:
        return condition
    kept = tuple(part for part in condition.parts if not _excluded(part, given.poly))
    return condition if len(kept) == len(condition.parts) else conjunction(*kept)


def _excluded(part: Condition, zero_: Poly) -> bool:
    if not isinstance(part, Compare) or part.relation is not Relation.NONZERO:
        return False
    return any((part.poly + sign * zero_).constant not in (None, 0) for sign in (1, -1))
