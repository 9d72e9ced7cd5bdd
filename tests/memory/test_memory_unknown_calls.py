"""Functions that nobody knows may move bytes; memcpy and memset move those that they name."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.gpus import find_gpu
from estimator.options import Options
from estimator.report.model import KernelReport
from estimator.roofline.question import Bound

KERNEL = """struct S {{ float a[5]; int k; }};
__global__ void k(const S *s, S *t, const float *x, float *y, const double *d, double *e, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        {body}
    }}
}}
"""


def report_of(folder: Path, body: str, options: Options | None = None) -> KernelReport:
    path = folder / "k.cu"
    path.write_text(KERNEL.format(body=body))
    (kernel,) = analyze(str(path), options or Options()).kernels
    return kernel


def test_an_unknown_function_leaves_the_verdict_open(tmp_path: Path) -> None:
    kernel = report_of(tmp_path, "far(x, y, i);", Options(gpus=(find_gpu("l40s"),)))
    assert sympy_text(kernel.bytes.requested.formula) == "bytes_far_6*n"
    assert sympy_text(kernel.bytes.compulsory.formula) == "distinct_far_6"
    verdict = kernel.gpus["l40s"]
    assert verdict.compulsory.bound is Bound.DEPENDS
    assert verdict.requested.depends_on == ("bytes_far@6", "flops_far@6")


def test_values_decide(tmp_path: Path) -> None:
    # 2 FLOPs for 8 bytes: far below the L40S's 106 FLOP/B.
    given = {"bytes_far@6": 8, "distinct_far@6": 8 * 1024, "flops_far@6": 2}
    unknowns = {name: Fraction(value) for name, value in given.items()}
    options = Options(gpus=(find_gpu("l40s"),), values={"n": 1024}, unknowns=unknowns)
    kernel = report_of(tmp_path, "far(x, y, i);", options)
    assert kernel.bytes.requested.value == 8 * 1024
    assert kernel.gpus["l40s"].requested.bound is Bound.MEMORY


@pytest.mark.parametrize(
    "body",
    ["y[i] = far(x[i]);", "float v = 1; far(&v); y[i] = v + x[i];"],
)
def test_no_bytes_without_a_pointer_to_the_device(tmp_path: Path, body: str) -> None:
    assert sympy_text(report_of(tmp_path, body).bytes.requested.formula) == "8*n"


def test_what_an_unknown_function_may_have_changed(tmp_path: Path) -> None:
    body = "int m = 3; far(&m); for (int j = 0; j < m; j++) y[i] += 2.0f;"
    count = report_of(tmp_path, body).per_thread.stores["global"]
    assert sympy_text(count.formula) == "trips_6"


# The bytes of a thread that are read and written, by hand.
COPIES = {
    "S v; memcpy(&v, &s[i], sizeof(S)); v.a[2] += 1.0f; t[i] = v;": (24, 24),
    "std::memcpy((void *)(y + i * 8), x + i * 8, 8 * sizeof(float));": (32, 32),
    "memmove(e + 3 * i, d + 3 * i, 20);": (20, 20),
    "memset(y + 4 * i, 0, 4 * sizeof(float));": (0, 16),
    "int bits; memcpy(&bits, &x[i], 4); y[i] = bits;": (4, 4),
}


@pytest.mark.parametrize("body", COPIES)
def test_copies_of_one_thread(tmp_path: Path, body: str) -> None:
    kernel = report_of(tmp_path, body)
    read, written = COPIES[body]
    assert sympy_text(kernel.bytes.requested.formula) == f"{read + written}*n"
    assert sympy_text(kernel.bytes.compulsory.formula) == f"{read + written}*n"
    assert not kernel.unknowns


def test_a_copy_overwrites_what_was_known(tmp_path: Path) -> None:
    body = "int a[4] = {1, 2, 3, 4}; memcpy(a, x + 4 * i, 16); for (int j = 0; j < a[3]; j++) y[i] = 1;"
    kernel = report_of(tmp_path, body)
    assert sympy_text(kernel.per_thread.stores["global"].formula) == "trips_6"
