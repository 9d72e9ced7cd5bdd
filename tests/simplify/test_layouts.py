"""Types with an alignment of their own are read as their members need, and the reader is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze

KERNEL = """struct {how} P {{ float x, y, z; }};
__global__ void k(const P *p, float *o) {{ o[threadIdx.x] = p[threadIdx.x].y; }}
"""


@pytest.mark.parametrize("how", ["__align__(16)", "alignas(16)", "__attribute__((aligned(16)))"])
def test_an_alignment_is_told(how: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL.format(how=how))
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert [(d.code.id, d.position.line, d.position.column) for d in file.diagnostics] == [
        ("K114", 1, 8)
    ]


def test_types_without_one_or_not_in_use_are_silent(tmp_path: Path) -> None:
    other = "struct __align__(16) Q { float x; };\n"
    (tmp_path / "k.cu").write_text(other + KERNEL.format(how=""))
    (file,) = analyze(str(tmp_path / "k.cu")).files
    assert not file.diagnostics
