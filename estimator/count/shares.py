"""Names for what sets cannot say: trip counts, and the shares in which conditions hold.

The same condition has the same name wherever it stands, and its opposite 1 less that share.
"""

from __future__ import annotations

from estimator.algebra.atoms import Role, Symbol
from estimator.algebra.condition import Condition, Junction, Truth, conjunction, negate
from estimator.algebra.poly import ONE, ZERO, Poly
from estimator.count.longest import most_iterations
from estimator.ir.kernel import KernelIR, UnknownInfo
from estimator.source.position import Position

_LONGEST_TEXT = 100


class Shares:
    """The unknowns of one kernel that counting brought up."""

    def __init__(self, kernel: KernelIR) -> None:
        self.kernel = kernel
        self._named: dict[tuple[str, str], Symbol] = {}

    def trips(self, part: Condition, counter: Symbol | None = None) -> Poly:
        """The iterations of a loop that a condition ends, those of `counter` if it is known."""
        shown = self._text(part)
        meaning = "iterations of a loop whose bounds are no linear function of its indices"
        upper = None if counter is None else most_iterations(part, counter)
        return self._unknown("trips", part, f"{meaning}{': ' if shown else ''}{shown}", upper)

    def share(self, *parts: Condition) -> Poly:
        """The share of the cases in which all of the parts hold."""
        condition = conjunction(*parts)
        opposite = negate(condition)
        if ("p", opposite.key) in self._named:
            return 1 - Poly.of(self._named["p", opposite.key])
        if self._text(opposite) and not self._text(condition):
            return 1 - self._share(opposite)
        return self._share(condition)

    def _share(self, condition: Condition) -> Poly:
        shown = self._text(condition) or "a condition"
        meaning = f"share of the cases in which {shown} holds (not linear in the indices)"
        return self._unknown("p", condition, meaning, ONE)

    def _text(self, condition: Condition) -> str:
        """The condition as the source has it; empty if it does not stand there as it is."""
        known = self.kernel.condition_texts.get(condition.key)
        if known is None and isinstance(condition, Junction):
            texts = [self._text(part) for part in condition.parts]
            known = (" && " if condition.every else " || ").join(texts) if all(texts) else None
        known = known or ""
        return known if len(known) <= _LONGEST_TEXT else f"{known[:_LONGEST_TEXT]}…"

    def _unknown(self, prefix: str, condition: Condition, meaning: str, upper: Poly | None) -> Poly:
        symbol = self._named.get((prefix, condition.key))
        if symbol is None:
            line = line_of(condition) or self.kernel.position.line
            symbol = self._fresh(prefix, line)
            self._named[prefix, condition.key] = symbol
            position = Position(self.kernel.position.path, line, 1)
            self.kernel.unknowns[symbol] = UnknownInfo(symbol, position, meaning, ZERO, upper)
        return Poly.of(symbol)

    def _fresh(self, prefix: str, line: int) -> Symbol:
        """A name that no other unknown has: `p@12`, `p@12.2`, …"""
        name, count = f"{prefix}@{line}", 1
        while Symbol(name, Role.UNKNOWN) in self.kernel.unknowns:
            count += 1
            name = f"{prefix}@{line}.{count}"
        return Symbol(name, Role.UNKNOWN)


def parts_of(condition: Condition) -> list[Condition]:
    """The parts of a conjunction."""
    if isinstance(condition, Junction) and condition.every:
        return list(condition.parts)
    if isinstance(condition, Truth) and condition.value:
        return []
    return [condition]


def line_of(condition: Condition) -> int:
    """The source line that a condition came from; 0 if unknown."""
    if isinstance(condition, Junction):
        return next((line for part in condition.parts if (line := line_of(part))), 0)
    return getattr(condition, "line", 0) or (
        line_of(condition.condition) if hasattr(condition, "condition") else 0
    )
