"""Values that a parameter's C type does not hold are refused, not computed with."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.options import Options

SOURCE = """
typedef unsigned int count_t;
struct Size { short rows; };
__global__ void k(float *x, int n, count_t u, unsigned char b, long l, size_t z, Size g, bool f,
                  float v)
{
    x[threadIdx.x] = n + u + b + l + z + g.rows + f + v;
}
"""


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("n", -(2**31), 2**31 - 1),
        ("u", 0, 2**32 - 1),
        ("b", 0, 255),
        ("l", -(2**63), 2**63 - 1),
        ("z", 0, 2**64 - 1),
        ("g.rows", -32_768, 32_767),
        ("g_rows", -32_768, 32_767),
        ("f", 0, 1),
    ],
)
def test_range(tmp_path: Path, name: str, least: int, most: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    for value in (least, most):
        assert analyze(str(path), Options(values={name: value})).complete
    for value in (least - 1, most + 1):
        file = analyze(str(path), Options(values={name: value})).files[0]
        assert [d.code.id for d in file.diagnostics] == ["K506"]
        assert f"{name}={value}: in k it is of the type" in file.diagnostics[0].message
        assert file.kernels == ()


def test_another_kernel_may_hold_it(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(SOURCE + "__global__ void wide(float *x, long n) { x[n] = 0; }")
    values = {"n": 3_000_000_000}
    assert not analyze(str(path), Options(values=values)).complete
    assert analyze(str(path), Options(values=values, kernels=("wide",))).complete
