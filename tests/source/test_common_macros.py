"""Macros of common libraries: used without a definition, they mean what the library says."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.algebra.printing import sympy_text
from estimator.analysis import analyze
from estimator.gpus import find_gpu
from estimator.options import Options
from estimator.source import preprocess as module
from estimator.source.common import COMMON
from estimator.source.position import SourceFile
from estimator.source.preprocess import preprocess

USES = {
    "loop": (
        "CUDA_KERNEL_LOOP(i, n * 2) f(i);",
        "for (int i = (int)blockIdx.x * blockDim.x + threadIdx.x; i < (n * 2); "
        "i += (int)blockDim.x * gridDim.x) f(i);",
    ),
    "loop of a type": (
        "CUDA_1D_KERNEL_LOOP_T(long, k, m) f(k);",
        "for (long k = (long)blockIdx.x * blockDim.x + threadIdx.x; k < (m); "
        "k += (long)blockDim.x * gridDim.x) f(k);",
    ),
    "two loops": (
        "CUDA_2D_KERNEL_LOOP(a, n, b, m) f(a, b);",
        "for (int a = (int)blockIdx.x * blockDim.x + threadIdx.x; a < (n); "
        "a += (int)blockDim.x * gridDim.x) "
        "for (int b = (int)blockIdx.y * blockDim.y + threadIdx.y; b < (m); "
        "b += (int)blockDim.y * gridDim.y) f(a, b);",
    ),
    "bounds": (
        "C10_LAUNCH_BOUNDS_1(256) __global__ void k();",
        "__launch_bounds__(256) __global__ void k();",
    ),
    "index": ("int i = hipThreadIdx_y;", "int i = threadIdx.y;"),
}


def text_of(source: str) -> str:
    return " ".join(preprocess(SourceFile("k.cu", source)).text.split())


@pytest.mark.parametrize(("source", "expected"), USES.values(), ids=USES)
def test_uses(source: str, expected: str) -> None:
    assert text_of(source) == expected


def test_what_the_file_defines_comes_first() -> None:
    defined = "#define CUDA_KERNEL_LOOP(i, n) while (i < n)\nCUDA_KERNEL_LOOP(a, b);"
    assert text_of(defined) == "while (a < b);"
    function = "int CAFFE_GET_BLOCKS(const int n) { return n; }\nint b = CAFFE_GET_BLOCKS(4);"
    assert text_of(function) == " ".join(function.split())


def test_a_finding_in_a_common_macro_points_to_its_use() -> None:
    source = "void f(int n) {\n  CUDA_KERNEL_LOOP(i, n) g(i);\n}\n"
    unit = preprocess(SourceFile("k.cu", source))
    place = unit.positions.position(unit.text.index("blockDim"))
    assert (place.line, place.column) == (2, 3)


def test_every_definition_can_be_used() -> None:
    for name, (head, _) in COMMON.items():
        assert head.partition("(")[0] == name
        assert name not in text_of(f"int x; {head}")


def test_a_kernel_of_a_library_without_its_headers(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "#include <ATen/ATen.h>\n#include <ATen/cuda/CUDAContext.h>\n"
        "C10_LAUNCH_BOUNDS_1(512)\n__global__ void k(const int n, float *x) {\n"
        "  CUDA_KERNEL_LOOP(i, n) x[i] = x[i] * CUDART_PI_F + FLT_EPSILON;\n}\n"
        "void run(int n, float *x) {\n"
        "  k<<<CAFFE_GET_BLOCKS(n), CAFFE_CUDA_NUM_THREADS>>>(n, x);\n}\n"
    )
    report = analyze(str(file))
    (kernel,) = report.kernels
    assert report.files[0].diagnostics == ()
    assert sympy_text(kernel.launch.grid[0]) == "floor((n + 511)/512)"
    assert sympy_text(kernel.grid.flops["fp32"].formula) == "2*n"


@pytest.mark.parametrize(("gpu", "flops"), [("", 1), ("a100-sxm-80gb", 1), ("h100-sxm", 2)])
def test_the_architecture_is_the_first_gpus(tmp_path: Path, gpu: str, flops: int) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *x) {\n  int i = threadIdx.x;\n  x[i] *= 2.0f;\n"
        "#if __CUDA_ARCH__ >= 900\n  x[i] += 1.0f;\n#endif\n}\n"
    )
    gpus = (find_gpu(gpu),) if gpu else ()
    (kernel,) = analyze(str(file), Options(gpus=gpus)).kernels
    assert kernel.per_thread.flops["fp32"].formula.integer == flops  # type: ignore[union-attr]


LOOP = "__global__ void k(float *x, int n) { CUDA_KERNEL_LOOP(i, n) x[i] = 0; }\n"


@pytest.mark.parametrize(
    ("before", "times"),
    [
        ("#include <cstdio>\n#define ONE 1\n", 1),
        ('#include "own.h"\n', 2),  # which may define it
        ("#ifndef C10_WARP_SIZE\n#define C10_WARP_SIZE 64\n#endif\n", 1),
        ("#define LOOP CUDA_KERNEL_LOOP\n", 2),
    ],
)
def test_a_file_is_read_once_where_it_says_enough(
    monkeypatch: pytest.MonkeyPatch, before: str, times: int
) -> None:
    """And what it defines itself holds, whether it is read once or twice."""
    calls: list[object] = []
    once = module._preprocess
    monkeypatch.setattr(module, "_preprocess", lambda *a: calls.append(a) or once(*a))
    unit = preprocess(SourceFile("k.cu", before + LOOP + "int w = C10_WARP_SIZE;\n"))
    assert len(calls) == times
    assert "for (int i = (int)blockIdx.x" in unit.text
    assert ("int w = 64;" in unit.text) == ("64" in before)
