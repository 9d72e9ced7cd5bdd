"""What an extreme input is: the files of a given size, and the answer that it must get."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Files = dict[str, str]
"""Texts by file name; `k.cu` is the one to analyse."""


@dataclass(frozen=True, slots=True)
class Case:
    """`make(size)` writes the input; `small` is a size for tests, which gets the same answer.

    `kernels` analysed, and `codes` of diagnostics; `large` are the codes at full size, where a
    limit is met that the small one does not meet (then `kernels` is for the small one only).
    """

    name: str
    size: int
    small: int
    make: Callable[[int], Files]
    kernels: int | None = 1
    codes: tuple[str, ...] = ()
    large: tuple[str, ...] | None = None


def kernel(body: str, before: str = "", parameters: str = "float *a, int n") -> Files:
    """A file with one kernel `k`, its index `i` and its sum `s` at hand."""
    return {
        "k.cu": f"{before}\n__global__ void k({parameters})\n{{\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float s = 0.0f;\n"
        f"{body}\n    a[i] = s;\n}}\n"
    }
