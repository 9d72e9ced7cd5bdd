"""Functions of CUDA with too few arguments are refused with a reason, not failed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze

CALLS = [
    "swap()",
    "swap(i)",
    "swap(T())",
    "tex1D()",
    "tex2D(x)",
    "surf2Dread()",
    "surf2Dwrite(i)",
    "atomicAdd()",
    "__shfl_down_sync()",
    "__ldg()",
]


@pytest.mark.parametrize("call", CALLS)
def test_too_few_arguments_are_a_reason(call: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *x, int i)\n{{\n    {call};\n    x[i] = 1.0f;\n}}\n")
    report = analyze([str(file)])
    assert not report.kernels
    (found,) = report.files[0].diagnostics
    assert found.code.id.startswith("K2")
    assert found.position is not None
    assert found.position.line == 3
