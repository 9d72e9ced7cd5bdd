"""Which variables a piece of code may change, through pointers and members too."""

from __future__ import annotations

from estimator.ir.kernel import ArrayObject
from estimator.lower.cells import forget, pointers_held
from estimator.lower.machine import CellKey, Machine
from estimator.lower.values import (
    ChoicePlace,
    FieldPlace,
    PartPlace,
    Place,
    PointerValue,
    StructValue,
    Value,
    Variable,
    VariablePlace,
)


def changed_variables(m: Machine, names: set[str], through: set[str]) -> list[CellKey]:
    """The variables in scope that code may change, and the pointers in arrays; what else the
    arrays hold is forgotten."""
    found: list[CellKey] = []
    for name in sorted(names | through):
        variable = m.lookup(name)
        if not isinstance(variable, Variable):
            continue
        for root in _roots(m, variable):
            value = m.store.get(root)
            _reached(m, value, found)
            if value is not None and root not in found and name in names:
                found.append(root)
    return [key for key in found if key in m.store or not isinstance(key, tuple)]


def _roots(m: Machine, variable: Variable) -> list[Variable]:
    """The variables that a name's place is a part of; none for a place in memory."""
    place = m.aliases.get(variable)
    return [variable] if place is None else _held_in(place)


def _held_in(place: Place) -> list[Variable]:
    match place:
        case VariablePlace(variable):
            return [variable]
        case FieldPlace(base, _, _) | PartPlace(base, _, _):
            return _held_in(base)
        case ChoicePlace(_, one, other):
            return [*_held_in(one), *_held_in(other)]
    return []


def _reached(m: Machine, value: Value | None, found: list[CellKey]) -> None:
    """Add the variables that a value's pointers lead to, and pointers in arrays; forget the rest
    of these."""
    if isinstance(value, StructValue):
        for member in value.fields.values():
            _reached(m, member, found)
    elif isinstance(value, PointerValue):
        if isinstance(value.base, ArrayObject):
            cells = pointers_held(m, value.base)
            forget(m, value.base)
            m.store.update(cells)
            for key, pointer in cells.items():
                if key not in found:
                    found.append(key)
                    _reached(m, pointer, found)
            for way in m.choices[value.base][1:] if value.base in m.choices else ():
                _reached(m, way, found)
            return
        for root in _roots(m, value.base):
            if root not in found:
                found.append(root)
                _reached(m, m.store.get(root), found)
