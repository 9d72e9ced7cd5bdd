"""What pycparser cannot read, said in sentences at the user's own place."""

from __future__ import annotations

import pytest

from estimator.parse.parser import lost_kernels, parse
from estimator.parse.reasons import sentence
from estimator.simplify.simplify import simplify
from estimator.source.position import PositionMap, SourceFile
from estimator.source.preprocess import PreprocessedUnit

GOOD = "__global__ void good(float *x) { x[0] = 1; }\n"


def _messages(text: str) -> list[str]:
    positions = PositionMap()
    positions.add(0, SourceFile("k.cu", text), 0, verbatim=True)
    unit = parse(simplify(PreprocessedUnit("k.cu", text, positions, ())))
    assert [kernel.name for kernel in unit.kernels] == ["good"]
    assert len(lost_kernels(unit)) == 1
    return [
        f"{one.position.line}:{one.position.column} {one.code.id} {one.message}"
        for one in dict.fromkeys(unit.diagnostics)
    ]


FILES = {
    "member of a structure": (
        "struct A { mine_t q; int n; };\n__global__ void b(A s, float *x) { x[0] = s.n; }\n",
        "2:12 K204 'mine_t' is not known as a type",
    ),
    "parameter": (
        "__global__ void b(mine_t *x) { x[0] = 1; }\n",
        "2:19 K204 'mine_t' is not known as a type",
    ),
    "result": (
        "__global__ MINE b(float *x) { x[0] = 1; }\n",
        "2:12 K204 'MINE' is not known as a type",
    ),
    "something in front": (
        "__global__ void b(float *x) { float y = f<3>(x[0]) {}; x[0] = y; }\n",
        "2:52 K201 '{' is not expected here; something in front of it is missing",
    ),
}


@pytest.mark.parametrize(("source", "message"), FILES.values(), ids=FILES)
def test_only_what_is_wrong_is_lost(source: str, message: str) -> None:
    assert _messages(GOOD + source) == [message]


SENTENCES = {
    "Missing type in declaration": "the type is missing in this declaration",
    "Invalid expression": "this expression cannot be read",
    "before: }": "'}' is not expected here; something in front of it is missing",
    "At end of input": "the end of this declaration is missing",
    "Typedef 'a' previously declared as non-typedef in this scope": (
        "'a' is a type and the name of something else"
    ),
    "Something new": "this line cannot be read (something new)",
}


@pytest.mark.parametrize(("reason", "text"), SENTENCES.items())
def test_sentences(reason: str, text: str) -> None:
    assert sentence(reason) == text
