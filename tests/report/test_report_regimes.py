"""Which sizes the formulas are for: grids below their caps, sizes in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.atoms import Symbol
from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options
from estimator.report.model import KernelReport

HEAD = "__global__ void k(float *a, const float *b, int N, int M) {"
INDEX = " int i = blockIdx.x * blockDim.x + threadIdx.x;"


def _kernel(tmp_path: Path, text: str, launch: str = "", **values: int) -> KernelReport:
    path = tmp_path / "k.cu"
    path.write_text(text)
    options = Options(values=values, launches=(launch,) if launch else ())
    (kernel,) = analyze(str(path), options).kernels
    return kernel


def _said(kernel: KernelReport, code: str) -> list[str]:
    return [a.message for a in kernel.assumptions if a.code == code]


@pytest.mark.parametrize(("cap", "stores"), [(65535, "N"), (64, "16384")])
def test_a_cap_of_the_hardware_is_not_reached(tmp_path: Path, cap: int, stores: str) -> None:
    text = HEAD + INDEX + " if (i < N) a[i] = 1; }"
    text += f" void h(float *a, int N) {{ k<<<min((N + 255) / 256, {cap}), 256>>>(a, a, N, 1); }}"
    kernel = _kernel(tmp_path, text)
    assert sympy_text(kernel.grid.stores["global"].formula) == stores
    assert bool(_said(kernel, "below-cap")) == (cap == 65535)
    assert _kernel(tmp_path, text, N=10**9).grid.stores["global"].value == cap * 256


def test_an_order_of_sizes_is_said(tmp_path: Path) -> None:
    text = HEAD + INDEX + " if (i > M && i < N) a[i] = 1; }"
    kernel = _kernel(tmp_path, text)
    assert sympy_text(kernel.grid.stores["global"].formula) == "N - M - 1"
    (said,) = _said(kernel, "conditions")
    assert said in ("N >= M + 1", "N >= M + 2")  # the second is for whole sectors


@pytest.mark.parametrize("name", ["in", "lambda"])
def test_formulas_have_no_words_of_python(name: str) -> None:
    assert Symbol(name).identifier == f"{name}_"
