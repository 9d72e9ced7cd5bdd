"""Parameters that choose between variants of a kernel: `mode` of a `switch (mode)`.

No size is large in such a parameter; a report follows one of its values and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Compare, Condition, Earlier, Exists, Junction, Relation
from estimator.algebra.walk import condition_symbols, symbols
from estimator.count.specialize import specialized
from estimator.immutable import immutable
from estimator.ir.kernel import KernelIR

# Values tried for one parameter: a switch over more of them is followed at one of the first.
_MOST_TRIED = 32


@immutable()
class Selector:
    """A parameter that is only compared with constants: `constants`, first at `line`."""

    symbol: Symbol
    constants: tuple[int, ...]
    line: int

    @property
    def other(self) -> int:
        """A value that is none of the constants."""
        return next(n for n in range(1, len(self.constants) + 2) if n not in self.constants)


def selectors(kernel: KernelIR) -> list[Selector]:
    """The parameters of a kernel that are compared with constants and used for nothing else, or
    without whose constants nothing is ever done."""
    constants: dict[Symbol, dict[int, int]] = {}
    barred: set[Symbol] = set()
    for extent in (*kernel.launch.grid, *kernel.launch.block):
        barred |= symbols(extent)
    for access in kernel.accesses:
        barred |= symbols(access.offset)
    for domain in {id(d): d for d in kernel.domains()}.values():
        for piece in domain.pieces:
            barred |= symbols(piece.weight)
            for part in _parts(piece.condition):
                compared = _comparison(part)
                if compared is None:
                    barred |= condition_symbols(part)
                else:
                    symbol, value, line = compared
                    constants.setdefault(symbol, {}).setdefault(value, line)
    found = [
        Selector(symbol, tuple(values), min(values.values()))
        for symbol, values in sorted(constants.items(), key=lambda item: item[0].name)
    ]
    return [one for one in found if one.symbol not in barred or _does_nothing_else(kernel, one)]


def _does_nothing_else(kernel: KernelIR, selector: Selector) -> bool:
    """Whether a kernel is there for the constants only: `if (width == 64)` around all of it."""
    return _live(kernel, {selector.symbol.name: selector.other}) == (0, 0)


def _parts(condition: Condition) -> Iterator[Condition]:
    if isinstance(condition, Junction):
        for part in condition.parts:
            yield from _parts(part)
    elif isinstance(condition, (Earlier, Exists)):
        yield from _parts(condition.condition)
    else:
        yield condition


def _comparison(part: Condition) -> tuple[Symbol, int, int] | None:
    """The parameter, constant and line of `parameter == constant` or its opposite."""
    if not isinstance(part, Compare) or part.relation is Relation.NONNEGATIVE or not part.line:
        return None
    powers = {monomial: value for monomial, value in part.poly.terms.items() if monomial}
    if len(powers) != 1:
        return None
    ((monomial, factor),) = powers.items()
    ((atom, exponent), *rest) = monomial
    if rest or exponent != 1 or not isinstance(atom, Symbol):
        return None
    if atom.role not in (Role.PARAMETER, Role.UNIFORM) or factor not in (1, -1):
        return None
    value = -part.poly.terms.get((), 0) * factor
    return (atom, int(value), part.line) if value == int(value) else None


def choose(
    kernel: KernelIR, found: list[Selector], launched: Mapping[str, int]
) -> list[tuple[str, int, str]]:
    """A value for each selector, and what to say of it.

    It is the launch's where that is known, else the one with which most happens.
    """
    chosen: list[tuple[str, int, str]] = []
    for selector in found:
        name = selector.symbol.name
        if name in launched:
            value = launched[name]
            message = f"{name} = {value}, as launched"
        else:
            value = _busiest(kernel, selector)
            shown = f"{name} = {value}"
            if value == selector.other:
                shown = " and ".join(f"{name} != {number}" for number in selector.constants)
            message = f"{shown} (line {selector.line}); -D {name}=VALUE gives the others"
        chosen.append((name, value, message))
        kernel = specialized(kernel, {name: value})
    return chosen


def _busiest(kernel: KernelIR, selector: Selector) -> int:
    """The value with which most of the code runs; what a flag turns on, if that is equal."""
    values = [*selector.constants[:_MOST_TRIED], selector.other]
    if selector.constants == (0,):
        values.reverse()
    return max(values, key=lambda value: _live(kernel, {selector.symbol.name: value}))


def _live(kernel: KernelIR, values: Mapping[str, int]) -> tuple[int, int]:
    """How many operations and how many accesses are ever executed."""
    at = specialized(kernel, values)
    return (
        sum(bool(operation.domain.pieces) for operation in at.operations),
        sum(bool(access.domain.pieces) for access in at.accesses),
    )
