"""Values of constants, by the C standard."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.parse.constants import character_literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a'", 97), ("'\\0'", 0), ("'\\n'", 10), ("'\\101'", 65), ("'\\x41'", 65), ("'\\377'", -1),
        ("'\\\\'", 92), ("'\\''", 39), ("u8'x'", 120), ("'\\777'", -1), ("'\\v'", 11),
    ],
)  # fmt: skip
def test_characters(text: str, value: int) -> None:
    assert character_literal(text) == value


@pytest.mark.parametrize("shift", ["1 << -1", "1 >> 64", "1 << 2147483647"])
def test_shifts_without_a_value_are_no_constants(shift: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"enum {{ E = {shift} }};\n__global__ void k(float *a)\n{{\n    a[threadIdx.x] = E;\n}}\n"
    )
    report = analyze(str(file)).files[0]
    assert report.kernels or report.diagnostics
