"""Types that were assumed for a template, where they are too simple for what is done with them."""

from __future__ import annotations

import re

from pycparser import c_ast

from estimator.lower.machine import Machine
from estimator.lower.wording import source_text
from estimator.parse.attributes import string_argument
from estimator.source import codes
from estimator.source.diagnostics import InputError


def no_members(m: Machine, node: c_ast.StructRef) -> InputError:
    """Why `a.x` has no meaning: `a` is of a type that nothing says, or has no members."""
    shown = source_text(m, node.name)
    assumed = string_argument(m.frames[0].function.attributes.get("assumed")) if m.frames else ""
    names = [one.partition(" =")[0] for one in assumed.split(", ") if one]
    if not names:
        message = f"{shown} has no members that are known"
        return m.fail(codes.UNSUPPORTED, node, message)
    declared = _declared_as(m, node, names)
    if declared:
        message = f"what '{declared}' stands for is not known, and '{shown}' depends on it"
    else:
        message = f"'{shown}' has no members where {assumed}, as nothing says what these stand for"
    return m.fail(codes.TEMPLATE, node, message)


def _declared_as(m: Machine, node: c_ast.StructRef, names: list[str]) -> str:
    """The one of the assumed types that the source declares the variable with."""
    variable = node.name
    while not isinstance(variable, c_ast.ID) and variable is not None:
        variable = next((child for _, child in variable.children()), None)
    if variable is None:
        return ""
    offset = m.unit.offset(node)
    segment = m.unit.source.positions.segment_at(offset)
    end = segment.source_offset + (offset - segment.start if segment.verbatim else 0)
    types = "|".join(map(re.escape, names))
    name = re.escape(variable.name)
    pattern = re.compile(rf"\b({types})\b(?:\s*(?:const\b|[&*]|__restrict__\b))*\s*\b{name}\b")
    found = pattern.findall(segment.file.text, 0, end)
    return str(found[-1]) if found else ""
