"""Profiles that users write: the smallest ones, and every way to get one wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from estimator.gpus import GpuError, GpuProfile, find_gpu, load_profile

PAGE = Path(__file__).parents[2] / "docs" / "gpus.md"
MINIMAL = 'name = "Mine"\nfp32_tflops = 60\nbandwidth_gb_s = 1000\n'


def _load(directory: Path, text: str) -> GpuProfile:
    path = directory / "my-gpu.toml"
    path.write_text(text, encoding="utf-8")
    return load_profile(path)


def _fault(directory: Path, text: str) -> str:
    with pytest.raises(GpuError) as caught:
        _load(directory, text)
    assert caught.value.code.id == "K502"
    assert caught.value.help
    return caught.value.message.replace(f"{directory}/", "")


def test_the_smallest_profile(tmp_path: Path) -> None:
    gpu = _load(tmp_path, MINIMAL)
    assert (gpu.id, gpu.name, gpu.short_name) == ("my-gpu", "Mine", "Mine")
    assert gpu.ridge_flop_per_byte("fp32") == 60
    assert gpu.sm_count is None
    assert gpu.special_functions_per_s is None
    assert not gpu.has_peak("fp64")


def test_a_peak_that_is_not_given_is_an_error(tmp_path: Path) -> None:
    gpu = _load(tmp_path, MINIMAL)
    with pytest.raises(GpuError, match="the profile of Mine gives no FP64 peak") as caught:
        gpu.peak_flops_per_s("fp64")
    assert "fp64_tflops" in caught.value.help
    with pytest.raises(GpuError, match="FP16 tensor peak"):
        gpu.tensor_peak_flops_per_s("fp16")


def test_a_profile_from_lanes_and_pins(tmp_path: Path) -> None:
    gpu = _load(
        tmp_path,
        'name = "Mine"\nsm_count = 10\nfp32_lanes_per_sm = 128\nboost_clock_mhz = 1000\n'
        "bus_width_bits = 256\ndata_rate_gbit_s_per_pin = 10\n",
    )
    assert gpu.peak_flops_per_s("fp32") == 2.56e12
    assert gpu.bandwidth_bytes_per_s == 320e9
    assert gpu.ridge_flop_per_byte("fp32") == 8


def test_the_examples_of_the_page_load(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    first, second = (_load(tmp_path, example) for example in examples)
    assert first.ridge_flop_per_byte("fp32") == 60
    assert second.ridge_flop_per_byte("fp32") == 80


def test_a_printed_figure_must_agree(tmp_path: Path) -> None:
    text = (
        'name = "Mine"\nsm_count = 10\nfp32_lanes_per_sm = 128\nboost_clock_mhz = 1000\n'
        "fp32_tflops = 3\nbandwidth_gb_s = 100\n"
    )
    message = _fault(tmp_path, text)
    assert message.startswith("my-gpu.toml:5:1: fp32_tflops is 3, but the profile's other figures")
    assert "2.56 (-14.7%, more than 2%)" in message
    reasoned = _load(tmp_path, text + '[reason]\nfp32_tflops = "marketing"\n')
    assert reasoned.peak_flops_per_s("fp32") == 2.56e12


def test_bandwidth_must_agree(tmp_path: Path) -> None:
    message = _fault(tmp_path, MINIMAL + "bus_width_bits = 256\ndata_rate_gbit_s_per_pin = 10\n")
    assert message.startswith("my-gpu.toml:3:1: bandwidth_gb_s is 1000")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("boost_clok_mhz = 1", "unknown key 'boost_clok_mhz'; the nearest is 'boost_clock_mhz'"),
        ("zzz = 1", "unknown key 'zzz'"),
        ('sm_count = "142"', "sm_count must be an integer, not '142'"),
        ("sm_count = 1.5", "sm_count must be an integer, not 1.5"),
        ("sm_count = true", "sm_count must be an integer, not true"),
        ("sm_count = -3", "sm_count is negative: -3"),
        ("sm_count = 0", "sm_count must not be 0"),
        ("boost_clock_mhz = nan", "boost_clock_mhz must be a number in MHz, not nan"),
        ("boost_clock_mhz = inf", "boost_clock_mhz must be a number in MHz, not inf"),
        ("chip = 5", "chip must be text, not 5"),
        ('chip = " "', "chip is empty"),
        ("compute_capability = 8.9", 'compute_capability must be text such as "8.9", not 8.9'),
        ('id = "My GPU"', "id must be lower-case letters and digits joined by dashes"),
        ("aliases = [1]", "aliases must be a list of texts, not [1]"),
        ('sources = "none"', "sources must be a table of texts, not 'none'"),
        ("shared_carveouts_kib = [-1]", "shared_carveouts_kib is negative: [-1]"),
        ('l1_holds_shared_memory = "y"', "l1_holds_shared_memory must be true or false, not 'y'"),
        ('unconfirmed = ["l2_mib"]', "unconfirmed names 'l2_mib', which the profile does not give"),
    ],
)
def test_a_bad_line(tmp_path: Path, line: str, fault: str) -> None:
    assert _fault(tmp_path, f"{MINIMAL}{line}\n").startswith(f"my-gpu.toml:4:1: {fault}")


def test_sources_and_reasons_must_name_what_is_there(tmp_path: Path) -> None:
    text = MINIMAL + '[sources]\nclock = "a"\n[reason]\nfp64_tflops = "b"\n'
    message = _fault(tmp_path, text)
    assert "my-gpu.toml:5:1: [sources] names 'clock'" in message
    assert "the nearest is 'clocks'" in message
    assert "my-gpu.toml:7:1: [reason] names 'fp64_tflops'" in message


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    message = _fault(tmp_path, "sm_count = -1\nbandwith_gb_s = 7\nfp32_lanes_per_sm = 128\n")
    lines = message.splitlines()
    assert lines[0] == "my-gpu.toml: 5 faults in the GPU profile"
    assert lines[1] == "my-gpu.toml:1:1: sm_count is negative: -1"
    assert "unknown key 'bandwith_gb_s'; the nearest is 'bandwidth_gb_s'" in lines[2]
    assert lines[3] == "my-gpu.toml: missing key 'name' (full name)"
    assert lines[4].endswith("boost_clock_mhz (lacks boost_clock_mhz)")
    assert "missing bandwidth: give bandwidth_gb_s" in lines[5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "a"\nfp32_tflops = \n', "my-gpu.toml:2:15: not TOML: invalid value"),
        ("just text", "my-gpu.toml:1:6: not TOML"),
        ('name = "a', "my-gpu.toml:1:1: not TOML"),
        ("a = " + "[" * 100_000, "my-gpu.toml: not TOML: nested too deeply"),
    ],
)
def test_not_toml(tmp_path: Path, text: str, message: str) -> None:
    assert _fault(tmp_path, text).startswith(message)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(GpuError, match="file not found") as caught:
        find_gpu(str(tmp_path / "none.toml"))
    assert caught.value.code.id == "K502"
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(GpuError, match="cannot be read: is a directory"):
        find_gpu(str(tmp_path / "folder.toml"))
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(GpuError, match="not UTF-8 at byte 8"):
        find_gpu(str(tmp_path / "latin.toml"))
