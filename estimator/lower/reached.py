"""Which variables a piece of code may change, through pointers and members too."""

from __future__ import annotations

from estimator.ir.kernel import ArrayObject
from estimator.lower.machine import Machine
from estimator.lower.places import forget
from estimator.lower.values import (
    FieldPlace,
    PointerValue,
    StructValue,
    Value,
    Variable,
    VariablePlace,
)


def changed_variables(m: Machine, names: set[str], through: set[str]) -> list[Variable]:
    """The variables in scope that code may change; arrays it changes are forgotten."""
    found: list[Variable] = []
    for name in sorted(names | through):
        variable = m.lookup(name)
        if not isinstance(variable, Variable):
            continue
        variable = _root(m, variable)
        if variable is None:
            continue
        value = m.store.get(variable)
        _reached(m, value, found)
        if value is not None and variable not in found and name in names:
            found.append(variable)
    return found


def _root(m: Machine, variable: Variable) -> Variable | None:
    """The variable that a name's place is a part of; None for a place in memory."""
    place = m.aliases.get(variable)
    while isinstance(place, FieldPlace):
        place = place.base
    if place is None:
        return variable
    return place.variable if isinstance(place, VariablePlace) else None


def _reached(m: Machine, value: Value | None, found: list[Variable]) -> None:
    """Add the variables that a value's pointers lead to; forget the arrays."""
    if isinstance(value, StructValue):
        for member in value.fields.values():
            _reached(m, member, found)
    elif isinstance(value, PointerValue):
        if isinstance(value.base, ArrayObject):
            forget(m, value.base)
            return
        variable = _root(m, value.base)
        if variable is not None and variable not in found:
            found.append(variable)
            _reached(m, m.store.get(variable), found)
