"""Pointers chosen by a condition: accesses through them are to each array under its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.compare import compare

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.options import Options

LAUNCH = "grid=((N+7)/8) block=(8)"
# Loads of a and of b in bytes, at N = 13 and M = 3, by hand: 13 threads.
CHOSEN = {
    "const float *p = M > 4 ? a : b; if (i < N) out[i] = p[i] + a[i];": (52, 52),
    "const float *p = a; if (M & 1) p = b; if (i < N) out[i] = p[i];": (0, 52),
    "if (i < N) out[i] = (i < M ? a : b)[i];": (12, 40),
    "if (i < N) { const float *p = i < M ? a + 1 : b; p += i; out[i] = *p;"
    " const float *q = i < 2 ? p : a; out[i] += q[2]; }": (12 + 52, 40),
    "const float *p = a, *q = b; for (int k = 0; k < M; k++) { if (i < N) out[i] = p[i];"
    " const float *t = p; p = q; q = t; } if (i < N) out[i] += p[i];": (2 * 52, 2 * 52),
}


def source(body: str, folder: Path) -> Path:
    file = folder / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, const float *b, float *out, int N, int M)\n"
        "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    " + body + "\n}\n"
    )
    return file


@pytest.mark.parametrize("body", CHOSEN)
def test_chosen_pointers(body: str, tmp_path: Path) -> None:
    file = source(body, tmp_path)
    options = Options(launches=("k: " + LAUNCH,), values={"N": 13, "M": 3})
    (kernel,) = analyze(str(file), options).kernels
    arrays = kernel.bytes.by_array
    found = tuple(arrays[name].requested.value if name in arrays else 0 for name in "ab")
    assert found == CHOSEN[body]
    assert not any(name.startswith("pointer") for name in arrays)
    for sizes in ({"N": 13, "M": 3}, {"N": 6, "M": 10}):
        assert not compare(file, "k", LAUNCH, sizes).differences


def test_a_choice_on_data_is_a_share(tmp_path: Path) -> None:
    file = source("if (i < N) { const float *p = a[i] > 0.0f ? a : b; out[i] = p[i]; }", tmp_path)
    (kernel,) = analyze(str(file), Options(launches=("k: " + LAUNCH,))).kernels
    requested = {n: sympy_text(c.requested.formula) for n, c in kernel.bytes.by_array.items()}
    assert requested == {"a": "4*N*(p_4 + 1)", "b": "4*N*(1 - p_4)", "out": "4*N"}
