"""Text in → simplified text out, for the tests of the rules."""

from __future__ import annotations

import re

from estimator.grammars.types import TYPE_NAMES
from pycparser import c_ast
from pycparser.c_parser import CParser

from estimator.parse.c11 import INFERRED, in_c11
from estimator.simplify.simplify import simplify
from estimator.simplify.unit import SimplifiedUnit
from estimator.source.codes import UNKNOWN_MACRO
from estimator.source.position import PositionMap, SourceFile
from estimator.source.preprocess import PreprocessedUnit

_TYPES = "".join(f"typedef int {name};\n" for name in sorted({*TYPE_NAMES, INFERRED}))


def simplified(text: str) -> SimplifiedUnit:
    """The unit for a file `k.cu` with this text, which is not preprocessed."""
    positions = PositionMap()
    positions.add(0, SourceFile("k.cu", text), 0, verbatim=True)
    return simplify(PreprocessedUnit("k.cu", text, positions, ()))


def output(text: str) -> str:
    """The simplified text of a file that loses nothing, which pycparser must read."""
    unit = simplified(text)
    assert not [one for one in unit.diagnostics if one.code is not UNKNOWN_MACRO]
    parse(unit)
    return unit.text.rstrip("\n")


def parse(unit: SimplifiedUnit) -> c_ast.FileAST:
    named = sorted(set(re.findall(r"\b(?:wmma__fragment|texture)__\w+", unit.text)))
    types = _TYPES + "".join(f"typedef int {name};\n" for name in named)
    return CParser().parse(types + in_c11(unit.text))


def item(text: str, name: str) -> str:
    """The text of one item."""
    unit = simplified(text)
    parse(unit)
    return next(unit.text[one.start : one.end] for one in unit.items if one.name == name)


def statement(text: str, before: str = "") -> str:
    """What becomes of a statement in a kernel `k(float *x, int n)`."""
    source = f"{before}\n__global__ void k(float *x, int n)\n{{\n{text}\n}}\n"
    kernel = item(source, "k")
    return kernel[kernel.index("{\n") + 2 : kernel.rindex("\n}")]


def messages(text: str) -> list[str]:
    """The diagnostics as `line:column code message`."""
    return [
        f"{one.position.line}:{one.position.column} {one.code.id} {one.message}"
        for one in simplified(text).diagnostics
    ]


def names(text: str) -> list[str]:
    """The names of the items, in order."""
    return [one.name for one in simplified(text).items]
