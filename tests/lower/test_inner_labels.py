"""Labels of a switch inside blocks, and the size of a string."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze

HEAD = "__global__ void k(float *x, int n) { float s = 0;\n"
END = "\nx[0] = s; }\nvoid host(float *x, int n) { k<<<1, 1>>>(x, n); }\n"


@pytest.mark.parametrize(
    "body",
    [
        "switch (n) { { case 3: s += 1; } case 4: s *= 2; break; default: s += 3; }",
        "switch (n) { case 0: do { s += 1; case 1: s += 2; } while (--n > 0); }",
        "switch (n) { case 0: { s += 1; default: s += 2; } }",
    ],
)
def test_labels_inside_blocks_are_refused(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(HEAD + body + END)
    (report,) = analyze(str(file)).files
    assert not report.kernels
    (found, *_) = report.diagnostics
    assert found.message == "a case inside a block of its switch"
    assert found.position.line == 2


def test_a_switch_inside_a_switch(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    body = "switch (3) { case 3: { switch (1) { case 1: s += 1; } } case 4: s *= 2; }"
    file.write_text(HEAD + body + END)
    (kernel,) = analyze(str(file)).kernels
    assert kernel.grid.flops["fp32"].value == 2


@pytest.mark.parametrize(
    ("text", "size"), [("abc", 4), ("", 1), (r"a\n\"\\b", 6), (r"\x41\101", 3)]
)
def test_strings_have_a_size(text: str, size: int, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f'{HEAD}for (int i = 0; i < sizeof("{text}"); i++) s += 1;{END}')
    (kernel,) = analyze(str(file)).kernels
    assert kernel.grid.flops["fp32"].value == size
