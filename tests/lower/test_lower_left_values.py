"""What a path assigns before it jumps out is not lost: known by its condition, or unknown.

Each kernel's second loop runs as often as the first one says; taking only those who fall through
to the loop's end would give a number, and a wrong one.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from estimator.algebra.printing import HUMAN, text
from estimator.analysis import analyze
from estimator.options import Options

HEAD = """__device__ void count(int &c, int j) { if (j > 2) return; c++; }
__device__ void most(int &c, int j) { if (j < 5) { c = 7; return; } c = 2; }
struct Stack { int n; __device__ void push(int v) { if (v < 5) return; n++; } };
"""
KERNEL = "__global__ void k(const float *a, const float *b, float *out, int M)\n{{\n{}\n}}\n"
SECOND = "for (int i = 0; i < c; i++) s += a[i];\nout[threadIdx.x] = s;"

UNKNOWN = {
    "continue": "for (int j = 0; j < M; j++) { if (j & 1) { c += 3; continue; } s += b[j]; }",
    "break": "for (int j = 0; j < M; j++) { if (j == 4) { c = 7; break; } s += b[j]; }",
    "break on data": "for (int j = 0; j < M; j++) if (b[j] > .7f) { c = j; break; }",
    "endless": "for (;;) { if (b[c] > .7f) { c = M; break; } s += 1.f; }",
    "goto": "for (int j = 0; j < M; j++) { if (j == 4) { c = 7; goto done; } } c = 2; done:;",
    "return": "for (int j = 0; j < M; j++) count(c, j);",
    "lambda": "auto f = [&](int j) { if (j > 2) return; c++; }; for (int j = 0; j < M; j++) f(j);",
}


def flops(tmp_path: Path, body: str) -> str:
    (tmp_path / "k.cu").write_text(HEAD + KERNEL.format(body))
    options = Options(launches=("grid=(1) block=(32)",))
    (kernel,) = analyze(str(tmp_path / "k.cu"), options).kernels
    return text(kernel.per_thread.flops["fp32"].formula, HUMAN)


@pytest.mark.parametrize("first", UNKNOWN.values(), ids=UNKNOWN)
def test_a_variable_that_a_way_out_changes_is_unknown(first: str, tmp_path: Path) -> None:
    assert "trips@8" in flops(tmp_path, f"int c = 0; float s = 0;\n{first}\n{SECOND}")


def test_a_search_that_may_find_nothing(tmp_path: Path) -> None:
    body = (
        "int c = -1;\nfor (int j = 0; j < M; j++) if (a[j] > .7f) { c = j; break; }\n"
        "float s = 0;\nif (c >= 0) s = b[c] * 2.0f;\nout[threadIdx.x] = s;"
    )
    assert flops(tmp_path, body) == "p@9"


def test_a_counter_that_is_stepped_before_continue(tmp_path: Path) -> None:
    body = (
        "float s = 0;\nfor (int j = 0; j < M; j++) { if (j & 1) { j += 2; continue; } s += a[j]; }"
        "\nout[threadIdx.x] = s;"
    )
    assert "trips@7" in flops(tmp_path, body)


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        # threadIdx.x = 0 … 31: 27 of 32 push.
        ("Stack q = {0}; q.push(threadIdx.x); q.push(2); int c = q.n;", Fraction(27, 32)),
        # 5 threads with 7, 27 with 2.
        ("int c = 0; most(c, threadIdx.x);", Fraction(5 * 7 + 27 * 2, 32)),
        ("int c = 0; for (int j = 0; j < 10; j++) { if (j == 4) { c = 7; break; } }", Fraction(7)),
    ],
)
def test_what_is_known_of_each_way(first: str, expected: Fraction, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(HEAD + KERNEL.format(f"{first}\nfloat s = 0;\n{SECOND}"))
    options = Options(launches=("grid=(1) block=(32)",))
    (kernel,) = analyze(str(tmp_path / "k.cu"), options).kernels
    assert kernel.grid.flops["fp32"].value == expected * 32
