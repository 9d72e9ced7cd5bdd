"""Products of several integers at once are not modelled, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze

KERNEL = """__global__ void k(const int *a, const int *b, int *c, int n)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{ {body} }}
}}
"""


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("c[i] = __dp4a(a[i], b[i], c[i]);", ["__dp4a"]),
        (
            'asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(c[i]) : "r"(a[i]), "r"(b[i]), "r"(1));',
            ["dp4a"],
        ),
        ("c[i] = a[i] + b[i];", []),
    ],
)
def test_the_note(tmp_path: Path, body: str, names: list[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL.format(body=body))
    (kernel,) = analyze(str(path)).kernels
    taken = [a.message for a in kernel.assumptions if a.code == "integer-work"]
    assert taken == [
        f"integer work such as {name} takes no time: it is not modelled" for name in names
    ]
