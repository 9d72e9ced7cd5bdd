"""Where data or a condition that is not linear decides, nothing is given that is not so."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.analysis import analyze
from estimator.options import Options

BODIES = (
    "for (int d = 1; d < N; d *= 2) { if (i == d) out[i] = a[i]; }",
    "for (int d = N / 2; d > 0; d /= 2) { if (i < d) out[i] += a[i + d]; }",
    "for (int d = 1; d < N; d *= 2) { if (i >= d && i < N) out[i] += a[i - d]; }",
    "if (i < N) { bool f = false; for (int k = 0; k < N; k++)"
    " { if (k == M) f = true; if (f) out[k] += a[k]; } }",
    "if (i < N && a[i] > 0.0f) out[i] = a[i];",
    "if (i < N) { if (b[i] > 0) out[i / 2] = a[i]; else out[i] = a[i + 1]; }",
    "if (i < N) for (int k = 0; k < b[i]; ++k) out[i] += a[i * 8 + k];",
    "if (i < N) { while (a[i] < 1.0f && b[i] > 3) { a[i] += 1.0f; } }",
    "if (b[i] > 3) return; if (i < N) out[i] = a[i];",
    "if (i < N) for (int k = 0; k < M; ++k) { if (a[k] > 0.5f) break; out[k] += a[i]; }",
)


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("sizes", [(13, 7), (5, 7), (32, 32)])
def test_nothing_is_wrong(body: str, sizes: tuple[int, int], tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, const int *b, float *out, int N, int M)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    " + body + "\n}\n"
    )
    values = {"N": sizes[0], "M": sizes[1]}
    launch = "grid=((N+7)/8) block=(8)"
    result = compare(file, "k", launch, values)
    (kernel,) = analyze(str(file), Options(launches=(launch,))).kernels
    assumed = {assumption.code for assumption in kernel.assumptions}
    wrong = result.differences
    if "loops-run" in assumed:
        # Loops whose length depends on data are said to run at least once; here some do not.
        wrong = [each for each in wrong if "compulsory" not in each and "sectors" not in each]
    assert not wrong
