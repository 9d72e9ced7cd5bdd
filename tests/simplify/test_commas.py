"""Assignments in parentheses in front of a comma, which C++ parsers may take for folds."""

from __future__ import annotations

from pathlib import Path

import pytest
from simplifying import messages, statement

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze


@pytest.mark.parametrize(
    "text",
    [
        "(x[0] = 1.f, x[1] = x[n]);",
        "(x[0] += 1.f, x[n * (n + 1)] = (x[1]), x[2] *= 2);",
        "if (n > (3)) (*x = 1, x[1] = 2); else (n -= 1, x[1] = 4);",
        "for (int i = 0; i < n; i++) (x[i] = 1, x[i] -= 2);",
        "n = (x[n - 1] = 2.f, 3);",
        "while ((x[0] -= 1, x[0] > 0)) n++;",
        "(n <<= 1, n |= 2);",
        "(x[x[0] > 1 ? 0 : 1] = n ? 1.f : 2.f, n = 3);",
    ],
)
def test_they_stay_as_they_are(text: str) -> None:
    assert statement(text) == text


def test_members_and_pointers_are_assigned() -> None:
    before = "struct S { float a; S *next; };"
    text = "S s; (s.a = 1, (&s)->a = 2, s.next->a = 3);"
    assert statement(text, before) == text


def test_every_part_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *p)\n{\n    float t[2];\n    int i = threadIdx.x;\n"
        "    (t[0] = 1.0f + p[i], t[1] = p[i] * t[0] + 2);\n    p[i] = t[1];\n}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert {k: sympy_text(c.formula) for k, c in kernel.per_thread.flops.items()} == {"fp32": "3"}


def test_an_object_s_own_assignment_is_not_lost_in_silence() -> None:
    text = (
        "struct V { float a; __device__ void operator=(const V &o) { a = o.a * 2; } };\n"
        "__global__ void k(float *x)\n{\n    V v, w;\n    int n = (v = w, 3);\n"
        "    (v = w, n = 4);\n    x[n] = v.a;\n}\n"
    )
    found = messages(text)
    assert found == [
        "5:14 K202 an assignment to an object in front of a comma is not supported",
    ]
