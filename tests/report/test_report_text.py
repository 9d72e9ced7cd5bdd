"""The readable formats, against golden files and at narrow widths."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from handmade import N, count, dot, hash_int, judged, matmul, spmv, valued, vector_add

from estimator.report import hint, latex, markdown, text
from estimator.report.document import Column, Table
from estimator.report.model import FileReport, KernelReport, Report
from estimator.report.plain import wrap
from estimator.source import codes
from estimator.source.diagnostics import diagnose
from estimator.source.position import Position

Golden = Callable[[str, str], None]


def report(*kernels: KernelReport, problems: bool = False) -> Report:
    found = (
        diagnose(codes.SYNTAX, Position("a.cu", 7, 3), "this line is no C"),
        diagnose(codes.HEADER_NOT_FOUND, Position("a.cu", 1, 10), "mine.h is nowhere"),
    )
    return Report((FileReport("a.cu", tuple(kernels), found if problems else ()),))


EVERYTHING = report(
    judged(matmul(), "l40s", "h100-sxm"),
    judged(dot(), "l40s"),
    judged(spmv(), "l40s"),
    judged(hash_int(), "l40s"),
    vector_add(),
    problems=True,
)
WITH_VALUES = report(
    judged(valued(matmul(), N=4096), "l40s", "h100-sxm", N=4096),
    judged(valued(vector_add(), N=10**8), "l40s", N=10**8),
)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("everything.txt", lambda: text.render(EVERYTHING)),
        ("values.txt", lambda: text.render(WITH_VALUES)),
        ("exact.txt", lambda: text.render(report(matmul()), exact=True)),
        ("ascii.txt", lambda: text.render(EVERYTHING, unicode=False)),
        ("everything.md", lambda: markdown.render(EVERYTHING)),
        ("values.tex", lambda: latex.render(WITH_VALUES)),
        ("everything.hint", lambda: hint.render(EVERYTHING)),
        ("styled.ansi", lambda: text.render(WITH_VALUES, styled=True)),
    ],
)
def test_golden(golden: Golden, name: str, made: Callable[[], str]) -> None:
    golden(name, made())


@pytest.mark.parametrize("styled", [False, True])
@pytest.mark.parametrize("found", [EVERYTHING, WITH_VALUES])
def test_fits_80_columns(found: Report, styled: bool) -> None:
    shown = text.render(found, styled=styled)
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).split("\n")
    assert max(len(line) for line in lines) <= 80
    assert styled or not any(line.endswith(" ") for line in lines)


def test_numbers_stay_whole_in_narrow_terminals() -> None:
    for width in (40, 60):
        shown = text.render(WITH_VALUES, width=width)
        for number in ("137,438,953,472", "201,326,592", "1,200,000,000"):
            assert number in shown


def test_plain_text_has_neither_codes_nor_rules_and_styled_text_can_lack_colors() -> None:
    assert not re.search(r"[\x1b─│┃━]", text.render(EVERYTHING))
    colored = text.render(EVERYTHING, styled=True)
    uncolored = text.render(EVERYTHING, styled=True, color=False)
    assert "\x1b[1;32m" in colored
    assert not re.search(r"\x1b\[[\d;]*3\d", uncolored)
    assert "\x1b[1m" in uncolored


@pytest.mark.parametrize("styled", [False, True])
def test_ascii_is_ascii(styled: bool) -> None:
    shown = text.render(EVERYTHING, unicode=False, styled=styled)
    assert shown.isascii()
    assert "N/(4*N + 2) -> 1/4" in shown
    assert hint.render(report(spmv()), unicode=False).isascii()


def test_hint_is_the_line_that_editors_read() -> None:
    line = hint.render(report(judged(matmul(), "l40s")))
    assert line == (
        "matmul.cu:3:1: note: matmul: 2N FLOPs/thread, N/6 FLOP/B, "
        "compute-bound from N = 637 on L40S\n"
    )
    problems = hint.render(report(problems=True)).split("\n")
    assert problems[0] == "a.cu:7:3: error: this line is no C [K201]"
    assert problems[1] == "a.cu:1:10: warning: mine.h is nowhere [K111]"


def test_long_formulas_wrap() -> None:
    from estimator.algebra.poly import ZERO, symbol

    long = sum((symbol(f"parameter_{n}") * N for n in range(12)), ZERO)
    kernel = matmul()
    grid = replace(kernel.grid, flops={"fp32": count(long)})
    shown = text.render(report(replace(kernel, grid=grid)))
    assert max(len(line) for line in shown.split("\n")) <= 80
    squeezed = re.sub(r"\s", "", shown)
    assert all(f"parameter_{n}" in squeezed for n in range(12))


def test_markdown_and_latex_escape_names() -> None:
    kernel = replace(vector_add(), name="scale<float>_v2")
    assert r"## scale\<float\>\_v2" in markdown.render(report(kernel))
    assert r"scale\textless{}float\textgreater{}\_v2" in latex.render(report(kernel))


def test_nothing_to_report() -> None:
    assert text.render(Report(())) == ""
    assert markdown.render(Report(())) == ""
    assert hint.render(Report(())) == ""


def test_names_of_unknowns_stay_whole() -> None:
    """`flops_helper@6` in two lines reads as `helper@6`, which --set does not know."""
    assert wrap("a*flops_my_helper@6.2 + other_names", 12) == [
        "a*",
        "flops_my_helper@6.2",
        "+",
        "other_names",
    ]


@pytest.mark.parametrize("styled", [False, True])
def test_unknowns_with_long_names_fit_80_columns(styled: bool) -> None:
    columns = tuple(map(Column, ("unknown", "line", "meaning", "at least", "at most")))
    meaning = "FLOPs of one call of cub::BlockScan::ExclusiveSum, which the file does not define"

    def shown(name: str) -> list[str]:
        cells = (name, "36", meaning, "0", "–")
        table = Table(columns, (tuple((cell,) for cell in cells),))
        text_ = text.render_blocks([table], styled=styled, color=False)
        return re.sub(r"\x1b\[[0-9;]*m", "", text_).splitlines()

    table = shown("flops_BlockScan_ExclusiveSum@36")
    assert max(map(len, table)) <= 80
    assert re.search("at least +at most", table[0])
    assert "cub::BlockScan::" in "".join(table)
    assert shown(f"flops_{'Long' * 15}@36") == [
        f"  unknown   flops_{'Long' * 15}@36",
        "  line      36",
        "  meaning   FLOPs of one call of cub::BlockScan::ExclusiveSum, which the file",
        "            does not define",
        "  at least  0",
        "  at most   –",
    ]
