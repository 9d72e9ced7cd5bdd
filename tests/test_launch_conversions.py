"""Sizes of launches are taken to fit the types that the host gives them: none wraps around."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.report.model import KernelReport

KERNEL = """__global__ void k(float *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= 2;
}
"""
CAST = "k<<<%s((n + 255) / 256), 256>>>(x, n);"
# The statements of the host, and what is taken to fit which type.
HOSTS = [
    ("unsigned short g = (n + 255) / 256; k<<<g, 256>>>(x, n);", "unsigned short"),
    (CAST % "(unsigned short)", "unsigned short"),
    (CAST % "static_cast<short>", "short"),
    (CAST % "(uint16_t)", "uint16_t"),
    (CAST % "(unsigned char)", "unsigned char"),
    ("dim3 g((uint16_t)((n + 255) / 256), 1, 1); k<<<g, 256>>>(x, n);", "uint16_t"),
    (CAST % "(unsigned)", ""),
    (CAST % "(int)", ""),
    ("ushort g = (ushort)std::min((size_t)32768, (size_t)n / 256); k<<<g, 256>>>(x, n);", ""),
    ("short g = std::min(64, n / 256); k<<<g, 256>>>(x, n);", ""),
]


def report(tmp_path: Path, text: str) -> KernelReport:
    path = tmp_path / "k.cu"
    path.write_text(text)
    (found,) = analyze(str(path)).kernels
    return found


@pytest.mark.parametrize(("body", "narrow"), HOSTS)
def test_grids(tmp_path: Path, body: str, narrow: str) -> None:
    found = report(tmp_path, f"{KERNEL}void h(float *x, int n) {{ {body} }}")
    assert sympy_text(found.grid.flops["fp32"].formula) == "n"
    taken = [one.message for one in found.assumptions if one.code == "fits"]
    said = f"⌊(n + 255)/256⌋ fits {narrow}, to which the host converts it"
    assert taken == ([said] if narrow else [])


def test_arguments(tmp_path: Path) -> None:
    """A parameter that is given `(uint16_t)q` is q."""
    kernel = KERNEL.replace("int n", "unsigned n")
    body = "k<<<((uint16_t)q + 255) / 256, 256>>>(x, (uint16_t)q);"
    found = report(tmp_path, f"{kernel}void h(float *x, long q) {{ {body} }}")
    assert sympy_text(found.grid.flops["fp32"].formula) == "n"


def test_numbers_are_cut_as_c_does(tmp_path: Path) -> None:
    """65538 is 2 in 16 bits."""
    body = "unsigned short g = 65538; k<<<g, 256>>>(x, n);"
    found = report(tmp_path, f"{KERNEL}void h(float *x, int n) {{ {body} }}")
    assert found.launch.grid[0].integer == 2
