"""CUDA C++ to simplified CUDA C: the room's entry point."""

from __future__ import annotations

import re

from estimator.simplify.assemble import Assembly
from estimator.simplify.declare import declare
from estimator.simplify.launches import add_launches
from estimator.simplify.names import WORDS
from estimator.simplify.program import Failed, Program
from estimator.simplify.read import read
from estimator.simplify.requests import request_kernels, request_open_kernels
from estimator.simplify.rules import RULES
from estimator.simplify.tree import Damage, Tree
from estimator.simplify.unit import ItemKind, LostItem, SimplifiedUnit
from estimator.source.codes import SYNTAX
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.preprocess import PreprocessedUnit

_HEADER = re.compile(r"\b__(global|device)__\b")
_BOUNDS = re.compile(r"__launch_bounds__\s*\([^()]*\)")
_DECLARED = re.compile(
    r"(?:__launch_bounds__\s*\([^()]*\)\s*)?\b([A-Za-z_]\w*)\s*(?:<[^<>;{}()]*>\s*)?\("
)


def simplify(unit: PreprocessedUnit) -> SimplifiedUnit:
    """The unit in simplified CUDA C: its kernels, what they need, and its launches.

    Never raises for any text. What cannot be simplified is in `lost`, with a diagnostic.
    """
    tree = read(unit.text, RULES)
    symbols = declare(tree)
    tree.list_words(symbols.names() | WORDS.keys())
    program = Program(tree, symbols, RULES)
    request_kernels(program)
    program.drain()
    warnings = add_launches(program, unit.positions)
    program.drain()
    request_open_kernels(program)
    program.drain()
    assembly = Assembly(unit.positions)
    for made in sorted(program.made, key=lambda made: made.order):
        assembly.add(made)
    lost = [_lost(failed, unit) for failed in sorted(program.failed, key=lambda one: one.order)]
    lost += [item for damage in tree.damages if (item := _damaged(damage, tree, unit)) is not None]
    found = dict.fromkeys((*(item.diagnostic for item in lost), *warnings))
    return SimplifiedUnit(
        path=unit.path,
        text=assembly.text(),
        positions=assembly.positions,
        items=tuple(assembly.items),
        lost=tuple(lost),
        diagnostics=(*unit.diagnostics, *found),
    )


def _lost(failed: Failed, unit: PreprocessedUnit) -> LostItem:
    why = failed.why
    position = unit.positions.position(why.offset)
    return LostItem(failed.kind, failed.name, diagnose(why.code, position, why.message))


def _damaged(damage: Damage, tree: Tree, unit: PreprocessedUnit) -> LostItem | None:
    """The item that a syntax error made unreadable, if a kernel could need it."""
    text = tree.parsed[damage.start : damage.end]
    qualifier = _HEADER.search(text)
    if qualifier is None:
        return None
    kind = ItemKind.KERNEL if qualifier.group(1) == "global" else ItemKind.FUNCTION
    named = _DECLARED.search(_BOUNDS.sub("", text[qualifier.end() :]))
    name = named.group(1) if named is not None else "?"
    diagnostic: Diagnostic = diagnose(
        SYNTAX, unit.positions.position(damage.offset), "syntax error"
    )
    return LostItem(kind, name, diagnostic)
