"""How many threads are active, where data decides for some."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.options import Options

READS = "float v = 0; if (i < n) v = x[i]; "


@pytest.mark.parametrize(
    ("body", "active", "loads"),
    [
        # Every thread of a whole block reads; who goes on is no matter.
        (READS + "if (__any_sync(~0u, v > 0)) return; x[i] = __shfl_sync(~0u, v, 0);", "n", "1"),
        ("if (y[i] == 0) return; x[i] = y[i];", "n", None),
        ("if (i < n / 2) x[i] = x[i + 1]; if (y[n] > 0) x[n] = 0;", "n", None),
    ],
)
def test_active_threads(body: str, active: str, loads: str | None, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *x, const int *y, int n)\n"
        f"{{ int i = blockIdx.x * blockDim.x + threadIdx.x; {body} }}\n"
    )
    options = Options(launches=("grid=((n+255)/256) block=(256)",))
    (kernel,) = analyze(str(file), options).kernels
    assert text(kernel.active_threads.formula, HUMAN) == active
    if loads is not None:
        assert text(kernel.per_thread.loads["global"].formula, HUMAN) == loads
        # For sizes that do not divide evenly it is unknown still.
        assert [u.name for u in kernel.exact_unknowns if u.name.startswith("active")]


def test_what_a_loop_demands_in_some_iteration_is_less_than_the_loop(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *a, float *b, int n, int iters)\n"
        "{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    for (int t = 0; t < iters; ++t) {\n"
        "        for (int j = i + 1; j < n - 1; j += gridDim.x * blockDim.x) b[j] = a[j];\n"
        "        __syncthreads();\n"
        "        float *tmp = a; a = b; b = tmp;\n"
        "    }\n"
        "}\n"
    )
    (kernel,) = analyze(str(file), Options(launches=("grid=(G) block=(256)",))).kernels
    assert text(kernel.per_thread.barriers.formula, HUMAN) == "iters"
    assert text(kernel.active_threads.formula, HUMAN) == "256G"


def test_a_guard_that_no_formula_says_is_the_active_threads(tmp_path: Path) -> None:
    """Who is past the guard does all of it: its share is in the number of active threads."""
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const float *x, float *y, int n) {\n"
        "int per = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);\n"
        "int t = blockIdx.x * blockDim.x + threadIdx.x, b = t * per, e = min(b + per, n);\n"
        "if (b >= e) return;\n"
        "float s = x[b]; for (int k = b; k < e; k++) s += x[k]; y[t] = s; }\n"
    )
    (kernel,) = analyze(str(file), Options(launches=("grid=(64) block=(256)",))).kernels
    each = kernel.per_thread
    assert text(each.flops["fp32"].formula, HUMAN) == "trips@5"
    assert text(each.loads["global"].formula, HUMAN) == "trips@5 + 1"
    assert text(each.stores["global"].formula, HUMAN) == "1"
    assert text(kernel.active_threads.formula, HUMAN) == "16384 − 16384·p@4"
    # 10,000 threads have two elements each.
    options = Options(launches=("grid=(64) block=(256)",), values={"n": 20000})
    (kernel,) = analyze(str(file), options).kernels
    assert kernel.grid.flops["fp32"].value == 20000
    assert kernel.active_threads.value == 10000
