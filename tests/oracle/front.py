"""Getting a parsed unit: from a CUDA file, or from simplified CUDA C written by hand."""

from __future__ import annotations

from pathlib import Path

from estimator.parse.parser import parse
from estimator.parse.unit import Unit
from estimator.simplify.simplify import simplify
from estimator.simplify.unit import SimplifiedUnit
from estimator.source.position import PositionMap, SourceFile
from estimator.source.preprocess import preprocess
from estimator.source.read import read_source


def unit_of_file(path: Path) -> Unit:
    """The unit of a CUDA file, through the whole front end."""
    return parse(simplify(preprocess(read_source(str(path)))))


def unit_of_simplified(text: str, path: str = "kernel.cu") -> Unit:
    """The unit of a simplified text, whose positions are its own."""
    positions = PositionMap()
    positions.add(0, SourceFile(path, text), 0, verbatim=True)
    return parse(SimplifiedUnit(path, text, positions, (), (), (), ()))
