"""Whether the values that unknowns were given can be: those between the unknowns' bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from estimator.algebra.evaluate import Undecided, evaluate
from estimator.algebra.poly import Poly
from estimator.ir.kernel import KernelIR, UnknownInfo
from estimator.report.units import exact
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose

Number = int | Fraction


def beyond_bounds(
    kernel: KernelIR, given: Iterable[str], values: Mapping[str, Number]
) -> Diagnostic | None:
    """The first of the unknowns in `given` whose value is out of its bounds, as far as these are
    numbers at the `values` of sizes and unknowns, by symbol name.

    Only for a kernel that was reported on: counting gives some unknowns their bounds.
    """
    wanted = set(given)
    for info in kernel.unknowns.values():
        name = info.symbol.name
        if wanted.isdisjoint((name, info.symbol.identifier)) or name not in values:
            continue
        why = _limit(info, values)
        if why is not None:
            message = f"{name}={_text(values[name])}: in {kernel.name} it is {why}"
            return diagnose(codes.UNKNOWN_OUT_OF_RANGE, info.position, message)
    return None


def _limit(info: UnknownInfo, values: Mapping[str, Number]) -> str | None:
    """The bound that the value is beyond, in words."""
    value = values[info.symbol.name]
    lower, upper = _number(info.lower, values), _number(info.upper, values)
    if upper is not None and value > upper:
        return f"at most {_text(upper)}"
    # Where there is nothing to count, a bound of at least 1 does not hold.
    if lower is not None and value < (lower if upper is None else min(lower, upper)):
        return f"at least {_text(lower)}"
    others = [other.name for other in info.others if other.name in values]
    rest = 1 - sum(values[name] for name in others)
    if others and value > rest:
        taken = ", ".join(f"{name} = {_text(values[name])}" for name in others)
        return f"at most {_text(max(rest, 0))} beside {taken}: together they are at most 1"
    return None


def _number(bound: Poly | None, values: Mapping[str, Number]) -> Number | None:
    if bound is None:
        return None
    try:
        return evaluate(bound, values)
    except (Undecided, KeyError, ZeroDivisionError, OverflowError):
        return None


def _text(value: Number) -> str:
    return exact(Fraction(value))
