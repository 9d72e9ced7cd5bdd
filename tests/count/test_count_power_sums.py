"""Loops as long as a polynomial of the indices around them: what the oracle counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.algebra.to_sympy import parse, to_sympy
from estimator.analysis import analyze

HEAD = (
    "__global__ void k(const float *a, float *y, int N, int M)\n{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= N) return;\n"
    "    float s = 0.0f;\n    "
)
TAIL = "\n    y[i] = s;\n}\n"
# The additions of the whole grid, by hand.
BODIES = {
    "for (int j = 0; j < i * i; j++) s += 1.0f;": "N*(N - 1)*(2*N - 1)/6",
    "for (int j = 0; j < i * (i + 1) / 2; j++) s += 1.0f;": "N*(N**2 - 1)/6",
    "for (int j = 0; j < i * M; j++) s += 1.0f;": "M*N*(N - 1)/2",
    "for (int j = 0; j < i * i + M; j++) for (int q = j; q < i * i + M; q++) s += 1.0f;": None,
    "for (int q = 0; q < M; q++) for (int j = 0; j < q * i; j++) s += 1.0f;": "M*(M - 1)*N*(N - 1)/4",
    "for (int q = 0; q <= i; q++) for (int j = 0; j < q * q * q; j++) s += 1.0f;": None,
    "for (int j = i * i; j > i; j--) s += 1.0f;": None,
    "for (int j = i; j < i * i + i; j += 1) s += 1.0f;": "N*(N - 1)*(2*N - 1)/6",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("sizes", [(1, 1), (2, 5), (9, 3), (14, 4)])
def test_polynomial_loops(body: str, sizes: tuple[int, int], tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(HEAD + body + TAIL)
    values = {"N": sizes[0], "M": sizes[1]}
    assert not compare(file, "k", "grid=((N+7)/8) block=(8)", values).differences


@pytest.mark.parametrize("body", [body for body, total in BODIES.items() if total])
def test_polynomial_sums(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(HEAD + body + TAIL)
    (kernel,) = analyze([str(file)]).kernels
    assert not [unknown for unknown in kernel.unknowns if unknown.name.startswith("trips")]
    total = to_sympy(kernel.grid.flops["fp32"].formula)
    assert (total - parse(BODIES[body] or "")).expand() == 0
