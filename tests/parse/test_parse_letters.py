"""Names with letters beyond ASCII are read, and shown, as the user wrote them."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.printing import text
from estimator.analysis import analyze
from estimator.parse.letters import in_ascii

KERNEL = """struct Größe { float x; };
namespace größen { __device__ float größer(float π) { return π * 2.0f; } }
__global__ void skaliere_β(float *длина, int größe, int größf)
{
    int 数 = blockIdx.x * blockDim.x + threadIdx.x;
    Größe g;
    if (数 < größe)
        длина[数] = größen::größer(длина[数 + größf]);
}
"""


def test_names_beyond_ascii(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(KERNEL, encoding="utf-8")
    report = analyze(str(file)).files[0]
    assert not report.diagnostics
    (kernel,) = report.kernels
    assert kernel.name == "skaliere_β"
    assert text(kernel.grid.flops["fp32"].formula) == "größe"
    assert list(kernel.bytes.by_array) == ["длина"]
    assert (kernel.position.line, kernel.position.column) == (3, 17)


def test_stand_ins_keep_offsets_and_meet_no_other_name() -> None:
    changed, originals = in_ascii('gru = größ; grv = "größ";')
    assert len(changed) == 25
    stand_in = changed[6:10]
    assert stand_in.isascii()
    assert stand_in not in ("gru", "grv")
    assert originals == {stand_in: "größ"}
    assert changed.endswith('"größ";')
