"""CUDA C++ to simplified CUDA C: the room's entry point."""

from __future__ import annotations

import re

from estimator.simplify.assemble import Assembly
from estimator.simplify.declare import declare
from estimator.simplify.distinct import with_distinct_names
from estimator.simplify.faults import damaged_item
from estimator.simplify.functions import kernel_name
from estimator.simplify.launches import add_launches
from estimator.simplify.localaliases import alias_names
from estimator.simplify.names import WORDS
from estimator.simplify.ordering import ordered
from estimator.simplify.program import Program
from estimator.simplify.read import read
from estimator.simplify.requests import (
    report_faults,
    report_unfound,
    request_kernels,
    request_open_kernels,
)
from estimator.simplify.rules import rules_for
from estimator.simplify.shown import spoken_functions, written_types
from estimator.simplify.standard import with_standard
from estimator.simplify.unit import ItemKind, LostItem, SimplifiedUnit
from estimator.source.codes import SYNTAX, UNKNOWN_MACRO
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.preprocess import PreprocessedUnit


def simplify(unit: PreprocessedUnit) -> SimplifiedUnit:
    """The unit in simplified CUDA C: its kernels, what they need, and its launches.

    Never raises for any text. What cannot be simplified is in `lost`, with a diagnostic.
    """
    unit = with_standard(unit)
    rules = rules_for(unit.text)
    tree = read(unit.text, rules)
    symbols = declare(tree)
    unit, written = with_distinct_names(unit, tree, symbols)
    if written:
        tree = read(unit.text, rules)
        symbols = declare(tree)
        symbols.written.update(written)
    symbols.local_aliases.update(alias_names(tree))
    program = Program(tree, symbols, rules)
    tree.list_words(symbols.names() | WORDS.keys() | program.libraries.words.keys())
    request_kernels(program)
    program.drain()
    warnings = add_launches(program, unit.positions)
    program.drain()
    request_open_kernels(program)
    program.drain()
    report_faults(program)
    report_unfound(program)
    assembly = Assembly(unit.positions)
    unmade = {failed.name for failed in program.failed}
    constants = {name: enum.name for name, enum in symbols.constants.items()}
    for made in ordered(program.made, constants):
        if made.kernel not in unmade:
            assembly.add(made)
    lost, found = _lost_items(program, unit)
    return SimplifiedUnit(
        path=unit.path,
        text=assembly.text(),
        positions=assembly.positions,
        items=tuple(assembly.items),
        lost=tuple(lost),
        launch_warnings=tuple(warnings),
        diagnostics=(
            *unit.diagnostics,
            *_left_out(program, unit),
            *dict.fromkeys((*found, *(warning.diagnostic for warning in warnings))),
        ),
        written=written_types(program),
        functions=spoken_functions(program),
    )


def _left_out(program: Program, unit: PreprocessedUnit) -> list[Diagnostic]:
    """A warning for each macro that is not known and was left out of a kernel's header."""
    found: dict[str, Diagnostic] = {}
    for at in program.tree.left_out:
        name = re.match(r"\w*", unit.text[at : at + 200])
        word = name.group() if name is not None else ""
        message = f"'{word}' is not known; the kernel is read without it"
        found.setdefault(word, diagnose(UNKNOWN_MACRO, unit.positions.position(at), message))
    return list(found.values())


def _lost_items(
    program: Program, unit: PreprocessedUnit
) -> tuple[list[LostItem], list[Diagnostic]]:
    """The lost items, and the diagnostics to show: those of host code say nothing of a kernel."""
    lost: list[LostItem] = []
    found: list[Diagnostic] = []
    kernels = {
        one.name: kernel_name(one) for one in program.instances.values() if one.owner is None
    }
    for failed in sorted(program.failed, key=lambda failed: failed.order):
        why = failed.why
        message = why.message.replace("std__", "std::")
        diagnostic = diagnose(why.code, unit.positions.position(why.offset), message)
        path = unit.positions.position(failed.order).path
        shown = kernels.get(failed.name, failed.name)
        lost.append(LostItem(failed.kind, failed.name, diagnostic, path, shown))
        if not failed.is_host:
            found.append(diagnostic)
    for damage in program.tree.damages:
        item = damaged_item(damage, program.tree)
        if item is not None:
            fault = damage.fault
            diagnostic = diagnose(SYNTAX, unit.positions.position(fault.offset), fault.message)
            lost.append(LostItem(*item, diagnostic))
            if item[0] is not ItemKind.TYPE:  # most types are the host's own
                found.append(diagnostic)
    return lost, found
