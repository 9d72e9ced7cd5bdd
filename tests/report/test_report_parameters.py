"""Parameters are shown as C declares them; the README's example of Python works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gpus": ("l40s",)}, "estimator.find_gpu('l40s')"),
        ({"gpus": "l40s"}, "gpus is a tuple, not a text: ('l40s',)"),
        ({"launches": "grid=(1) block=(1)"}, "launches is a tuple"),
        ({"launches": (None,)}, "launches holds texts, not None"),
        ({"values": {"N": "4096"}}, "values holds integers, not '4096'"),
        ({"values": {"N": 0.5}}, "values holds integers, not 0.5"),
        ({"unknowns": {"p@9": 0.5}}, "unknowns holds integers and Fractions, not 0.5"),
    ],
)
def test_options_of_other_types(options: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError) as raised:
        estimator.Options(**options)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"values": {"M": 4}}, "values: no kernel has the parameter 'M'"),
        ({"unknowns": {"trips@12": 4}}, "unknowns: no kernel has the unknown 'trips@12'"),
        ({"kernels": ("matmal",)}, "kernels: no kernel is called 'matmal'"),
    ],
)
def test_names_that_no_kernel_has(options: dict[str, Any], said: str) -> None:
    with pytest.warns(UserWarning, match=re.escape(said)):
        estimator.analyze(SAMPLES / "matmul.cu", estimator.Options(**options))
