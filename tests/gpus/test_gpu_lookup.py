"""What people call a GPU, and what they get."""

from __future__ import annotations

from pathlib import Path

import pytest

from estimator.gpus import GpuError, find_gpu


@pytest.mark.parametrize(
    ("text", "gpu_id"),
    [
        ("L40S", "l40s"),
        ("NVIDIA L40S", "l40s"),
        ("H100 SXM", "h100-sxm"),
        ("h100_sxm5", "h100-sxm"),
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("h100-pcie", "h100-pcie"),
        ("rtx 5090", "rtx5090"),
        ("5090", "rtx5090"),
        ("NVIDIA GeForce RTX 5070 Ti", "rtx5070ti"),
        ("NVIDIA A100-SXM4-40GB", "a100-sxm-40gb"),
        ("NVIDIA A100 80GB PCIe", "a100-pcie-80gb"),
        ("Tesla V100-SXM2-16GB", "v100-sxm2-16gb"),
        ("Tesla T4", "t4"),
        ("DGX Spark", "gb10"),
    ],
)
def test_found(text: str, gpu_id: str) -> None:
    assert find_gpu(text).id == gpu_id


@pytest.mark.parametrize(
    ("text", "variants"),
    [
        ("h100", "h100-sxm, h100-pcie, h100-nvl"),
        ("NVIDIA A100", "a100-sxm-40gb, a100-pcie-40gb, a100-sxm-80gb, a100-pcie-80gb"),
        ("a100 80gb", "a100-sxm-80gb, a100-pcie-80gb"),
        ("p100", "p100-sxm2-16gb, p100-pcie-16gb"),
        ("RTX 6000", "rtx-6000-ada, rtx-pro-6000"),
    ],
)
def test_ambiguous_names_list_their_variants(text: str, variants: str) -> None:
    with pytest.raises(GpuError) as caught:
        find_gpu(text)
    assert caught.value.code.id == "K501"
    assert caught.value.message == f"{text!r} names several GPUs: {variants}"


def test_unknown_names_list_the_nearest() -> None:
    with pytest.raises(GpuError) as caught:
        find_gpu("l40ss")
    assert caught.value.code.id == "K501"
    assert caught.value.message.startswith("no GPU is called 'l40ss'; the nearest: l40s")
    assert "kcost gpus" in caught.value.help


@pytest.mark.parametrize("text", ["", "  ", "-", "nvidia", "\0", "x" * 5000])
def test_odd_names_are_unknown(text: str) -> None:
    with pytest.raises(GpuError) as caught:
        find_gpu(text)
    assert caught.value.code.id == "K501"


def test_a_file_without_the_ending_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text('name = "Mine"\nfp32_tflops = 60\nbandwidth_gb_s = 1000\n', encoding="utf-8")
    assert find_gpu(str(path)).name == "Mine"


def test_a_shipped_name_comes_before_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "l40s").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_gpu("l40s").name == "NVIDIA L40S"
