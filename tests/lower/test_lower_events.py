"""What a condition on data said once it says each time that its outcome is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.to_sympy import parse, to_sympy
from estimator.analysis import analyze

BOTH = "bool p = a[i] > 0, q = b[i] > 0; "
# Stores of a thread, by hand: p and q are the shares in which a[i] > 0 and b[i] > 0.
BODIES = {
    "if ((a[i] > 0) == (b[i] > 0)) o[i] = 1;": ("1 - p - q + 2*p*q", True),
    BOTH + "if (p != q) o[i] = 1;": ("p + q - 2*p*q", True),
    BOTH + "if ((p && q) || (!p && !q)) o[i] = 1;": ("1 - p - q + 2*p*q", True),
    BOTH + "if (p && q) o[i] = 1; else if (p) o[i + 256] = 2;": ("p", True),
    BOTH + "if (p || q) { if (p) o[i] = 1; }": ("p", False),
    BOTH + "if (p || !p) o[i] = 1;": ("1", False),
    BOTH + "if (p) o[i] = 1; if (!p) o[i] = 2;": ("1", False),
    BOTH + "if (p) for (int k = 0; k < 3; k++) if (p) o[i + k * 256] = 1;": ("3*p", False),
    # The second condition only comes up where the first one holds.
    "if (a[i] > 0 && b[i] > 0) o[i] = 1;": ("p*q", False),
    "if (a[i] > 0) if (b[i] > 0) o[i] = 1;": ("p*q", False),
    # Three evaluations of one condition.
    "for (int k = 0; k < 3; k++) { if (!(a[i + k] > 0)) break; o[i] = 1; }": (
        "p + p**2 + p**3",
        False,
    ),
}


@pytest.mark.parametrize("body", BODIES)
def test_events(body: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const float *a, const float *b, float *o)\n"
        f"{{\n    int i = threadIdx.x;\n    {body}\n}}\n"
    )
    (kernel,) = analyze([str(file)]).kernels
    formula, independent = BODIES[body]
    for name, symbol in (("p", "p_4"), ("q", "q_4")):
        formula = formula.replace(name, symbol)
    formula = formula.replace("q_4", "p_4_2")
    found = to_sympy(kernel.per_thread.stores["global"].formula)
    assert (found - parse(formula)).expand() == 0
    noted = any(assumption.code == "independent" for assumption in kernel.assumptions)
    assert noted == independent


@pytest.mark.parametrize(
    ("condition", "named"),
    [
        ("!f[i]", "f[i]"),
        ("!(f[i] & 1)", "f[i] & 1"),
        ("!!f[i]", "f[i]"),
        ("f[i] == 0", "f[i] == 0"),
    ],
)
def test_a_share_is_named_by_what_holds(condition: str, named: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(const int *f, float *o)\n"
        f"{{\n    int i = threadIdx.x;\n    if ({condition}) o[i] = 1;\n}}\n"
    )
    (kernel,) = analyze([str(file)]).kernels
    (share,) = [unknown for unknown in kernel.unknowns if unknown.name == "p@4"]
    assert share.meaning == f"share of the cases in which {named} holds"
    opposite = condition == "!f[i]" or condition == "!(f[i] & 1)"
    stores = to_sympy(kernel.per_thread.stores["global"].formula)
    assert (stores - parse("1 - p_4" if opposite else "p_4")).expand() == 0
