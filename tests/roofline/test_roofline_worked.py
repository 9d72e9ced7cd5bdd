"""The textbook's figures: roofs, thresholds, times and rates worked out by hand."""

from __future__ import annotations

import pytest
from handmade import N, count, dot, judged, matmul, vector_add

from estimator.algebra.poly import ZERO
from estimator.gpus import find_gpu
from estimator.report.model import KernelReport
from estimator.roofline.verdict import Bound, GpuVerdict, Numbers, Work, judge


def on(kernel: KernelReport, gpu: str, **values: int) -> GpuVerdict:
    return judged(kernel, gpu, **values).gpus[gpu]


def numbers(verdict: GpuVerdict) -> Numbers:
    assert verdict.numbers is not None
    return verdict.numbers


def saxpy() -> Work:
    return Work({"fp32": count(2 * N)}, count(ZERO), count(12 * N), count(12 * N))


@pytest.mark.parametrize(("gpu", "turn"), [("l40s", 637), ("h100-sxm", 120), ("rtx5090", 351)])
def test_matmul_turns_where_n_over_6_reaches_the_ridge(gpu: str, turn: int) -> None:
    verdict = on(matmul(), gpu)
    assert verdict.compulsory.bound is Bound.COMPUTE
    assert verdict.compulsory.turns_at == {"N": turn}
    assert verdict.compulsory.text == f"compute-bound from N = {turn}"
    assert verdict.requested.text == "memory-bound"
    assert verdict.reuse_decides
    assert verdict.unit == "fp32"


def test_matmul_4096_on_l40s() -> None:
    verdict = on(matmul(), "l40s", N=4096)
    assert numbers(verdict).compute_time_s == pytest.approx(1.500e-3, rel=1e-3)
    assert numbers(verdict).memory_time_s == pytest.approx(201_326_592 / 864e9)
    assert numbers(verdict).memory_time_s == pytest.approx(0.233e-3, rel=1e-3)
    assert numbers(verdict).lower_bound_s == numbers(verdict).compute_time_s
    assert numbers(verdict).attainable_flops_per_s == pytest.approx(91.6e12, rel=1e-3)
    assert verdict.compulsory.bound is Bound.COMPUTE
    assert verdict.requested.bound is Bound.MEMORY


def test_matmul_256_is_memory_bound_on_l40s_and_compute_bound_on_h100() -> None:
    ada, hopper = on(matmul(), "l40s", N=256), on(matmul(), "h100-sxm", N=256)
    assert ada.compulsory.bound is Bound.MEMORY
    assert ada.compulsory.text == "memory-bound; compute-bound from N = 637"
    assert not ada.reuse_decides
    assert numbers(ada).attainable_flops_per_s == pytest.approx(256 / 6 * 864e9)
    assert hopper.compulsory.bound is Bound.COMPUTE
    assert hopper.reuse_decides


def test_vector_add_moves_data_a_thousand_times_longer_than_it_computes() -> None:
    verdict = on(vector_add(), "l40s", N=10**8)
    assert verdict.compulsory.text == "memory-bound"
    assert numbers(verdict).memory_time_s == pytest.approx(1.39e-3, rel=2e-3)
    assert numbers(verdict).compute_time_s == pytest.approx(0.00109e-3, rel=2e-3)
    assert numbers(verdict).time_ratio == pytest.approx(1272.3, rel=1e-4)
    assert numbers(verdict).attainable_flops_per_s == pytest.approx(72e9)
    assert not verdict.reuse_decides
    assert verdict.reuse == ""


def test_saxpy_and_dot_reach_144_and_216_gflops() -> None:
    found = judge(saxpy(), find_gpu("L40S"), {"N": 10**8})
    assert numbers(found).attainable_flops_per_s == pytest.approx(144e9)
    reached = on(dot(), "l40s", N=10**8, G=1)
    assert numbers(reached).attainable_flops_per_s == pytest.approx(216e9, rel=1e-5)


def test_sixty_teraflops_and_one_terabyte(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\nfp32_tflops = 60\nbandwidth_gb_s = 1000\n')
    kernel = vector_add()
    work = Work(kernel.grid.flops, kernel.grid.special, count(12 * N), count(12 * N))
    verdict = judge(work, find_gpu(str(path)), {"N": 10**6})
    assert verdict.ridges_flop_per_byte == {"fp32": 60.0}
    assert verdict.ridge_flop_per_byte == 60.0
    assert numbers(verdict).attainable_flops_per_s == pytest.approx(83.3e9, rel=1e-3)
    product = matmul()
    at_ridge = Work(product.grid.flops, count(ZERO), count(12 * N**2), count(12 * N**2))
    assert judge(at_ridge, find_gpu(str(path))).compulsory.turns_at == {"N": 360}
