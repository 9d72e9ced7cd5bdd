"""From which size on a limit binds, where other sizes cancel out or types end."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.analysis import analyze
from estimator.gpus import find_gpu
from estimator.options import Options


def verdicts(text: str, folder: Path, gpu: str) -> tuple[str, str]:
    file = folder / "k.cu"
    file.write_text(text)
    (kernel,) = analyze([str(file)], Options(gpus=(find_gpu(gpu),))).kernels
    (found,) = kernel.gpus.values()
    return found.compulsory.text, found.requested.text


@pytest.mark.parametrize(
    ("size", "text"),
    [("long", "compute-bound from n = 4398046511105"), ("int", "memory-bound")],
)
def test_a_turn_beyond_the_size_s_type_is_none(size: str, text: str, tmp_path: Path) -> None:
    """20⌈log₂ n⌉ FLOPs for 8 bytes: the ridge of 106 FLOP/B takes log₂ n > 42."""
    kernel = (
        f"__global__ void k(const float *x, float *y, {size} n, int m)\n{{\n"
        "    int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= m) return;\n"
        f"    float s = x[t];\n    for ({size} i = 1; i < n; i *= 2)\n"
        "        for (int j = 0; j < 10; j++) s = s * 2.0f + 1.0f;\n    y[t] = s;\n}\n"
    )
    assert verdicts(kernel, tmp_path, "l40s")[1] == text


def test_other_sizes_cancel_out_of_rounded_loops(tmp_path: Path) -> None:
    """16c + 1 FLOPs for 4c + 8 bytes, c = ⌈K/8⌉: 3 FLOP/B and more from c = 6, K = 41 on."""
    kernel = (
        "__global__ void k(const float *x, float *y, int n, int K)\n{\n"
        "    int t = blockIdx.x * blockDim.x + threadIdx.x;\n    if (t >= n) return;\n"
        "    float s = 0.0f;\n    for (int i = 0; i < K; i += 8) {\n        float v = x[0];\n"
        "        for (int j = 0; j < 8; j++) s = s * v + 1.0f;\n    }\n"
        "    y[t] = s + x[1];\n}\n"
    )
    profile = tmp_path / "gpu.toml"
    profile.write_text('name = "Mine"\nfp32_tflops = 3\nbandwidth_gb_s = 1000\n')
    assert verdicts(kernel, tmp_path, str(profile))[1] == "compute-bound from K = 41"
