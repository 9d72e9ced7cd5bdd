"""Parameters are shown as C declares them; the README's example of Python works."""

from __future__ import annotations

from pathlib import Path

import pytest

import estimator
from estimator.report.blocks import declaration

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("double A[][256]", "double (*A)[256]"),
        ("double A[3][4][8]", "double (*A)[4][8]"),
        ("float (*__restrict__ A)[4]", "float (*restrict A)[4]"),
        ("float *__restrict__ A", "float *restrict A"),
        ("const float *A", "const float *A"),
        ("float **A", "float **A"),
        ("float A[16]", "float *A"),
    ],
)
def test_declarations(tmp_path: Path, written: str, shown: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text(f"__global__ void k({written}, int n) {{ }}")
    (kernel,) = estimator.analyze(str(path)).kernels
    first = kernel.parameters[0]
    assert declaration(first.type, first.name) == shown


def test_values_and_gpus_from_python() -> None:
    gpu = estimator.find_gpu("l40s")
    options = estimator.Options(values={"N": 4096}, gpus=(gpu,))
    kernel = estimator.analyze(str(SAMPLES / "matmul.cu"), options).kernels[0]
    assert kernel.grid.flops["fp32"].value == 2 * 4096**3
    verdict = kernel.gpus["l40s"]
    assert verdict.compulsory is not None
    assert verdict.compulsory.bound.value == "compute-bound"
    assert verdict.numbers is not None
    assert round(verdict.numbers.lower_bound_s, 4) == 0.0015
