"""Getting a parsed unit: from simplified CUDA C written by hand."""

from __future__ import annotations

from estimator.parse.parser import parse
from estimator.parse.unit import Unit
from estimator.simplify.unit import SimplifiedUnit
from estimator.source.position import PositionMap, SourceFile


def unit_of_simplified(text: str, path: str = "kernel.cu") -> Unit:
    """The unit of a simplified text, whose positions are its own."""
    positions = PositionMap()
    positions.add(0, SourceFile(path, text), 0, verbatim=True)
    return parse(SimplifiedUnit(path, text, positions, (), (), ()))
