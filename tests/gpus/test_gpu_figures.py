"""The roofs of shipped profiles against figures worked by hand."""

from __future__ import annotations

import math

import pytest

from estimator.gpus import TensorKind, find_gpu, load_shipped, shipped_ids
from estimator.gpus.agreement import agreements

# FP32 TFLOPS, FP64 TFLOPS, GB/s, FP32 ridge in FLOP/B.
FIGURES = {
    "l40s": (91.61, 1.431, 864, 106.0),
    "l4": (30.29, 0.4733, 300, 101.0),
    "l40": (90.52, 1.414, 864, 104.8),
    "h100-sxm": (66.91, 33.45, 3350, 20.0),
    "h100-pcie": (51.22, 25.61, 2039, 25.1),
    "h100-nvl": (60.32, 30.16, 3938, 15.3),
    "h200": (66.91, 33.45, 4800, 13.9),
    "gh200": (66.91, 33.45, 4000, 16.7),
    "b200": (74.45, 37.22, 7672, 9.7),
    "b300": (76.99, 1.203, 8000, 9.6),
    "a100-sxm-40gb": (19.49, 9.746, 1555, 12.5),
    "a100-pcie-40gb": (19.49, 9.746, 1555, 12.5),
    "a100-sxm-80gb": (19.49, 9.746, 2039, 9.6),
    "a100-pcie-80gb": (19.49, 9.746, 1935, 10.1),
    "a10": (31.24, 0.4882, 600, 52.1),
    "a30": (10.32, 5.161, 933, 11.1),
    "a40": (37.42, 0.5846, 696, 53.8),
    "rtx-a6000": (38.71, 0.6048, 768, 50.4),
    "rtx-6000-ada": (91.06, 1.423, 960, 94.9),
    "rtx-pro-6000": (125.96, 1.968, 1792, 70.3),
    "rtx5090": (104.76, 1.637, 1792, 58.5),
    "rtx5080": (56.28, 0.8793, 960, 58.6),
    "rtx5070ti": (43.94, 0.6866, 896, 49.0),
    "rtx4090": (82.58, 1.29, 1008, 81.9),
    "rtx4080": (48.74, 0.7615, 717, 68.0),
    "rtx4070": (29.15, 0.4554, 504, 57.8),
    "rtx3090": (35.58, 0.556, 936, 38.0),
    "rtx3080": (29.77, 0.4651, 760, 39.2),
    "rtx3060": (12.74, 0.199, 360, 35.4),
    "rtx2080ti": (13.45, 0.4202, 616, 21.8),
    "t4": (8.141, 0.2544, 320, 25.4),
    "v100-sxm2-16gb": (15.67, 7.834, 900, 17.4),
    "v100-sxm2-32gb": (15.67, 7.834, 900, 17.4),
    "v100-pcie-16gb": (14.13, 7.066, 900, 15.7),
    "v100-pcie-32gb": (14.13, 7.066, 900, 15.7),
    "p100-sxm2-16gb": (10.61, 5.304, 732, 14.5),
    "p100-pcie-16gb": (9.526, 4.763, 732, 13.0),
    "jetson-agx-orin": (5.325, 0.0832, 204.8, 26.0),
    "jetson-agx-thor": (8.064, 0.126, 273, 29.5),
    "gb10": (29.71, 0.4643, 273, 108.8),
}


def test_every_profile_has_its_figures_here() -> None:
    assert set(FIGURES) == set(shipped_ids())
    assert len(FIGURES) == 40


@pytest.mark.parametrize("gpu_id", FIGURES)
def test_peaks_bandwidth_and_ridge(gpu_id: str) -> None:
    gpu = load_shipped(gpu_id)
    fp32, fp64, bandwidth, ridge = FIGURES[gpu_id]
    assert gpu.peak_flops_per_s("fp32") == pytest.approx(fp32 * 1e12, rel=5e-4)
    assert gpu.peak_flops_per_s("fp64") == pytest.approx(fp64 * 1e12, rel=5e-4)
    assert gpu.bandwidth_bytes_per_s == bandwidth * 1e9
    assert gpu.ridge_flop_per_byte("fp32") == pytest.approx(ridge, abs=0.05)


def test_l40s_by_hand() -> None:
    gpu = find_gpu("l40s")
    assert (gpu.name, gpu.short_name, gpu.compute_capability) == ("NVIDIA L40S", "L40S", (8, 9))
    # 142 × 128 = 18,176 lanes; × 2.52e9 × 2
    assert gpu.peak_flops_per_s("fp32") == 91_607_040_000_000
    assert gpu.bandwidth_bytes_per_s == 864e9
    assert gpu.ridge_flop_per_byte("fp32") == pytest.approx(106.03, abs=0.005)
    assert gpu.tensor_peak_flops_per_s("fp16") == 362.05e12
    assert gpu.tensor_ridge_flop_per_byte("fp16") == pytest.approx(419.0, abs=0.05)
    # without the printed figure it would be 142 × 1024 × 2.52e9
    assert gpu.computed_tensor_peak_flops_per_s("fp16") == pytest.approx(366.428e12, rel=1e-5)
    assert "2.49 GHz" in gpu.reasons["tensor_fp16_tflops"]
    # 16 special-function results, 4 warps and 128 bytes per clock on 142 SMs
    assert gpu.special_functions_per_s == 5_725_440_000_000
    assert gpu.warp_instructions_per_s == 1_431_360_000_000
    assert gpu.shared_bandwidth_bytes_per_s == 45_803_520_000_000
    assert gpu.caches.l2_bytes == 100_663_296
    assert gpu.memory.size_bytes == 51_539_607_552
    assert gpu.shared.bytes_per_block == 101_376
    assert (gpu.limits.threads_per_sm, gpu.limits.blocks_per_sm) == (1536, 24)


@pytest.mark.parametrize(
    ("gpu_id", "tflops", "gb_s", "ridge"),
    [("l40s", 91.6, 864, 106), ("h100-sxm", 66.9, 3350, 20), ("rtx5090", 104.8, 1792, 58)],
)
def test_worked_figures(gpu_id: str, tflops: float, gb_s: float, ridge: int) -> None:
    gpu = find_gpu(gpu_id)
    assert round(gpu.peak_flops_per_s("fp32") / 1e12, 1) == tflops
    assert gpu.bandwidth_bytes_per_s / 1e9 == gb_s
    assert round(gpu.ridge_flop_per_byte("fp32")) == ridge


@pytest.mark.parametrize(("gpu_id", "n"), [("l40s", 637), ("h100-sxm", 120), ("rtx5090", 351)])
def test_matrix_product_turns_compute_bound(gpu_id: str, n: int) -> None:
    # intensity N/6
    assert math.ceil(6 * find_gpu(gpu_id).ridge_flop_per_byte("fp32")) == n


def test_two_clocks_of_the_h100() -> None:
    gpu = find_gpu("h100-sxm")
    # FP64 tensor: 256 × 132 × 1.98 GHz; FP16 tensor: printed; FP16 vector: 256 × 132 × 1.98 × 2
    assert gpu.computed_tensor_peak_flops_per_s("fp64") == pytest.approx(66.908e12, rel=1e-4)
    assert gpu.computed_tensor_peak_flops_per_s("fp16") == pytest.approx(989.43e12, rel=1e-4)
    assert gpu.peak_flops_per_s("fp16") == pytest.approx(133.82e12, rel=1e-4)


def test_printed_figures_agree_or_say_why() -> None:
    explained = {
        (gpu_id, pair.key)
        for gpu_id in shipped_ids()
        for pair in agreements(load_shipped(gpu_id))
        if not pair.holds
    }
    assert explained == {
        ("b200", "fp32_tflops"),
        ("b200", "fp64_tflops"),
        ("b200", "tensor_tf32_tflops"),
        ("b300", "tensor_fp4_tflops"),
    }


def test_every_gpu_with_tensor_cores_has_an_fp16_roof() -> None:
    for gpu in map(load_shipped, shipped_ids()):
        assert gpu.has_tensor_peak(TensorKind.FP16) == (gpu.tensor_cores_per_sm != 0)


@pytest.mark.parametrize("gpu_id", ["rtx5090", "rtx4090", "rtx3090"])
def test_geforce_halves_the_rate_of_fp32_sums(gpu_id: str) -> None:
    gpu = load_shipped(gpu_id)
    assert gpu.tensor_peak_flops_per_s("fp16_acc16") == pytest.approx(
        2 * gpu.tensor_peak_flops_per_s("fp16"), rel=1e-3
    )
