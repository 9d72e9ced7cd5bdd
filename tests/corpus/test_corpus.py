"""The generated corpus: everything is answered, and layout changes nothing but positions."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from oracle.generate import kernels
from oracle.writer import Writer

from corpus.compare import analysed, counts, same, token_at, told
from corpus.constructs import CONSTRUCTS, REFUSED
from corpus.draws import RandomWriter, style_of, writers
from corpus.layout import Style, lay_out, plain
from corpus.programs import Program, program
from corpus.tokens import tokens_of
from corpus.write import text_of
from estimator.options import Options
from estimator.source.codes import SYNTAX

EXAMPLES = settings(
    max_examples=int(os.environ.get("KCOST_EXAMPLES", "40")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture(autouse=True)
def _no_faults_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KCOST_DEBUG", "1")


def check_layout(made: Program, style: Style, options: Options | None = None) -> None:
    """A layout gives what the plain one gives, at the same tokens."""
    tokens = tokens_of(made.text)
    before, after = plain(tokens), lay_out(tokens, style, made.local_names)
    with tempfile.TemporaryDirectory() as folder:
        expected = analysed(before, Path(folder), options)
        found = analysed(after, Path(folder), options)
    assert same(told(expected, before, after.groups), told(found, after, after.groups)), after.text
    if any(diagnostic.code is SYNTAX for diagnostic in expected.diagnostics):
        return
    assert [k.name for k in found.kernels] == [k.name for k in expected.kernels], after.text
    for one, other in zip(expected.kernels, found.kernels, strict=True):
        assert counts(other, after.names) == counts(one, {}), after.text
        place = token_at(other.position, after, after.groups)
        assert place == token_at(one.position, before, after.groups)
        assert tokens[place].text in made.kernels


@EXAMPLES
@given(writers())
def test_layout_keeps_counts_and_places(writer: Writer) -> None:
    made = program(writer)
    check_layout(made, style_of(writer))


@EXAMPLES
@given(writers())
def test_layout_keeps_the_places_of_diagnostics(writer: Writer) -> None:
    made = program(writer, refused=True)
    check_layout(made, style_of(writer))


@EXAMPLES
@given(kernels(), writers())
def test_layout_keeps_the_counts_of_what_the_oracle_can_run(generated, writer: Writer) -> None:
    made = Program(generated.source, ("k",), ("s", "d"))
    options = Options(launches=(generated.launch,), values=generated.values)
    check_layout(made, style_of(writer), options)


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda c: c.statement[:40])
def test_every_construct_is_analysed(construct, tmp_path: Path) -> None:
    laid = plain(tokens_of(text_with(construct)))
    report = analysed(laid, tmp_path)
    assert [d for d in report.diagnostics if d.code.severity.value == "error"] == []
    assert [kernel.name for kernel in report.kernels] == ["k"]


@pytest.mark.parametrize("construct", REFUSED, ids=lambda c: c.statement[:40])
def test_what_is_refused_is_told_at_its_place(construct, tmp_path: Path) -> None:
    laid = plain(tokens_of(text_with(construct)))
    report = analysed(laid, tmp_path)
    (diagnostic,) = report.diagnostics
    assert token_at(diagnostic.position, laid, laid.groups) >= 0
    assert not report.kernels or diagnostic.code.severity.value == "warning"


def text_with(construct) -> str:
    items, statement = construct.items.replace("@", "1"), construct.statement.replace("@", "1")
    return (
        f"{items}\n__global__ void k(float *a, const float *b, int N)\n{{\n    int i = threadIdx.x;\n"
        f"    float s = 0.0f;\n    {statement}\n    a[i] = s;\n}}\n"
    )


def test_a_corpus_is_the_same_each_time(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).parent / "write.py"), str(tmp_path)]
    subprocess.run([*command, "--count", "5", "--seed", "3"], check=True)
    files = sorted(tmp_path.iterdir())
    assert [file.read_bytes() for file in files] == [text_of(3, index) for index in range(5)]


def test_a_written_style_differs_by_seed() -> None:
    from random import Random

    assert len({style_of(RandomWriter(Random(seed))) for seed in range(10)}) > 5
