"""Launches that name the kernel's own sizes in their own way."""

from __future__ import annotations

from pathlib import Path

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze

STRUCT = """struct Grid { int nx, ny; };
__global__ void inner(float *a, Grid g) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i > 0 && i < g.nx - 1) a[i] *= 2.0f;
}
void step(float *a, Grid g) { inner<<<(g.nx + 127) / 128, 128>>>(a, g); }
"""
SCAN = """__global__ void k(float *out, int n) {
  __shared__ float tmp[256];
  int t = threadIdx.x;
  for (int off = 1; off < n; off *= 2) { if (t < off) tmp[t] = 2.0f; }
  out[t] = tmp[t];
}
"""


def test_a_structure_member_has_one_name(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(STRUCT)
    (kernel,) = analyze(str(file)).kernels
    assert sympy_text(kernel.active_threads.formula) == "g_nx - 2"
    assert {s.name for s in kernel.grid.flops["fp32"].formula.atoms()} == {"g.nx"}


def test_a_pointer_that_is_written_through_stays_itself(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(SCAN)
    (kernel,) = analyze(str(file)).kernels
    assert set(kernel.per_thread.loads) == {"shared"}
    assert kernel.bytes.requested.formula == 1024


def test_a_reference_without_a_space_stays_two_words(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float* a, int n) {\n"
        "  int i = threadIdx.x;\n  if (i < n) { auto& r = a[i]; r = r * r; }\n}\n"
    )
    (kernel,) = analyze(str(file)).kernels
    assert sympy_text(kernel.per_thread.loads["global"].formula) == "2"
