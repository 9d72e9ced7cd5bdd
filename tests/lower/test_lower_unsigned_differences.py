"""The difference of two unsigned sizes never is negative, whatever type it is put into."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.evaluate import evaluate
from estimator.analysis import analyze
from estimator.options import Options

KERNEL = """__device__ long long limit(unsigned a, unsigned b) {{ return a - b; }}
__global__ void k(float *b, unsigned n, unsigned m) {{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = i;
    {body}
    b[i] = s;
}}
"""


@pytest.mark.parametrize(
    ("body", "always"),
    [
        ("if ((long long)(m - n) < 0) s *= 2.f;", False),
        ("long long d = m - n; if (d < 0) s *= 2.f;", False),
        ("if (limit(m, n) > -1) s *= 2.f;", True),
        ("if ((m - n) + 0LL < 0) s *= 2.f;", False),
    ],
)
@pytest.mark.parametrize(("n", "m"), [(40, 8), (8, 40), (32, 32)])
def test_a_wider_difference(tmp_path: Path, body: str, always: bool, n: int, m: int) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    launch = "grid=((n + 31) / 32) block=(32)"
    (kernel,) = analyze(str(path), Options(exact=True, launches=(launch,))).kernels
    flops = kernel.grid.flops.get("fp32")
    found = 0 if flops is None else evaluate(flops.exact.select({"n": n, "m": m}), {"n": n, "m": m})
    assert found == (n if always else 0)
