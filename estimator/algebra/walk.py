"""Going through polynomials and conditions to the bottom: symbols, substitution, signs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from estimator.algebra.atoms import (
    Atom,
    Bits,
    Extremum,
    Floor,
    Log2,
    Power,
    Quotient,
    Role,
    Select,
    Symbol,
)
from estimator.algebra.condition import (
    Compare,
    Condition,
    Earlier,
    Exists,
    Junction,
    Relation,
    Truth,
    conjunction,
    disjunction,
    nonnegative,
    zero,
)
from estimator.algebra.integer import (
    bits,
    floor_divide,
    log2,
    maximum,
    minimum,
    power,
    quotient,
)
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.algebra.remembered import remembered

# How the names of unknowns end that came from a division by zero.
BY_ZERO = " by zero"


def parts_of(atom: Atom) -> tuple[Poly, ...]:
    """The polynomials inside an atom."""
    match atom:
        case Floor() | Quotient():
            return (atom.numerator, atom.denominator)
        case Extremum() | Bits():
            return (atom.left, atom.right)
        case Select():
            return (atom.then, atom.otherwise)
        case Log2():
            return (atom.value,)
        case Power():
            return (atom.exponent,)
    return ()


def divisions_in(poly: Poly) -> Iterator[Floor]:
    """The divisions in a polynomial, those inside its atoms and their conditions too."""
    for atom in poly.atoms():
        if isinstance(atom, Floor):
            yield atom
        inside = [*parts_of(atom)]
        if isinstance(atom, Select):
            inside.extend(condition_polys(atom.condition))
        for part in inside:
            yield from divisions_in(part)


def symbols(poly: Poly) -> frozenset[Symbol]:
    """All symbols of a polynomial, those inside its atoms too; found once for each object."""
    if poly.symbols_cache is None:
        found: set[Symbol] = set()
        for monomial in poly.terms:
            for atom, _ in monomial:
                if isinstance(atom, Symbol):
                    found.add(atom)
                    continue
                for part in parts_of(atom):
                    found |= symbols(part)
                if isinstance(atom, Select):
                    for compared in condition_polys(atom.condition):
                        found |= symbols(compared)
        poly.symbols_cache = frozenset(found)
    return poly.symbols_cache


def exponents(poly: Poly) -> set[Symbol]:
    """The symbols that stand in exponents: numbers of bits or steps, never large."""
    found: set[Symbol] = set()
    for atom in poly.atoms():
        if isinstance(atom, Power):
            found |= symbols(atom.exponent)
        elif not isinstance(atom, Symbol):
            for part in parts_of(atom):
                found |= exponents(part)
    return found


def condition_polys(condition: Condition) -> Iterator[Poly]:
    """The polynomials that a condition compares."""
    match condition:
        case Compare(poly, _, _):
            yield poly
        case Junction(parts, _):
            for part in parts:
                yield from condition_polys(part)
        case Earlier(_, inner, _, _) | Exists(_, inner, _):
            yield from condition_polys(inner)


def condition_symbols(condition: Condition) -> frozenset[Symbol]:
    """All symbols of a condition; counters that it binds itself are left out.

    Found once for each object.
    """
    if isinstance(condition, Compare):
        return symbols(condition.poly)
    memory = condition.__dict__
    known: frozenset[Symbol] | None = memory.get("symbols")
    if known is None:
        known = memory["symbols"] = _free_symbols(condition)
    return known


def _free_symbols(condition: Condition) -> frozenset[Symbol]:
    match condition:
        case Junction(parts, _):
            return frozenset().union(*(condition_symbols(part) for part in parts))
        case Earlier(counter, inner, _, _):
            return condition_symbols(inner) | {counter}
        case Exists(counter, inner, _):
            return condition_symbols(inner) - {counter}
    return frozenset()


def substitute(poly: Poly, values: Mapping[Atom, Poly]) -> Poly:
    """Symbols (or whole atoms) replaced everywhere, also inside atoms."""
    if not values:
        return poly
    changed: dict[Atom, Poly] = {}
    for atom in poly.atoms():
        new = _substitute_atom(atom, values)
        if new is not None:
            changed[atom] = new
    if not changed:
        return poly
    result = poly.replace(changed)
    # 0*(x/0), as in x % 0, is undefined too.
    lost = {s for new in changed.values() for s in symbols(new) if s.name.endswith(BY_ZERO)}
    for symbol in lost - symbols(result):
        result = result + Poly.of(symbol)
    return result


def _substitute_atom(atom: Atom, values: Mapping[Atom, Poly]) -> Poly | None:
    if atom in values:
        return values[atom]
    old = parts_of(atom)
    if not old:
        return None
    new = tuple(substitute(part, values) for part in old)
    if isinstance(atom, Select):
        condition = substitute_condition(atom.condition, values)
        if new == old and condition == atom.condition:
            return None
        if isinstance(condition, Truth):
            return new[0] if condition.value else new[1]
        return Poly.of(Select(condition, *new))
    if new == old:
        return None
    return rebuild(atom, new)


def rebuild(atom: Atom, parts: tuple[Poly, ...]) -> Poly:
    """The atom with other parts, simplified.

    A division by zero becomes an unknown: it may stand where nothing is ever executed.
    """
    if isinstance(atom, (Floor, Quotient)) and not parts[1]:
        return Poly.of(Symbol(f"({parts[0].key}){BY_ZERO}", Role.UNKNOWN))
    match atom:
        case Floor():
            return floor_divide(*parts)
        case Quotient():
            return quotient(*parts)
        case Extremum():
            return maximum(*parts) if atom.largest else minimum(*parts)
        case Bits():
            return bits(atom.operator, *parts)
        case Log2():
            return log2(parts[0])
        case Power():
            return power(atom.base, parts[0])
    raise TypeError(f"atom without parts: {atom!r}")


def substitute_condition(condition: Condition, values: Mapping[Atom, Poly]) -> Condition:
    """`substitute` for conditions."""
    match condition:
        case Compare(poly, relation, line):
            new = substitute(poly, values)
            if relation is Relation.NONNEGATIVE:
                return nonnegative(new, line)
            if relation is Relation.ZERO:
                return zero(new, line)
            value = new.constant
            return Truth(value != 0) if value is not None else Compare(new, relation, line)
        case Junction(parts, every):
            changed = tuple(substitute_condition(part, values) for part in parts)
            return conjunction(*changed) if every else disjunction(*changed)
        case Earlier(counter, _, _, _) if counter in values or _hold(values, counter):
            return substitute_condition(_spelled_out(condition), values)
        case Earlier(counter, inner, including, negated):
            return Earlier(counter, substitute_condition(inner, values), including, negated)
        case Exists(counter, inner, negated):
            # Its own counter is another one than what has that name outside.
            values = {atom: poly for atom, poly in values.items() if atom != counter}
            counter, inner = _apart(counter, inner, values)
            return Exists(counter, substitute_condition(inner, values), negated)
    return condition


def _spelled_out(condition: Earlier) -> Condition:
    """`Earlier` as `Exists`, for a present iteration that is to be no plain counter."""
    present = Poly.of(condition.counter) - (0 if condition.including_present else 1)
    before = _unlike(condition.counter, present, *condition_polys(condition.condition))
    e = Poly.of(before)
    inner = substitute_condition(condition.condition, {condition.counter: e})
    return Exists(
        before, conjunction(nonnegative(e), nonnegative(present - e), inner), condition.negated
    )


def _hold(values: Mapping[Atom, Poly], symbol: Symbol) -> bool:
    return any(symbol in symbols(value) for value in values.values())


def _apart(
    counter: Symbol, inner: Condition, values: Mapping[Atom, Poly]
) -> tuple[Symbol, Condition]:
    """A bound counter under a name that none of the values holds."""
    if not _hold(values, counter):
        return counter, inner
    other = _unlike(counter, *values.values(), *condition_polys(inner))
    return other, substitute_condition(inner, {counter: Poly.of(other)})


def _unlike(counter: Symbol, *polys: Poly) -> Symbol:
    """A counter with a name that the polynomials do not hold."""
    used = {symbol for poly in polys for symbol in symbols(poly)} | {counter}
    while counter in used:
        counter = Symbol(f"{counter.name}'", counter.role)
    return counter


@remembered
def is_nonnegative(poly: Poly) -> bool:
    """Whether no term can be negative, sizes and indices being 0 or more; False if unsure."""
    return _terms_nonnegative(poly) or _terms_nonnegative(_lowered(poly))


def _terms_nonnegative(poly: Poly) -> bool:
    return all(
        coefficient > 0 and all(power % 2 == 0 or _atom_nonnegative(a) for a, power in monomial)
        for monomial, coefficient in poly.terms.items()
    )


def _lowered(poly: Poly) -> Poly:
    """The polynomial or less: with floor((n - 1)/b), which is -1 at least, as -1."""
    lowered = ZERO
    for monomial, coefficient in poly.terms.items():
        term = Poly({monomial: coefficient})
        for atom, exponent in monomial if coefficient > 0 else ():
            if exponent != 1 or not isinstance(atom, Floor):
                continue
            least = atom.numerator.constant_term
            positive = is_nonnegative(atom.numerator - least) and is_nonnegative(atom.denominator)
            if isinstance(least, int) and least < 0 and positive:
                rest = tuple(factor for factor in monomial if factor[0] != atom)
                divisor = atom.denominator.integer or 1
                term = Poly({rest: coefficient}) * (least // divisor)
                break
        lowered = lowered + term
    return lowered


def _atom_nonnegative(atom: Atom) -> bool:
    match atom:
        case Symbol():
            return True
        case Floor() | Quotient():
            return is_nonnegative(atom.numerator) and is_nonnegative(atom.denominator)
        case Extremum():
            sides = [is_nonnegative(atom.left), is_nonnegative(atom.right)]
            return any(sides) if atom.largest else all(sides)
        case Select():
            return is_nonnegative(atom.then) and is_nonnegative(atom.otherwise)
        case Bits():
            return is_nonnegative(atom.left) and is_nonnegative(atom.right)
    return True


def product(polys: Iterator[Poly] | tuple[Poly, ...] | list[Poly]) -> Poly:
    """The product of polynomials; 1 for none."""
    result = ONE
    for poly in polys:
        result = result * poly
    return result
