"""The shipped files: complete, sourced, in step with the index and the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

import estimator.gpus.load as load_module
from estimator.gpus import find_gpu, load_shipped, shipped_ids
from estimator.gpus.document import updated
from estimator.gpus.index import NAMES
from estimator.gpus.load import PROFILES_DIRECTORY
from estimator.gpus.schema import BY_NAME, FIGURE_GROUPS, KEYS
from estimator.gpus.table import source_of
from estimator.gpus.toml_text import ProfileText, read_profile_text

PAGE = Path(__file__).parents[2] / "docs" / "gpus.md"


def test_the_index_lists_every_file() -> None:
    assert {path.stem for path in PROFILES_DIRECTORY.glob("*.toml")} == set(NAMES)


@pytest.mark.parametrize("gpu_id", shipped_ids())
def test_the_index_has_the_names_of_the_file(gpu_id: str) -> None:
    gpu = load_shipped(gpu_id)
    assert gpu.id == gpu_id
    assert NAMES[gpu_id] == tuple(dict.fromkeys((gpu.name, gpu.short_name, *gpu.aliases)))


@pytest.mark.parametrize("gpu_id", shipped_ids())
def test_every_name_finds_its_gpu(gpu_id: str) -> None:
    for name in (gpu_id, *NAMES[gpu_id]):
        assert find_gpu(name).id == gpu_id
        assert find_gpu(name.upper().replace(" ", "_")).id == gpu_id


@pytest.mark.parametrize("gpu_id", shipped_ids())
def test_every_figure_has_a_source(gpu_id: str) -> None:
    gpu = load_shipped(gpu_id)
    lacking = [
        name
        for name in gpu.figures
        if BY_NAME[name].group in FIGURE_GROUPS and not source_of(gpu, BY_NAME[name])
    ]
    assert lacking == []


@pytest.mark.parametrize("gpu_id", shipped_ids())
def test_limits_fit_together(gpu_id: str) -> None:
    gpu = load_shipped(gpu_id)
    limits, shared, caches = gpu.limits, gpu.shared, gpu.caches
    assert limits.threads_per_sm is not None
    assert limits.warps_per_sm is not None
    assert limits.threads_per_sm == 32 * limits.warps_per_sm
    assert limits.registers_per_sm == 65536
    assert shared.bytes_per_sm is not None
    assert shared.bytes_per_block is not None
    assert shared.bytes_per_block <= shared.bytes_per_sm
    assert max(shared.carveouts_bytes) == shared.bytes_per_sm
    assert caches.l1_bytes_per_sm is not None
    assert caches.sector_bytes == 32
    if caches.l1_holds_shared_memory:
        assert caches.l1_bytes_per_sm >= shared.bytes_per_sm


@pytest.mark.parametrize(
    ("gpu_id", "unconfirmed"),
    [
        ("h100-nvl", {"tensor_boost_clock_mhz", "nvlink_gb_s"}),
        ("b200", {"int32_lanes_per_sm", "load_store_lanes_per_sm", "bf16_lanes_per_sm"}),
        ("gh200", {"bus_width_bits", "data_rate_gbit_s_per_pin", "bandwidth_gb_s", "l2_mib"}),
        ("gb10", {"tensor_fp16_flop_per_clock_per_sm", "tensor_fp4_flop_per_clock_per_sm"}),
        ("v100-sxm2-16gb", {"measured_l2_gb_s", "measured_dram_gb_s", "nvlink_gb_s"}),
    ],
)
def test_doubtful_figures_stay_marked(gpu_id: str, unconfirmed: set[str]) -> None:
    assert unconfirmed <= load_shipped(gpu_id).unconfirmed


def test_one_gpu_is_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def recording(path: Path | str) -> ProfileText:
        read.append(Path(path).name)
        return read_profile_text(path)

    monkeypatch.setattr(load_module, "read_profile_text", recording)
    find_gpu("L40S")
    assert read == ["l40s.toml"]


def test_keys_carry_no_name_twice() -> None:
    assert len(BY_NAME) == len(KEYS)


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert updated(page) == page, "run: python -m estimator.gpus.document docs/gpus.md"
