"""Rows whose start moves along: sectors are those of the array's own rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.to_sympy import parse, to_sympy
from estimator.analysis import analyze

HEAD = "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) "
# 32-byte sectors of rows that start at sectors, for n = 8m, by hand: row i from column i + c on
# has m - floor((i + c)/8) of them.
LOOPS = {
    "for (int j = i; j < n; j++) d[i * n + j] = 1.0f;": "2*n**2 + 16*n",
    "for (int j = i + 1; j < n; j++) d[i * n + j] = 1.0f;": "2*n**2 + 12*n",
    "for (int j = i + 3; j < n; j++) d[i * n + j] = 1.0f;": "2*n**2 + 4*n",
    "for (int j = 0; j < n; j++) d[i * n + j] = 1.0f;": "4*n**2",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_sectors(loop: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        f"__global__ void k(float *d, int n) {{ {HEAD}{loop} }}\n"
        "void f(float *d, int n) { k<<<(n + 63) / 64, 64>>>(d, n); }\n"
    )
    (kernel,) = analyze([str(file)]).kernels
    found = to_sympy(kernel.bytes.compulsory_sectors.formula)
    assert (found - parse(LOOPS[loop])).expand() == 0
